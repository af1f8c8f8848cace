type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** The object without its properties that are undefined. */
export function defined<T extends object>(values: T): WithoutUndefined<T> {
  const kept: Partial<T> = {};
  for (const name in values) if (values[name] !== undefined) kept[name] = values[name];
  return kept as unknown as WithoutUndefined<T>;
}
