import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Jsonified } from "../../lib/json/jsonified.ts";
import type { OptionValues } from "../../lib/options/option.ts";
import type { Processor, UndoHandler } from "../context.ts";
import type { ConcurrencyBounds } from "../options/concurrency-options.ts";
import type { DEFAULT_OPTIONS, Debounce, Throttle, WorkOptions } from "../options/kind-options.ts";
import type { StageOptions } from "../options/stage-options.ts";
import type { AnyMiddleware } from "./middleware.ts";

/** Any Standard Schema: zod, valibot, arktype and others. */
export type AnySchema = StandardSchemaV1;
/** What a schema accepts: the type that `submit()` takes. */
export type PayloadInput<S extends AnySchema> = StandardSchemaV1.InferInput<S>;
/** What a schema gives: the type that the first stage receives. */
export type PayloadOutput<S extends AnySchema> = StandardSchemaV1.InferOutput<S>;

/** The signals that a kind declares: the schema of each, by its name. */
export type SignalSchemas = Readonly<Record<string, AnySchema>>;
/** No signals are declared. */
export type NoSignals = Record<never, never>;
/** What `millrace.signal()` takes for each declared signal. */
export type SignalInputs<G extends SignalSchemas> = { [Name in keyof G]: StandardSchemaV1.InferInput<G[Name]> };
/** What `ctx.waitForSignal()` gives for each declared signal. */
export type SignalValues<G extends SignalSchemas> = {
  [Name in keyof G]: Jsonified<StandardSchemaV1.InferOutput<G[Name]>>;
};

/**
 * A kind of job. Its first stage takes the payload, and its last stage gives the result. `defineKind()` and `work()`
 * return one.
 */
export interface Kind<Input = unknown, Result = unknown, Signals = unknown> {
  /** The name of the kind. */
  readonly name: string;
  /** The schema of the payload. */
  readonly schema: AnySchema;
  /** Example payloads. */
  readonly examples: readonly unknown[];
  /** The schemas of the signals that the kind declares, by name. */
  readonly signals: SignalSchemas | undefined;
  /** The function that gives a job its unique key. */
  readonly uniqueKey: ((payload: never) => string | undefined) | undefined;
  /** What happens to a submission whose unique key is taken. Undefined: it is refused. */
  readonly ifUnique: "join" | "replace" | "extend" | "follow" | undefined;
  /** How the last of many submissions is run. */
  readonly debounce: Debounce | undefined;
  /** How the first of many submissions is run. */
  readonly throttle: Throttle | undefined;
  /** The function that gives a job its concurrency key. */
  readonly concurrencyKey: ((payload: never) => string | undefined) | undefined;
  /** How many of its jobs run at the same time. */
  readonly concurrency: ConcurrencyBounds;
  /** The function that finds a known result. */
  readonly recall: ((payload: never, memory: Memory) => Promise<RecalledResult | undefined>) | undefined;
  /** The options that its jobs have unless their submission sets them. */
  readonly defaults: OptionValues<typeof DEFAULT_OPTIONS>;
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
  /** For the compiler only: the types of payload, result and signals. */
  readonly types?: {
    /** What `submit()` takes. */
    input: Input;
    /** What `wait()` returns. */
    result: Result;
    /** What `signal()` takes, by the name of the signal. */
    signals: Signals;
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
  /** The handlers that undo its steps, by name. Those of an isolated stage are in its module. */
  readonly undo?: Readonly<Record<string, UndoHandler>>;
  /** The processor: a function in this process, or a module for child processes. */
  readonly work: { in: "process"; module: URL } | { in: "here"; run: Processor<unknown, unknown, unknown> };
}

/** The shared artifacts, as the tenant of a submission sees them. `recall` receives it. */
export interface Memory {
  /** The tenant of the submission. */
  readonly tenant: string;
  /** The tenant's link to the artifact under this key, and the JSON stored with it. Undefined if nothing is kept. */
  link(key: string): Promise<{ link: string; info: unknown } | undefined>;
}

/** A result that is already known. */
export interface RecalledResult {
  /** The result of the job. */
  result: unknown;
  /** The key of the shared artifact that holds it. */
  share: string;
}
