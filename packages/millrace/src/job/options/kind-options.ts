import {
  anything,
  callable,
  FOREVER,
  group,
  ms,
  type OptionValues,
  onOff,
  other,
  whole,
  wholeGroup,
  word,
} from "../../lib/options/option.ts";
import type { AnySchema, Memory, PayloadInput, PayloadOutput, RecalledResult, SignalSchemas } from "../kind/kind.ts";
import { MIDDLEWARE, type Middleware } from "../kind/middleware.ts";
import {
  CONTRACT_CONCURRENCY,
  type Concurrency,
  type ConcurrencyBounds,
  type ConcurrencyKey,
  WORK_CONCURRENCY,
} from "./concurrency-options.ts";
import { SUBMIT_OPTIONS } from "./submit-options.ts";

/** The options of a submission that a kind can set for all its jobs. */
export const DEFAULT_OPTIONS = {
  /**
   * Fail a job with `deadline` if it has not ended within this time, in milliseconds, counted from its submission. The
   * option `deadlineMs` of a submission replaces it. Default: no deadline.
   */
  deadlineMs: SUBMIT_OPTIONS.deadlineMs,
} as const;

const YEAR_MS = 366 * 24 * 3_600_000;

/** The options of a kind where jobs are submitted. Their types depend on the payload: see `ContractOptions`. */
export const CONTRACT_OPTIONS = {
  name: anything(),
  payload: other("a Standard Schema", isSchema),
  examples: other("an array", Array.isArray),
  signals: other("an object of Standard Schemas", isSchemas),
  uniqueKey: callable(),
  ifUnique: word("refuse", "join", "replace", "extend", "follow"),
  debounce: group({ key: callable(), waitMs: ms(1, YEAR_MS), maxWaitMs: ms(1, YEAR_MS) }),
  throttle: wholeGroup({ key: callable(), perMs: ms(1, YEAR_MS) }),
  recall: callable(),
  concurrency: CONTRACT_CONCURRENCY,
  ...DEFAULT_OPTIONS,
} as const;

/** The options of a kind where jobs run that are the same for all payloads. */
const JOB_OPTIONS = {
  /** How long jobs of this kind are kept after their end. Default: the engine's settings. */
  retention: group({
    /** Completed and cancelled jobs, in milliseconds. Default: the engine's `finishedRetentionMs`, 7 days. */
    finishedMs: ms(0, FOREVER),
    /** Failed jobs (dead letters), in milliseconds. Default: the engine's `deadLetterRetentionMs`, 30 days. */
    deadLetterMs: ms(0, FOREVER),
  }),
  /**
   * Codes of failures that a retry by a person would not fix, such as "timed-out". Jobs that fail with one are kept as
   * long as results and are not dead letters. Default: none.
   */
  inputFailures: other<readonly string[]>("an array of strings", isStrings),
  /**
   * "none": a job is deleted as soon as it completes; only a `wait()` in the process that ran it receives the result.
   * Default: jobs are kept for `retention`.
   */
  keep: other<"none">('"none" if it is set', (value) => value === "none"),
  /**
   * How often a stage of a job may take its process down before the job can become a dead letter. Default: the engine's
   * `maxCrashes`, 3.
   */
  maxCrashes: whole(0, FOREVER),
  /**
   * `true`: a job runs only in the deployment under which it was submitted. Default: false, any worker that has its
   * stage.
   */
  pinned: onOff(),
} as const;

/** Every option of a kind where jobs run. */
export const WORK_OPTIONS = { ...JOB_OPTIONS, concurrency: WORK_CONCURRENCY, use: MIDDLEWARE } as const;

/**
 * Options of `defineKind()`: those of a contract and those of the work. A kind of one stage also takes `run` (or
 * `isolation` and `module`), `stage` and all `StageOptions`.
 */
export interface KindOptions<S extends AnySchema, G extends SignalSchemas = SignalSchemas>
  extends Omit<ContractOptions<S, G>, "concurrency">,
    Omit<WorkOptions<PayloadOutput<S>>, "concurrency"> {
  /**
   * How many jobs of the kind run at the same time, in all and for each key, across all processes. Default: no limit
   * beside the number of processors.
   */
  concurrency?: Concurrency<PayloadOutput<S>>;
}

/** How a kind runs the last of many submissions. */
export interface Debounce<Payload = never> {
  /** What the submissions have in common. Return undefined for a job that starts at once. */
  key: (payload: Payload) => string | undefined;
  /** The job starts this long after the last submission, in milliseconds. */
  waitMs: number;
  /** It starts this long after the first submission at the latest, in milliseconds. Default: no limit. */
  maxWaitMs?: number;
}

/** How a kind runs the first of many submissions. */
export interface Throttle<Payload = never> {
  /** What the submissions have in common. Return undefined for a job that runs in any case. */
  key: (payload: Payload) => string | undefined;
  /** How long the first submission stands for the others, in milliseconds. */
  perMs: number;
}

/** Options of a kind that matter where jobs are submitted. */
export interface ContractOptions<S extends AnySchema, G extends SignalSchemas = SignalSchemas>
  extends OptionValues<typeof DEFAULT_OPTIONS> {
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
   * Signals that jobs of the kind wait for, by name, each with the schema of its value. They are typed, and a value that
   * does not fit is refused where it is sent. Default: none, so a value of any signal is any JSON.
   */
  signals?: G;
  /**
   * A key for what the job works on. Only one live job of the kind and tenant can have the same key. Return undefined
   * for no key. Default: no key.
   */
  uniqueKey?: (payload: PayloadOutput<S>) => string | undefined;
  /**
   * A submission whose unique key is taken: "refuse" throws `already-queued` or `already-processing`; "join" returns
   * the job that has the key; "replace" gives a job that was never claimed the new payload and time, and "extend" the new
   * time alone. If the job was claimed before, both store a follower, which starts when the job has ended. "follow" stores
   * a job without the key, whose processor asks for it with `ctx.unique()`. Default: "refuse".
   */
  ifUnique?: "refuse" | "join" | "replace" | "extend" | "follow";
  /**
   * Of many submissions with one key, only the last one runs, once no other has come for `waitMs`. It excludes `uniqueKey`,
   * and `runAt` and `delayMs` of a submission. Default: none.
   */
  debounce?: Debounce<PayloadOutput<S>>;
  /**
   * Of many submissions with one key, the first one runs. Until `perMs` after it, the others are answered with its id, even
   * if it has ended. It excludes `uniqueKey`. Default: none.
   */
  throttle?: Throttle<PayloadOutput<S>>;
  /**
   * Called before a job is stored. If it returns a known result, the job is stored as completed and nothing runs.
   * Default: none.
   */
  recall?: (payload: PayloadOutput<S>, memory: Memory) => Promise<RecalledResult | undefined>;
  /**
   * The key by which the jobs of the kind keep out of each other's way. How many run at the same time belongs to the
   * worker: `work(contract, { concurrency })`. Default: no key.
   */
  concurrency?: ConcurrencyKey<PayloadOutput<S>>;
}

/** Options of a kind that matter in worker processes. */
export interface WorkOptions<Payload = unknown> extends OptionValues<typeof JOB_OPTIONS> {
  /**
   * Middleware around the processors of all stages, the first outermost, inside that of `Millrace.open()`. Default: none.
   */
  use?: readonly Middleware<Payload>[];
  /**
   * How many jobs of the kind run at the same time, across all processes. Of several deployments, the worker with the
   * highest number decides. Default: no limit beside the number of processors.
   */
  concurrency?: ConcurrencyBounds;
}

function isSchemas(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every(isSchema);
}

export function isSchema(value: unknown): boolean {
  return typeof (value as { "~standard"?: { validate?: unknown } } | undefined)?.["~standard"]?.validate === "function";
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
