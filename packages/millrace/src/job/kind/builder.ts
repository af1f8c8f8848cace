// The types of what `defineKind()` and `work()` return while stages are added. One signature each and no overloads: of a call that
// fits none, the compiler explains the last one alone, and that a `run` with a wrongly annotated input "does not exist" in the
// options of an isolated stage does not help.

import type { Jsonified } from "../../lib/json/jsonified.ts";
import type { Processor, UndoHandler } from "../context.ts";
import type { StageOptions } from "../options/stage-options.ts";
import type {
  AnySchema,
  Kind,
  NoSignals,
  PayloadInput,
  PayloadOutput,
  SignalInputs,
  SignalSchemas,
  SignalValues,
} from "./kind.ts";
import type { Middleware } from "./middleware.ts";

/** A kind to which stages can be added. Each `.stage()` receives what the previous stage returned. */
export interface StagedKind<S extends AnySchema, Last, G extends SignalSchemas = NoSignals>
  extends Kind<PayloadInput<S>, Last, SignalInputs<G>> {
  /** Adds a stage and returns the kind with it. The original kind does not change. */
  stage<Output = NotGiven, Module extends AnyModule = never, Undos = NoUndos>(
    name: string,
    stage:
      | InlineStage<PayloadOutput<S>, Last, Output, SignalValues<G>, Undos>
      | IsolatedStage<Module, PayloadOutput<S>>,
  ): StagedKind<S, StageOutput<Output, Module>, G>;
}

/** The stage has no undo handlers. */
export type NoUndos = Record<never, never>;
/** The undo handlers of a stage, by name. */
export type UndoHandlers<Payload, Undos> = { readonly [Name in keyof Undos]: UndoHandler<Payload, Undos[Name]> };

/** @internal Exported so that declarations of other packages can name it. */
export declare const notGiven: unique symbol;
/** For the compiler only: marks a type parameter that was not inferred. */
export type NotGiven = typeof notGiven;
/** @internal */
export type IsNotGiven<T> = [NotGiven] extends [T] ? (unknown extends T ? false : true) : false;
/** What a stage gives to the next one, and at the end to `wait()`: its result after a round trip through JSON. */
export type StageOutput<Output, Module> = Jsonified<
  IsNotGiven<Output> extends false ? Awaited<Output> : Module extends ModuleOf<infer O> ? O : unknown
>;

/**
 * A kind without processors: enough to submit, wait for and read jobs with full types. `defineKind()` with a `result`
 * schema returns one; `work()` adds the processors.
 */
export interface Contract<S extends AnySchema, R extends AnySchema, G extends SignalSchemas = NoSignals>
  extends Kind<PayloadInput<S>, Jsonified<PayloadOutput<R>>, SignalInputs<G>> {
  /** The schema of the result. */
  readonly result: AnySchema;
  /** For the compiler only. */
  readonly schemas?: {
    /** The schema of the payload. */
    payload: S;
    /** The schema of the result. */
    result: R;
    /** The schemas of the signals. */
    signals: G;
  };
}

/** A stage whose processor runs in this process. */
export interface InlineStage<Payload, Input, Output, Signals = NoSignals, Undos = NoUndos> extends StageOptions {
  /** Where the processor runs. Default: "inline", in this process. */
  isolation?: "inline";
  /**
   * Handlers that undo steps of this stage, by name. `ctx.step(name, fn, { undo: "refund" })` names one. They run when the
   * job fails for good or is cancelled. Write it before `run`, so that the compiler checks the names. Default: none.
   */
  undo?: UndoHandlers<Payload, Undos>;
  /** The processor: does the work and returns the result. */
  run: Processor<Payload, Input, Output, Signals, Undos>;
  /** @internal */
  module?: never;
  /** Middleware of this stage, inside that of the kind. Default: none. */
  use?: readonly Middleware<Payload>[];
}

/** A stage whose processors are child processes. They load `module` and call its default export. */
export interface IsolatedStage<Module, Payload = unknown> extends StageOptions {
  /** "process": each processor is a child process. */
  isolation: "process";
  /** The module with the processor as its default export: a URL, or `moduleOf()` for a typed result. */
  module: Module;
  /** @internal */
  run?: never;
  /**
   * Middleware of this stage, inside that of the kind. It runs in this process; the module can export its own `use`.
   * Default: none.
   */
  use?: readonly Middleware<Payload>[];
}

/** The module of an isolated stage. */
export type AnyModule = URL | ModuleOf<unknown>;

/** The URL of a module, with the type that its default export returns. */
export interface ModuleOf<Output> {
  /** Where the module is. */
  readonly url: URL;
  /** For the compiler only. */
  readonly output?: Output;
}

/**
 * The URL of an isolated processor's module, with the type of its result. The module's default export is the processor.
 *
 * @example
 * ```ts
 * import { defineKind, moduleOf } from "millrace";
 * import { z } from "zod";
 *
 * // draw.ts has: export default async (_ctx: Context, { width }: { width: number }) => ({ area: width * width });
 * type Draw = { default: (ctx: unknown, input: { width: number }) => Promise<{ area: number }> };
 *
 * export const drawing = defineKind({
 *   name: "drawing",
 *   payload: z.object({ width: z.number() }),
 *   isolation: "process",
 *   module: moduleOf<Draw>(new URL("./draw.ts", import.meta.url)),
 *   memoryMb: 512,
 * });
 * ```
 */
export function moduleOf<M extends { default: (...args: never[]) => unknown }>(
  url: URL,
): ModuleOf<Awaited<ReturnType<M["default"]>>> {
  return { url };
}
