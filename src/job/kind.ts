import type { StandardSchemaV1 } from "@standard-schema/spec";
import { AppError } from "../lib/app-error.ts";
import { SYNONYMS } from "../lib/check.ts";
import { unknownOption } from "../lib/did-you-mean.ts";
import type { Jsonified } from "../lib/jsonified.ts";
import type { Processor } from "./context.ts";
import type { Pace } from "./plan.ts";

export type AnySchema = StandardSchemaV1;
export type In<S extends AnySchema> = StandardSchemaV1.InferInput<S>;
export type Out<S extends AnySchema> = StandardSchemaV1.InferOutput<S>;

/** How one stage runs; whatever is missing comes from the settings. */
export interface StageOptions {
  /** Earlier names of this stage. Its processors also take jobs at these names, with their steps, answers and holds. */
  renamedFrom?: string | readonly string[];
  processors?: number;
  timeoutMs?: number;
  maxAttempts?: number;
  retry?: { baseMs?: number; maxMs?: number };
  /** `{ count: 3, perMs: 5000 }`: at most 3 starts in 5 s over all processes. */
  pace?: Pace;
  /** false: a timeout is a permanent failure. */
  retryTimeouts?: boolean;
  /** What a person reads of an attempt past its time; `{ms}` stands for that. Default: `Timed out after {ms} ms.` */
  timeoutMessage?: string;
  /**
   * An attempt that takes longer than this moves to one of so many further places, so that short ones need not wait behind
   * long ones. Without a place it goes back to the queue after four times as long, and no attempt is burned.
   */
  slow?: { afterMs: number; processors: number };
  /** Isolated processors only: a child above this is killed. */
  memoryMb?: number;
  /** Isolated processors only: children kept warm beside those at work; one takes the place of a child that is killed. */
  spares?: number;
  /** Isolated processors only: a child is replaced after so many jobs, or when idle above so much memory. */
  recycle?: { afterJobs?: number; aboveMb?: number };
  /** Isolated processors only: an empty environment, no network and no writing to files, as far as the system allows. */
  confined?: boolean;
  /** Isolated processors only: set in the environment of the children. */
  env?: Readonly<Record<string, string>>;
}

export interface InlineStage<Payload, Input, Output> extends StageOptions {
  isolation?: "inline";
  run: Processor<Payload, Input, Output>;
  module?: never;
}

/** Its processors are child processes that load `module` and call its default export. */
export interface IsolatedStage<Module> extends StageOptions {
  isolation: "process";
  module: Module;
  run?: never;
}

export type AnyModule = URL | ModuleOf<unknown>;

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

export interface KindOptions<S extends AnySchema> extends ContractOptions<S>, WorkOptions {}

/** Options that Millrace reads when a job is submitted. */
export interface ContractOptions<S extends AnySchema> {
  name: string;
  /** Any Standard Schema: zod, valibot, arktype ... Parsed at submission, and again when claimed. */
  payload: S;
  /** Payloads to show and to start from. */
  examples?: readonly In<S>[];
  /** While a job with this key is pending or running, a second submission is refused, joins it, or follows it. */
  uniqueKey?: (payload: Out<S>) => string | undefined;
  /**
   * "join": a second submission is answered with the job that is there. "follow": it gets a job of its own without the key,
   * and the processor asks for the key with `ctx.unique`. Default: it is refused.
   */
  ifUnique?: "refuse" | "join" | "follow";
  /** Asked before a job is stored: where the result is known, the job is stored as completed and nothing runs. */
  recall?: (payload: Out<S>, memory: Memory) => Promise<Recalled | undefined>;
}

/** Options that Millrace reads in worker processes. */
export interface WorkOptions {
  retention?: { finishedMs?: number; deadLetterMs?: number };
  /** Codes of failures that nobody would revive, such as "timed-out": kept as long as results, and no dead letters. */
  inputFailures?: readonly string[];
  /** "none": a completed job is deleted as it settles. */
  keep?: "none";
  maxCrashes?: number;
  /** true: a job runs only in the deployment under which it was submitted. Default: false, any worker with its stage. */
  pinned?: boolean;
}

/** The shared artifacts, as the tenant of a submission sees them. */
export interface Memory {
  readonly tenant: string;
  /** The tenant's link to what is kept under the key, and what its maker said of it; undefined when nothing is kept. */
  link(key: string): Promise<{ link: string; info: unknown } | undefined>;
}

/** A result that a shared artifact holds: `share` is the key of that. */
export interface Recalled {
  result: unknown;
  share: string;
}

/** A kind whose first stage takes its payload and whose last stage gives its result. */
export interface Kind<Input = unknown, Result = unknown> {
  readonly name: string;
  readonly schema: AnySchema;
  readonly examples: readonly unknown[];
  readonly uniqueKey: ((payload: never) => string | undefined) | undefined;
  readonly ifUnique: "join" | "follow" | undefined;
  readonly recall: ((payload: never, memory: Memory) => Promise<Recalled | undefined>) | undefined;
  readonly retention: { finishedMs?: number; deadLetterMs?: number };
  readonly inputFailures: readonly string[];
  readonly keep: "none" | undefined;
  readonly maxCrashes: number | undefined;
  readonly pinned: boolean;
  /** The schema of the result, if the kind is a contract or was made from one by `work()`. */
  readonly result: AnySchema | undefined;
  /** Empty for a contract: its jobs run in other processes. */
  readonly stages: readonly Stage[];
  /** Only for the compiler: what goes in and what comes out. */
  readonly types?: { input: Input; result: Result };
  /** For the compiler only: set when the last stage does not return the contract's result. */
  readonly mismatch?: undefined;
}

/** A stage as the pools see it. */
export interface Stage extends Omit<StageOptions, "renamedFrom"> {
  readonly name: string;
  readonly renamedFrom?: string[];
  readonly work: { in: "process"; module: URL } | { in: "here"; run: Processor<unknown, unknown, unknown> };
}

/** A kind under construction: each `.stage()` receives what the one before it returned. */
export interface StagedKind<S extends AnySchema, Last> extends Kind<In<S>, Last> {
  stage<Output = NotGiven, Module extends AnyModule = never>(
    name: string,
    stage: InlineStage<Out<S>, Last, Output> | IsolatedStage<Module>,
  ): StagedKind<S, Given<Output, Module>>;
}

// One signature each and no overloads: of a call that fits none, the compiler explains the last one alone, and that a
// `run` with a wrongly annotated input "does not exist" in the options of an isolated stage helps nobody.

export declare const notGiven: unique symbol;
/** Nothing was inferred. Not `never`, which is what a processor that always defers returns. */
export type NotGiven = typeof notGiven;
type IsNotGiven<T> = [NotGiven] extends [T] ? (unknown extends T ? false : true) : false;
/** What a stage gives to the next one, and at the end to `wait()`: what JSON makes of its function's or module's answer. */
export type Given<Output, Module> = Jsonified<
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

/** A kind without processors: enough to submit, wait and read jobs with full types. */
export interface Contract<S extends AnySchema, R extends AnySchema> extends Kind<In<S>, Jsonified<Out<R>>> {
  readonly result: AnySchema;
  /** Only for the compiler. */
  readonly schemas?: { payload: S; result: R };
}

type Defined<S extends AnySchema, Output, Module, R extends AnySchema> = [R] extends [never]
  ? [IsNotGiven<Output>, [Module] extends [never] ? true : false] extends [true, true]
    ? StagedKind<S, Out<S>>
    : Kind<In<S>, Given<Output, Module>>
  : Contract<S, R>;

/**
 * A kind of one stage: its options and its processor in one object; `stage` is the word shown while it runs.
 * A kind of several: leave the processor out and chain `.stage(name, {...})`.
 * A contract: a `result` schema in place of the processor; `work(contract)` adds the stages where they run.
 */
export function defineKind<
  S extends AnySchema,
  Output = NotGiven,
  Module extends AnyModule = never,
  R extends AnySchema = never,
>(
  options: KindOptions<S> &
    (
      | ({ stage?: string; result?: never } & (InlineStage<Out<S>, Out<S>, Output> | IsolatedStage<Module>))
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
    result: undefined,
    stages: [],
  };
  if (isWhole) {
    return closed(withStage(base, options.stage ?? "running", options as AnyStage));
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
    result,
    stages: [],
  };
}

export type AnyStage = StageOptions & {
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
    throw new AppError("kind-invalid", `The kind "${kind.name}" has a processor of its own, so it takes no stages.`, {
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
    throw new AppError("kind-invalid", `The kind "${kind.name}" has two stages called "${name}".`);
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
] as const satisfies (keyof WorkOptions)[];

const KIND_OPTIONS = [...CONTRACT_OPTIONS, ...JOB_OPTIONS];

const WORK_OPTIONS = ["isolation", "run", "module", "renamedFrom"];

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
      "zod, valibot and arktype schemas are. z.unknown() accepts anything.",
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
