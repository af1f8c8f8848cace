/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The type of a value after a round trip through JSON, as the engine stores payloads, step values, stage inputs and results.
 *
 * - A `Date`, and every object with `toJSON`, becomes what `toJSON` returns.
 * - A property that may be undefined becomes optional; methods and symbol keys are left out.
 * - A processor or step that returns nothing gives `null`.
 * - A value that is refused at run time (`Map`, `Set`, `bigint`, bytes, …) is `never`.
 */
export type Jsonified<T> = 0 extends 1 & T
  ? T
  : unknown extends T
    ? T
    : T extends Json
      ? T
      : T extends RefusedValue
        ? never
        : T extends { toJSON(...args: never[]): infer Written }
          ? Jsonified<Written>
          : T extends bigint | symbol | AnyFunction
            ? never
            : T extends void
              ? null
              : T extends readonly unknown[]
                ? { [Index in keyof T]: Jsonified<Exclude<T[Index], undefined>> }
                : T extends object
                  ? JsonObject<T>
                  : never;

type AnyFunction = ((...args: never[]) => unknown) | (abstract new (...args: never[]) => unknown);

// `Error` is refused too, but an object with a `name` and a `message` has the same shape, and is welcome.
type RefusedValue =
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | WeakMap<WeakKey, unknown>
  | WeakSet<WeakKey>
  | PromiseLike<unknown>
  | RegExp
  | ArrayBufferView
  | ArrayBuffer
  | SharedArrayBuffer;

type JsonObject<T> = {
  [Key in KeptKeys<T> as undefined extends T[Key] ? never : Key]: Jsonified<T[Key]>;
} & {
  [Key in KeptKeys<T> as undefined extends T[Key] ? Key : never]?: Jsonified<Exclude<T[Key], undefined>>;
} extends infer Both
  ? { [Key in keyof Both]: Both[Key] }
  : never;

type KeptKeys<T> = {
  [Key in keyof T]-?: Key extends symbol ? never : IsMethod<T[Key]> extends true ? never : Key;
}[keyof T];

type IsMethod<Value> = 0 extends 1 & Value
  ? false
  : [Exclude<Value, undefined>] extends [never]
    ? false
    : [Exclude<Value, undefined>] extends [AnyFunction]
      ? true
      : false;
