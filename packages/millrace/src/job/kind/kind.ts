import type { StandardSchemaV1 } from "@standard-schema/spec";
import { AppError } from "../../lib/app-error.ts";
import { SYNONYMS } from "../../lib/check.ts";
import { unknownOption } from "../../lib/did-you-mean.ts";
import type { Jsonified } from "../../lib/json/jsonified.ts";
import type { Processor } from "../context.ts";
import { type AnyMiddleware, checkMiddleware, type Middleware } from "./middleware.ts";
import type { Pace } from "./plan.ts";

/** Any Standard Schema: zod, valibot, arktype and others. */
export type AnySchema = StandardSchemaV1;
/** What a schema accepts: the type that `submit()` takes. */
export type PayloadInput<S extends AnySchema> = StandardSchemaV1.InferInput<S>;
/** What a schema gives: the type that the first stage receives. */
export type PayloadOutput<S extends AnySchema> = StandardSchemaV1.InferOutput<S>;

/** How one stage runs. Missing values come from the engine's settings. */
export interface StageOptions {
  /**
   * Earlier names of this stage. Its processors also take jobs that wait under these names, with their steps, answers
   * and holds. Default: none.
   */
  renamedFrom?: string | readonly string[];
  /**
   * How many jobs of this stage run at the same time in each process, 1 to 10,000. Default: the engine's `processors`,
   * 10.
   */
  processors?: number;
  /** How long one attempt may take, in milliseconds. Default: the engine's `timeoutMs`, 300,000. */
  timeoutMs?: number;
  /** Attempts before the job fails, including the first. Default: the engine's `maxAttempts`, 3. */
  maxAttempts?: number;
  /** The pauses between attempts. Default: the engine's `retryBaseMs` and `retryMaxMs`. */
  retry?: {
    /** The longest pause before the first retry, in milliseconds; doubled for each further one. Default: 1,000. */
    baseMs?: number;
    /** The longest pause before any retry, in milliseconds. Default: 300,000. */
    maxMs?: number;
  };
  /**
   * At most `count` starts in any `perMs` milliseconds, across all processes: `{ count: 3, perMs: 5000 }`. Default: no
   * limit.
   */
  pace?: Pace;
  /** `false`: a timeout fails the job permanently. Default: true. */
  retryTimeouts?: boolean;
  /**
   * What people read about an attempt that timed out; `{ms}` stands for the limit. Default: `Timed out after {ms} ms.`
   */
  timeoutMessage?: string;
  /**
   * Moves long attempts out of the way of short ones: after `afterMs` an attempt continues in one of `processors` extra
   * places. If none is free it goes back to the queue after four times as long, without using up an attempt. Default: off.
   */
  slow?: {
    /** An attempt is long after this time, in milliseconds. */
    afterMs: number;
    /** The number of extra places for long attempts. */
    processors: number;
  };
  /** Isolated processors only: a child process that uses more than this is killed, in MiB. Default: no limit. */
  memoryMb?: number;
  /**
   * Isolated processors only: idle child processes kept ready beside those at work. One takes the place of a child that
   * is killed. Default: 0.
   */
  spares?: number;
  /** Isolated processors only: when to replace a child process by a new one. Default: never. */
  recycle?: {
    /** After this number of jobs. Default: never. */
    afterJobs?: number;
    /** When it is idle and uses more memory than this, in MiB. Default: never. */
    aboveMb?: number;
  };
  /**
   * Isolated processors only: an empty environment, no network and no writing to files, as far as the system allows.
   * `confinement()` says what this machine can do. Default: false.
   */
  confined?: boolean;
  /** Isolated processors only: variables for the environment of the child processes. Default: none. */
  env?: Readonly<Record<string, string>>;
}

/** A stage whose processor runs in this process. */
export interface InlineStage<Payload, Input, Output> extends StageOptions {
  /** Where the processor runs. Default: "inline", in this process. */
  isolation?: "inline";
  /** The processor: does the work and returns the result. */
  run: Processor<Payload, Input, Output>;
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

/**
 * Options of `defineKind()`: those of a contract and those of the work. A kind of one stage also takes `run` (or
 * `isolation` and `module`), `stage` and all `StageOptions`.
 */
export interface KindOptions<S extends AnySchema> extends ContractOptions<S>, WorkOptions<PayloadOutput<S>> {}

/** Options of a kind that matter where jobs are submitted. */
export interface ContractOptions<S extends AnySchema> {
  /** The name of the kind, unique in the store: letters, digits and dashes, a letter first. */
  name: string;
  /**
   * Any Standard Schema: zod, valibot, arktype. The payload is checked when a job is submitted, and parsed again when
   * it runs.
   */
  payload: S;
  /** Example payloads, shown in the dashboard. Default: none. */
  examples?: readonly PayloadInput<S>[];
  /**
   * A key for what the job works on. Only one live job of the kind and tenant can have the same key. Return undefined
   * for no key. Default: no key.
   */
  uniqueKey?: (payload: PayloadOutput<S>) => string | undefined;
  /**
   * A submission whose unique key is taken: "refuse" throws `already-queued` or `already-processing`; "join" returns
   * the job that has the key; "follow" stores a job without the key, whose processor asks for it with `ctx.unique()`.
   * Default: "refuse".
   */
  ifUnique?: "refuse" | "join" | "follow";
  /**
   * Called before a job is stored. If it returns a known result, the job is stored as completed and nothing runs.
   * Default: none.
   */
  recall?: (payload: PayloadOutput<S>, memory: Memory) => Promise<Recalled | undefined>;
}

/** Options of a kind that matter in worker processes. */
export interface WorkOptions<Payload = unknown> {
  /**
   * Middleware around the processors of all stages, the first outermost, inside that of `Millrace.open()`. Default: none.
   */
  use?: readonly Middleware<Payload>[];
  /** How long jobs of this kind are kept after their end. Default: the engine's settings. */
  retention?: {
    /** Completed and cancelled jobs, in milliseconds. Default: the engine's `finishedRetentionMs`, 7 days. */
    finishedMs?: number;
    /** Failed jobs (dead letters), in milliseconds. Default: the engine's `deadLetterRetentionMs`, 30 days. */
    deadLetterMs?: number;
  };
  /**
   * Codes of failures that a retry by a person would not mend, such as "timed-out". Jobs that fail with one are kept as
   * long as results and are not dead letters. Default: none.
   */
  inputFailures?: readonly string[];
  /**
   * "none": a job is deleted as soon as it completes; only a `wait()` in the process that ran it receives the result.
   * Default: jobs are kept for `retention`.
   */
  keep?: "none";
  /**
   * How often a stage of a job may take its process down before the job can become a dead letter. Default: the engine's
   * `maxCrashes`, 3.
   */
  maxCrashes?: number;
  /**
   * `true`: a job runs only in the deployment under which it was submitted. Default: false, any worker that has its
   * stage.
   */
  pinned?: boolean;
}

/** The shared artifacts, as the tenant of a submission sees them. `recall` receives it. */
export interface Memory {
  /** The tenant of the submission. */
  readonly tenant: string;
  /** The tenant's link to the artifact under this key, and the JSON stored with it. Undefined if nothing is kept. */
  link(key: string): Promise<{ link: string; info: unknown } | undefined>;
}

/** A result that is already known. */
export interface Recalled {
  /** The result of the job. */
  result: unknown;
  /** The key of the shared artifact that holds it. */
  share: string;
}

/**
 * A kind of job. Its first stage takes the payload, and its last stage gives the result. `defineKind()` and `work()`
 * return one.
 */
export interface Kind<Input = unknown, Result = unknown> {
  /** The name of the kind. */
  readonly name: string;
  /** The schema of the payload. */
  readonly schema: AnySchema;
  /** Example payloads. */
  readonly examples: readonly unknown[];
  /** The function that gives a job its unique key. */
  readonly uniqueKey: ((payload: never) => string | undefined) | undefined;
  /** What happens to a submission whose unique key is taken. Undefined: it is refused. */
  readonly ifUnique: "join" | "follow" | undefined;
  /** The function that finds a known result. */
  readonly recall: ((payload: never, memory: Memory) => Promise<Recalled | undefined>) | undefined;
  /** How long jobs are kept, in milliseconds. Missing values come from the engine's settings. */
  readonly retention: NonNullable<WorkOptions["retention"]>;
  /** Codes of failures that are not dead letters. */
  readonly inputFailures: readonly string[];
  /** "none": jobs are deleted as soon as they complete. */
  readonly keep: "none" | undefined;
  /** Crashes before a job can become a dead letter. */
  readonly maxCrashes: number | undefined;
  /** True: a job runs only in the deployment under which it was submitted. */
  readonly pinned: boolean;
  /** Around the processors of all its stages, the first outermost. */
  readonly use: readonly AnyMiddleware[];
  /** The schema of the result, if the kind is a contract or was made from one by `work()`. */
  readonly result: AnySchema | undefined;
  /** The stages in order. Empty for a contract: its jobs run in other processes. */
  readonly stages: readonly Stage[];
  /** For the compiler only: the types of payload and result. */
  readonly types?: {
    /** What `submit()` takes. */
    input: Input;
    /** What `wait()` returns. */
    result: Result;
  };
  /** For the compiler only: set when the last stage does not return the contract's result. */
  readonly mismatch?: undefined;
}

/** A stage of a kind, as `kind.stages` lists it. */
export interface Stage extends Omit<StageOptions, "renamedFrom"> {
  /** The name of the stage. */
  readonly name: string;
  /** Earlier names of the stage. */
  readonly renamedFrom?: string[];
  /** Middleware of the stage, inside that of the kind. */
  readonly use?: readonly AnyMiddleware[];
  /** The processor: a function in this process, or a module for child processes. */
  readonly work: { in: "process"; module: URL } | { in: "here"; run: Processor<unknown, unknown, unknown> };
}

/** A kind to which stages can be added. Each `.stage()` receives what the previous stage returned. */
export interface StagedKind<S extends AnySchema, Last> extends Kind<PayloadInput<S>, Last> {
  /** Adds a stage and returns the kind with it. The original kind does not change. */
  stage<Output = NotGiven, Module extends AnyModule = never>(
    name: string,
    stage: InlineStage<PayloadOutput<S>, Last, Output> | IsolatedStage<Module, PayloadOutput<S>>,
  ): StagedKind<S, StageOutput<Output, Module>>;
}

// One signature each and no overloads: of a call that fits none, the compiler explains the last one alone, and that a
// `run` with a wrongly annotated input "does not exist" in the options of an isolated stage helps nobody.

/** @internal Exported so that declarations of other packages can name it. */
export declare const notGiven: unique symbol;
/** For the compiler only: marks a type parameter that was not inferred. */
export type NotGiven = typeof notGiven;
type IsNotGiven<T> = [NotGiven] extends [T] ? (unknown extends T ? false : true) : false;
/** What a stage gives to the next one, and at the end to `wait()`: its result after a round trip through JSON. */
export type StageOutput<Output, Module> = Jsonified<
  IsNotGiven<Output> extends false ? Awaited<Output> : Module extends ModuleOf<infer O> ? O : unknown
>;

/** No processor yet: `.stage(name, {...})` adds the stages. */
interface NoStage {
  stage?: never;
  run?: never;
  module?: never;
  result?: never;
}

/** A kind with a `result` is a contract. Its processors and their options belong to `work(contract, ...)`. */
type ContractShape<R> = { [Option in keyof WorkOptions | "stage" | "run" | "module"]?: never } & {
  /** Any Standard Schema. The last stage must return what it accepts. */
  result: R;
};

/**
 * A kind without processors: enough to submit, wait for and read jobs with full types. `defineKind()` with a `result`
 * schema returns one; `work()` adds the processors.
 */
export interface Contract<S extends AnySchema, R extends AnySchema>
  extends Kind<PayloadInput<S>, Jsonified<PayloadOutput<R>>> {
  /** The schema of the result. */
  readonly result: AnySchema;
  /** For the compiler only. */
  readonly schemas?: {
    /** The schema of the payload. */
    payload: S;
    /** The schema of the result. */
    result: R;
  };
}

type Defined<S extends AnySchema, Output, Module, R extends AnySchema> = [R] extends [never]
  ? [IsNotGiven<Output>, [Module] extends [never] ? true : false] extends [true, true]
    ? StagedKind<S, PayloadOutput<S>>
    : Kind<PayloadInput<S>, StageOutput<Output, Module>>
  : Contract<S, R>;

/**
 * Defines a kind of job.
 *
 * - With `run`: a kind of one stage. `stage` is the word shown while it runs (default: running).
 * - Without a processor: chain `.stage(name, {...})` for each stage.
 * - With a `result` schema: a contract without processors. `work(contract)` adds them where they run.
 *
 * @example
 * ```ts
 * import { defineKind } from "millrace";
 * import { z } from "zod";
 *
 * export const thumbnail = defineKind({
 *   name: "thumbnail",
 *   payload: z.object({ url: z.string() }),
 *   uniqueKey: ({ url }) => url,
 *   ifUnique: "join",
 * })
 *   .stage("fetch", { processors: 4, timeoutMs: 30_000, run: async (_ctx, { url }) => ({ bytes: url.length }) })
 *   .stage("resize", { processors: 2, run: async (_ctx, { bytes }) => ({ width: bytes * 2 }) });
 * ```
 */
export function defineKind<
  S extends AnySchema,
  Output = NotGiven,
  Module extends AnyModule = never,
  R extends AnySchema = never,
>(
  options: KindOptions<S> &
    (
      | ({ stage?: string; result?: never } & (
          | InlineStage<PayloadOutput<S>, PayloadOutput<S>, Output>
          | IsolatedStage<Module, PayloadOutput<S>>
        ))
      | NoStage
      | ContractShape<R>
    ),
): Defined<S, Output, Module, R>;
export function defineKind(options: AnyKindOptions): Kind {
  checkName("kind", options?.name);
  checkKind(options);
  if (options.result !== undefined) return contractOf(options);
  const isWhole = Boolean(options.run || options.module);
  checkOptions(`kind "${options.name}"`, options, [
    ...KIND_OPTIONS,
    ...(isWhole ? ["stage", ...WORK_OPTIONS, ...STAGE_OPTIONS] : []),
  ]);
  const base: Kind = {
    name: options.name,
    schema: options.payload,
    examples: options.examples ?? [],
    uniqueKey: options.uniqueKey as Kind["uniqueKey"],
    ifUnique: options.ifUnique === "refuse" ? undefined : options.ifUnique,
    recall: options.recall as Kind["recall"],
    retention: options.retention ?? {},
    inputFailures: options.inputFailures ?? [],
    keep: options.keep,
    maxCrashes: options.maxCrashes,
    pinned: options.pinned ?? false,
    use: options.use ?? [],
    result: undefined,
    stages: [],
  };
  if (isWhole) {
    // Its middleware is the kind's.
    const { use: _use, ...stage } = options;
    return closed(withStage(base, options.stage ?? "running", stage as AnyStage));
  }
  return chain(base);
}

type AnyKindOptions = KindOptions<AnySchema> & { stage?: string; result?: AnySchema } & Partial<AnyStage>;

function contractOf(options: AnyKindOptions): Kind {
  const { name, payload, result, examples = [], uniqueKey, ifUnique, recall } = options;
  if (typeof result?.["~standard"]?.validate !== "function")
    throw new AppError("kind-invalid", `result of the kind "${name}" must be a Standard Schema.`);
  const misplaced = Object.keys(options).find(
    (option) => option !== "result" && !(CONTRACT_OPTIONS as readonly string[]).includes(option),
  );
  if (misplaced !== undefined) {
    throw new AppError("kind-invalid", `"${misplaced}" does not belong to the contract "${name}".`, {
      hint: `A kind with a result schema has no processor. Pass this option to work(contract, ...) or to its .stage(name, ...).`,
    });
  }
  return {
    name,
    schema: payload,
    examples,
    uniqueKey: uniqueKey as Kind["uniqueKey"],
    ifUnique: ifUnique === "refuse" ? undefined : ifUnique,
    recall: recall as Kind["recall"],
    retention: {},
    inputFailures: [],
    keep: undefined,
    maxCrashes: undefined,
    pinned: false,
    use: [],
    result,
    stages: [],
  };
}

export type AnyStage = StageOptions & {
  use?: readonly AnyMiddleware[];
  isolation?: "inline" | "process";
  run?: Processor<never, never, unknown>;
  module?: URL | ModuleOf<unknown>;
};

export function chain(kind: Kind): Kind & { stage(name: string, stage: AnyStage): Kind } {
  return {
    ...kind,
    stage: (name, stage) => {
      checkOptions(`stage "${kind.name}/${name}"`, stage, [...WORK_OPTIONS, ...STAGE_OPTIONS]);
      return chain(withStage(kind, name, stage));
    },
  };
}

/** A mistyped option must be refused: its author would believe that it works. */
export function checkOptions(what: string, options: object, known: readonly string[]): void {
  const unknown = Object.entries(options ?? {}).find(([name, value]) => value !== undefined && !known.includes(name));
  if (!unknown) return;
  const [name] = unknown;
  if ([...WORK_OPTIONS, ...STAGE_OPTIONS].includes(name)) {
    throw new AppError("kind-invalid", `"${name}" is an option of a stage, not of ${what}.`, {
      hint: `Write .stage(name, { ${name} }), or give the kind a run function of its own.`,
    });
  }
  throw new AppError("kind-invalid", unknownOption(name, what, known, SYNONYMS), {
    hint: `Known options: ${known.join(", ")}.`,
  });
}

/** A kind with a processor of its own is whole; whoever chains a stage to it in plain JavaScript is told so. */
function closed(kind: Kind): Kind {
  const stage = () => {
    throw new AppError("kind-invalid", `The kind "${kind.name}" has a run function, so it cannot have stages.`, {
      hint: "Move run into the first .stage(name, { run }).",
    });
  };
  return Object.defineProperty(kind, "stage", { value: stage });
}

function withStage(kind: Kind, name: string, options: AnyStage): Kind {
  checkName("stage", name);
  if (RESERVED.has(name)) {
    throw new AppError(
      "kind-invalid",
      `"${name}" is not allowed as a stage name of "${kind.name}": it is a job status.`,
    );
  }
  if (kind.stages.some((stage) => stage.name === name)) {
    throw new AppError("kind-invalid", `The kind "${kind.name}" has two stages with the name "${name}".`);
  }
  checkStage(`${kind.name}/${name}`, options);
  const { isolation: _isolation, run: _run, module: _module, ...given } = options;
  const renamedFrom = earlierNames(kind, name, options.renamedFrom);
  const settings: Omit<StageOptions, "renamedFrom"> = Object.fromEntries(
    STAGE_OPTIONS.map((option) => [option, given[option]]).filter(([, value]) => value !== undefined),
  );
  const stage: Stage = {
    ...settings,
    name,
    ...(renamedFrom.length > 0 && { renamedFrom }),
    ...(options.use && { use: options.use }),
    work: workOf(kind.name, name, options),
  };
  return { ...kind, stages: [...kind.stages, stage] };
}

function earlierNames(kind: Kind, name: string, given: StageOptions["renamedFrom"] = []): string[] {
  const names = typeof given === "string" ? [given] : [...given];
  for (const earlier of names) checkName("stage", earlier);
  const others = kind.stages.flatMap((stage) => [stage.name, ...(stage.renamedFrom ?? [])]);
  const later = kind.stages.find((stage) => stage.renamedFrom?.includes(name));
  if (later) {
    const message = `renamedFrom of "${kind.name}/${later.name}" names "${name}", which is a stage of the kind.`;
    throw new AppError("kind-invalid", message);
  }
  const taken = names.find((earlier) => earlier === name || others.includes(earlier));
  if (taken === undefined) return names;
  throw new AppError(
    "kind-invalid",
    `renamedFrom of "${kind.name}/${name}" names "${taken}", which is a stage of the kind.`,
  );
}

const CONTRACT_OPTIONS = [
  "name",
  "payload",
  "examples",
  "uniqueKey",
  "ifUnique",
  "recall",
] as const satisfies (keyof ContractOptions<AnySchema>)[];

export const JOB_OPTIONS = [
  "retention",
  "inputFailures",
  "keep",
  "maxCrashes",
  "pinned",
  "use",
] as const satisfies (keyof WorkOptions)[];

const KIND_OPTIONS = [...CONTRACT_OPTIONS, ...JOB_OPTIONS];

const WORK_OPTIONS = ["isolation", "run", "module", "renamedFrom", "use"];

const STAGE_OPTIONS = [
  "processors",
  "timeoutMs",
  "maxAttempts",
  "retry",
  "pace",
  "retryTimeouts",
  "timeoutMessage",
  "slow",
  "memoryMb",
  "spares",
  "recycle",
  "confined",
  "env",
] as const satisfies Exclude<keyof StageOptions, "renamedFrom">[];

function checkStage(stage: string, options: AnyStage): void {
  const { processors, timeoutMs, maxAttempts, memoryMb, spares, slow, recycle } = options;
  const whole = {
    processors,
    timeoutMs,
    maxAttempts,
    memoryMb,
    ...(slow && { "slow.afterMs": slow.afterMs, "slow.processors": slow.processors }),
    ...(recycle && { "recycle.afterJobs": recycle.afterJobs, "recycle.aboveMb": recycle.aboveMb }),
  };
  for (const [what, value] of Object.entries(whole)) {
    if (value === undefined || (Number.isInteger(value) && value > 0)) continue;
    throw new AppError("kind-invalid", `${what} of "${stage}" must be a whole number above 0.`);
  }
  if (spares !== undefined && !(Number.isInteger(spares) && spares >= 0))
    throw new AppError("kind-invalid", `spares of "${stage}" must be a whole number.`);
  checkMiddleware(stage, options.use);
  checkPauses(stage, options);
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

/** Names of kinds, stages and spaces of records. */
export const NAME = /^[a-z][a-z0-9-]{0,63}$/;
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
      "Use a schema of zod, valibot or arktype. z.unknown() accepts anything.",
    );
  }
  if (options.uniqueKey !== undefined && typeof options.uniqueKey !== "function")
    throw wrong("uniqueKey must be a function.");
  if (options.ifUnique !== undefined && !["refuse", "join", "follow"].includes(options.ifUnique))
    throw wrong('ifUnique must be "refuse", "join" or "follow".');
  if (options.recall !== undefined && typeof options.recall !== "function") throw wrong("recall must be a function.");
  checkWork(options.name, options);
}

export function checkWork(kind: string, options: WorkOptions): void {
  const { keep, maxCrashes, retention, inputFailures, pinned } = options;
  const wrong = (message: string) => new AppError("kind-invalid", `The kind "${kind}": ${message}`);
  if (keep !== undefined && keep !== "none") throw wrong('keep must be "none" if it is set.');
  if (pinned !== undefined && typeof pinned !== "boolean") throw wrong("pinned must be true or false.");
  checkMiddleware(kind, options.use);
  if (
    inputFailures !== undefined &&
    !(Array.isArray(inputFailures) && inputFailures.every((code) => typeof code === "string"))
  )
    throw wrong("inputFailures must be an array of strings.");
  for (const [name, value] of Object.entries({ maxCrashes, ...retention })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 0)) throw wrong(`${name} must be a whole number.`);
  }
}

function checkName(what: string, name: string): void {
  if (typeof name === "string" && NAME.test(name)) return;
  throw new AppError("kind-invalid", `Invalid ${what} name "${name}".`, {
    hint: "Use lower-case letters, digits and dashes, starting with a letter, at most 64 characters.",
  });
}
