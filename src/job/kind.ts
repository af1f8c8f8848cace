import type { StandardSchemaV1 } from "@standard-schema/spec";
import { AppError } from "../lib/app-error.ts";
import type { Processor } from "./context.ts";
import type { Pace } from "./plan.ts";

type AnySchema = StandardSchemaV1;
type In<S extends AnySchema> = StandardSchemaV1.InferInput<S>;
type Out<S extends AnySchema> = StandardSchemaV1.InferOutput<S>;

/** How one stage runs; whatever is missing comes from the settings. */
export interface StageOptions {
  processors?: number;
  timeoutMs?: number;
  maxAttempts?: number;
  retry?: { baseMs?: number; maxMs?: number };
  /** `{ count: 3, perMs: 5000 }`: at most 3 starts in 5 s over all processes. */
  pace?: Pace;
  /** false: a timeout is a permanent failure. */
  retryTimeouts?: boolean;
  /** Isolated processors only: a child above this is killed. */
  memoryMb?: number;
}

export interface InlineStage<Payload, Input, Output> extends StageOptions {
  isolation?: "inline";
  run: Processor<Payload, Input, Output>;
}

/** Its processors are child processes that load `module` and call its default export. */
export interface IsolatedStage<Output> extends StageOptions {
  isolation: "process";
  module: URL | ModuleOf<Output>;
}

/** A module's address that remembers what its default export returns. */
export interface ModuleOf<Output> {
  readonly url: URL;
  readonly output?: Output;
}

export function moduleOf<M extends { default: (...args: never[]) => unknown }>(
  url: URL,
): ModuleOf<Awaited<ReturnType<M["default"]>>> {
  return { url };
}

export interface KindOptions<S extends AnySchema> {
  name: string;
  /** Any Standard Schema: zod, valibot, arktype ... Parsed at submission, and again when claimed. */
  payload: S;
  /** Payloads to show and to start from. */
  examples?: readonly In<S>[];
  /** While a job with this key is pending or running, a second submission is refused. */
  uniqueKey?: (payload: Out<S>) => string | undefined;
  retention?: { finishedMs?: number; deadLetterMs?: number };
  /** "none": a completed job is deleted as it settles. */
  keep?: "none";
  maxCrashes?: number;
}

/** A kind whose first stage takes its payload and whose last stage gives its result. */
export interface Kind<Input = unknown, Result = unknown> {
  readonly name: string;
  readonly schema: AnySchema;
  readonly examples: readonly unknown[];
  readonly uniqueKey: ((payload: never) => string | undefined) | undefined;
  readonly retention: { finishedMs?: number; deadLetterMs?: number };
  readonly keep: "none" | undefined;
  readonly maxCrashes: number | undefined;
  readonly stages: readonly Stage[];
  /** Only for the compiler: what goes in and what comes out. */
  readonly types?: { input: Input; result: Result };
}

/** A stage as the pools see it. */
export interface Stage extends StageOptions {
  readonly name: string;
  readonly work: { in: "process"; module: URL } | { in: "here"; run: Processor<unknown, unknown, unknown> };
}

/** A kind under construction: each `.stage()` receives what the one before it returned. */
export interface StagedKind<S extends AnySchema, Last> extends Kind<In<S>, Last> {
  stage<Output>(name: string, stage: InlineStage<Out<S>, Last, Output>): StagedKind<S, Output>;
  stage<Output = unknown>(name: string, stage: IsolatedStage<Output>): StagedKind<S, Output>;
}

/** A kind of one stage: its options and its processor in one object. `stage` is the word shown while it runs. */
export function defineKind<S extends AnySchema, Output>(
  options: KindOptions<S> & { stage?: string } & InlineStage<Out<S>, Out<S>, Output>,
): Kind<In<S>, Awaited<Output>>;
export function defineKind<S extends AnySchema, Output = unknown>(
  options: KindOptions<S> & { stage?: string } & IsolatedStage<Output>,
): Kind<In<S>, Output>;
/** A kind of several stages: chain `.stage(name, {...})`. */
export function defineKind<S extends AnySchema>(options: KindOptions<S>): StagedKind<S, Out<S>>;
export function defineKind(options: KindOptions<AnySchema> & { stage?: string } & Partial<AnyStage>): Kind {
  checkName("kind", options?.name);
  checkKind(options);
  const base: Kind = {
    name: options.name,
    schema: options.payload,
    examples: options.examples ?? [],
    uniqueKey: options.uniqueKey as Kind["uniqueKey"],
    retention: options.retention ?? {},
    keep: options.keep,
    maxCrashes: options.maxCrashes,
    stages: [],
  };
  if (options.run || options.module) {
    return withStage(base, options.stage ?? "running", options as AnyStage);
  }
  return chain(base);
}

type AnyStage = StageOptions & {
  isolation?: "inline" | "process";
  run?: Processor<never, never, unknown>;
  module?: URL | ModuleOf<unknown>;
};

function chain(kind: Kind): Kind & { stage(name: string, stage: AnyStage): Kind } {
  return { ...kind, stage: (name, stage) => chain(withStage(kind, name, stage)) };
}

function withStage(kind: Kind, name: string, options: AnyStage): Kind {
  checkName("stage", name);
  if (RESERVED.has(name)) {
    throw new AppError("kind-invalid", `A stage of "${kind.name}" cannot be called "${name}": that word is a status.`);
  }
  if (kind.stages.some((stage) => stage.name === name)) {
    throw new AppError("kind-invalid", `The kind "${kind.name}" has two stages called "${name}".`);
  }
  const { processors, timeoutMs, maxAttempts, retry, pace, retryTimeouts, memoryMb } = options;
  for (const [what, value] of Object.entries({ processors, timeoutMs, maxAttempts, memoryMb })) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) {
      throw new AppError("kind-invalid", `${what} of "${kind.name}/${name}" must be a whole number above 0.`);
    }
  }
  checkPauses(`${kind.name}/${name}`, options);
  const settings: StageOptions = Object.fromEntries(
    Object.entries({ processors, timeoutMs, maxAttempts, retry, pace, retryTimeouts, memoryMb }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const stage: Stage = { ...settings, name, work: workOf(kind.name, name, options) };
  return { ...kind, stages: [...kind.stages, stage] };
}

function checkPauses(stage: string, { retry, pace }: StageOptions): void {
  const entries = [
    ...(retry ? [["retry.baseMs", retry.baseMs ?? 0, 0] as const, ["retry.maxMs", retry.maxMs ?? 0, 0] as const] : []),
    ...(pace ? [["pace.count", pace.count, 1] as const, ["pace.perMs", pace.perMs, 1] as const] : []),
  ];
  for (const [what, value, least] of entries) {
    if (Number.isInteger(value) && value >= least) continue;
    throw new AppError("kind-invalid", `${what} of "${stage}" must be a whole number, ${least} or more.`);
  }
}

function workOf(kind: string, stage: string, options: AnyStage): Stage["work"] {
  const { isolation, run, module } = options;
  if (isolation !== undefined && isolation !== "inline" && isolation !== "process") {
    throw new AppError("kind-invalid", `isolation of "${kind}/${stage}" must be "inline" or "process".`);
  }
  if (run !== undefined && typeof run !== "function") {
    throw new AppError("kind-invalid", `run of "${kind}/${stage}" must be a function.`);
  }
  if (module !== undefined && !(module instanceof URL) && !(module.url instanceof URL)) {
    throw new AppError("kind-invalid", `module of "${kind}/${stage}" must be a URL.`, {
      hint: 'new URL("./work.ts", import.meta.url)',
    });
  }
  if (options.isolation === "process") {
    if (!options.module) {
      throw new AppError("kind-invalid", `The isolated stage "${kind}/${stage}" needs a module.`, {
        hint: 'module: new URL("./work.ts", import.meta.url), whose default export is the processor.',
      });
    }
    return { in: "process", module: options.module instanceof URL ? options.module : options.module.url };
  }
  if (!options.run) throw new AppError("kind-invalid", `The stage "${kind}/${stage}" needs a run function.`);
  return { in: "here", run: options.run as Processor<unknown, unknown, unknown> };
}

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const RESERVED = new Set([
  "pending",
  "not-started",
  "completed",
  "failed",
  "cancelled",
  "scheduled",
  "retrying",
  "held",
  "done",
]);

function checkKind(options: KindOptions<AnySchema> & Partial<AnyStage>): void {
  const wrong = (message: string, hint?: string) =>
    new AppError("kind-invalid", `The kind "${options.name}": ${message}`, hint === undefined ? {} : { hint });
  if (typeof options.payload?.["~standard"]?.validate !== "function") {
    throw wrong(
      "payload must be a Standard Schema.",
      "zod, valibot and arktype schemas are; z.unknown() takes anything.",
    );
  }
  if (options.uniqueKey !== undefined && typeof options.uniqueKey !== "function")
    throw wrong("uniqueKey must be a function.");
  if (options.keep !== undefined && options.keep !== "none") throw wrong('keep must be "none", or left out.');
  for (const [name, value] of Object.entries({ maxCrashes: options.maxCrashes, ...options.retention })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 0)) throw wrong(`${name} must be a whole number.`);
  }
}

function checkName(what: string, name: string): void {
  if (typeof name === "string" && NAME.test(name)) return;
  throw new AppError("kind-invalid", `"${name}" cannot name a ${what}.`, {
    hint: "Lower-case letters, digits and dashes, a letter first, 64 characters at most.",
  });
}
