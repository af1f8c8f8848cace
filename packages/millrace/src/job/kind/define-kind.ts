import { AppError } from "../../lib/app-error.ts";
import type { Processor, UndoHandler } from "../context.ts";
import type { Concurrency, ConcurrencyBounds } from "../options/concurrency-options.ts";
import type { KindOptions, WorkOptions } from "../options/kind-options.ts";
import { DEFAULT_OPTIONS } from "../options/kind-options.ts";
import { STAGE_OPTIONS, type StageOptions } from "../options/stage-options.ts";
import type {
  AnyModule,
  Contract,
  InlineStage,
  IsNotGiven,
  IsolatedStage,
  NotGiven,
  NoUndos,
  StagedKind,
  StageOutput,
} from "./builder.ts";
import { checkContract, checkKind, checkName, checkStage, checkStageName } from "./check-kind.ts";
import type {
  AnySchema,
  Kind,
  NoSignals,
  PayloadInput,
  PayloadOutput,
  SignalInputs,
  SignalSchemas,
  SignalValues,
  Stage,
} from "./kind.ts";
import type { AnyMiddleware } from "./middleware.ts";

/** No processor yet: `.stage(name, {...})` adds the stages. */
interface NoStage {
  stage?: never;
  run?: never;
  module?: never;
  result?: never;
}

/** A kind with a `result` is a contract. Its processors and their options belong to `work(contract, ...)`. */
type ContractShape<R> = {
  [Option in Exclude<keyof WorkOptions, "concurrency"> | "stage" | "run" | "module"]?: never;
} & {
  /** The key alone: the numbers belong to the work. */
  concurrency?: { [Bound in keyof ConcurrencyBounds]?: never };
  /** Any Standard Schema. The last stage must return what it accepts. */
  result: R;
};

type DefinedKind<S extends AnySchema, Output, Module, R extends AnySchema, G extends SignalSchemas> = [R] extends [
  never,
]
  ? [IsNotGiven<Output>, [Module] extends [never] ? true : false] extends [true, true]
    ? StagedKind<S, PayloadOutput<S>, G>
    : Kind<PayloadInput<S>, StageOutput<Output, Module>, SignalInputs<G>>
  : Contract<S, R, G>;

/**
 * Defines a kind of job.
 *
 * - With `run`: a kind of one stage. `stage` is the word shown while it runs (default: running).
 * - Without a processor: chain `.stage(name, {...})` for each stage.
 * - With a `result` schema: a contract without processors. `work(contract, { run })` adds them where they run.
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
  G extends SignalSchemas = NoSignals,
  Undos = NoUndos,
>(
  options: KindOptions<S, G> &
    (
      | ({ stage?: string; result?: never } & (
          | InlineStage<PayloadOutput<S>, PayloadOutput<S>, Output, SignalValues<G>, Undos>
          | IsolatedStage<Module, PayloadOutput<S>>
        ))
      | NoStage
      | ContractShape<R>
    ),
): DefinedKind<S, Output, Module, R, G>;
export function defineKind(options: AnyKindOptions): Kind {
  checkName("kind", options?.name);
  if (options.result !== undefined) {
    checkContract(options.name, options);
    return kindOf(options);
  }
  const hasStage = Boolean(options.run || options.module);
  checkKind(options.name, options, { hasStage });
  const kind = kindOf(options);
  return hasStage ? withProcessor(kind, options) : chain(kind);
}

/** A kind of one stage, whose options are given with those of the kind. Its middleware is the kind's. */
export function withProcessor(kind: Kind, { use: _use, stage = "running", ...options }: SoleStage): Kind {
  return closed(withStage(kind, stage, options as AnyStage, { ofKind: true }));
}

type AnyKindOptions = KindOptions<AnySchema> & { result?: AnySchema } & SoleStage;

/** The stage of a kind that has only one, and its name. */
export type SoleStage = { stage?: string } & Partial<AnyStage>;

type AnyStage = StageOptions & {
  use?: readonly AnyMiddleware[];
  isolation?: "inline" | "process";
  run?: Processor<never, never, unknown>;
  module?: AnyModule;
  undo?: Readonly<Record<string, UndoHandler>>;
};

function kindOf(options: AnyKindOptions): Kind {
  const {
    name,
    payload,
    result,
    examples = [],
    signals,
    uniqueKey,
    ifUnique,
    debounce,
    throttle,
    recall,
    concurrency,
    ...work
  } = options;
  return {
    name,
    schema: payload,
    examples,
    signals,
    uniqueKey: uniqueKey as Kind["uniqueKey"],
    ifUnique: ifUnique === "refuse" ? undefined : ifUnique,
    concurrencyKey: concurrency?.key as Kind["concurrencyKey"],
    debounce: debounce as Kind["debounce"],
    throttle: throttle as Kind["throttle"],
    recall: recall as Kind["recall"],
    defaults: defaultsIn(options),
    ...workOf({ ...work, ...(concurrency && { concurrency: boundsOf(concurrency) }) }),
    result,
    stages: [],
  };
}

function defaultsIn(options: AnyKindOptions): Kind["defaults"] {
  const names = Object.keys(DEFAULT_OPTIONS) as (keyof typeof DEFAULT_OPTIONS)[];
  return Object.fromEntries(names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
}

function boundsOf({ key: _key, ...bounds }: Concurrency<never>): ConcurrencyBounds {
  return bounds;
}

/** The part of a kind that says how its jobs run and are kept. */
export function workOf({
  retention = {},
  inputFailures = [],
  keep,
  maxCrashes,
  pinned = false,
  concurrency = {},
  use = [],
}: WorkOptions) {
  return { retention, inputFailures, keep, maxCrashes, pinned, concurrency, use };
}

export function chain(kind: Kind): Kind & { stage(name: string, stage: AnyStage): Kind } {
  return { ...kind, stage: (name, stage) => chain(withStage(kind, name, stage, { ofKind: false })) };
}

/** A kind with a `run` function is complete. `.stage()`, which only plain JavaScript can call, throws an error that says so. */
function closed(kind: Kind): Kind {
  const stage = () => {
    throw new AppError("kind-invalid", `The kind "${kind.name}" has a run function, so it cannot have stages.`, {
      hint: "Move run into the first .stage(name, { run }).",
    });
  };
  return Object.defineProperty(kind, "stage", { value: stage });
}

function withStage(kind: Kind, name: string, options: AnyStage, { ofKind }: { ofKind: boolean }): Kind {
  checkStageName(kind, name);
  checkStage(kind.name, name, options, { ofKind });
  const renamedFrom = earlierNames(kind, name, options.renamedFrom);
  const { renamedFrom: _names, ...settings } = settingsIn(options);
  const stage: Stage = {
    ...settings,
    name,
    ...(renamedFrom.length > 0 && { renamedFrom }),
    ...(options.use && { use: options.use }),
    ...(options.undo && { undo: options.undo }),
    work: processorOf(`${kind.name}/${name}`, options),
  };
  return { ...kind, stages: [...kind.stages, stage] };
}

/** The options that are the stage's own: those of a whole kind have the kind's among them. */
function settingsIn(options: AnyStage): StageOptions {
  const given = Object.entries(options).filter(([name, value]) => name in STAGE_OPTIONS && value !== undefined);
  return Object.fromEntries(given);
}

function earlierNames(kind: Kind, name: string, given: StageOptions["renamedFrom"] = []): string[] {
  const names = typeof given === "string" ? [given] : [...given];
  for (const earlier of names) checkName("stage", earlier);
  const others = kind.stages.flatMap((stage) => [stage.name, ...(stage.renamedFrom ?? [])]);
  const later = kind.stages.find((stage) => stage.renamedFrom?.includes(name));
  if (later) throw takenName(kind, later.name, name);
  const taken = names.find((earlier) => earlier === name || others.includes(earlier));
  if (taken !== undefined) throw takenName(kind, name, taken);
  return names;
}

function takenName(kind: Kind, stage: string, taken: string): AppError {
  const message = `renamedFrom of "${kind.name}/${stage}" names "${taken}", which is a stage of the kind.`;
  return new AppError("kind-invalid", message);
}

function processorOf(stage: string, { isolation, run, module, undo }: AnyStage): Stage["work"] {
  if (isolation === "process") {
    if (!module) {
      throw new AppError("kind-invalid", `The isolated stage "${stage}" needs a module.`, {
        hint: 'module: new URL("./work.ts", import.meta.url), whose default export is the processor.',
      });
    }
    if (undo) {
      throw new AppError("kind-invalid", `The isolated stage "${stage}" cannot have the option "undo".`, {
        hint: "Export the handlers from its module: export const undo = { refund: async (ctx, receipt) => { … } }.",
      });
    }
    return { in: "process", module: module instanceof URL ? module : module.url };
  }
  if (!run) throw new AppError("kind-invalid", `The stage "${stage}" needs a run function.`);
  return { in: "here", run: run as Processor<unknown, unknown, unknown> };
}
