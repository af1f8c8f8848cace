import {
  anyText,
  callable,
  FOREVER,
  group,
  isObject,
  ms,
  type Option,
  type OptionValues,
  onOff,
  other,
  whole,
  wholeGroup,
  word,
} from "../../lib/options/option.ts";
import { MIDDLEWARE } from "../kind/middleware.ts";
import type { Pace } from "../kind/pace.ts";

export const MOST_PROCESSORS = 10_000;

const PACE_OPTIONS = { count: whole(1, FOREVER), perMs: ms(1, FOREVER) } as const;

/** At most `count` in any `perMs` milliseconds, judged as one value. */
export const COUNT_IN_PERIOD = other<Pace>("an object with count and perMs as whole numbers above 0", (value) => {
  if (!isObject(value)) return false;
  const { count, perMs } = value as Partial<Pace>;
  return PACE_OPTIONS.count.accepts(count) && PACE_OPTIONS.perMs.accepts(perMs);
});

/** Every option of a stage that is the same for all payloads. */
export const STAGE_OPTIONS = {
  /**
   * Earlier names of this stage. Its processors also take jobs that wait under these names, with their steps, answers
   * and holds. Default: none.
   */
  renamedFrom: other<string | readonly string[]>("the name of a stage, or an array of names", isNames),
  /**
   * How many jobs of this stage run at the same time in each process, 1 to 10,000. Default: the engine's `processors`,
   * 10.
   */
  processors: whole(1, FOREVER),
  /** How long one attempt may take, in milliseconds. Default: the engine's `timeoutMs`, 300,000. */
  timeoutMs: ms(1, FOREVER),
  /** Attempts before the job fails, including the first. Default: the engine's `maxAttempts`, 3. */
  maxAttempts: whole(1, FOREVER),
  /** The pauses between attempts. Default: the engine's `retryBaseMs` and `retryMaxMs`. */
  retry: group({
    /** The longest pause before the first retry, in milliseconds; doubled for each further one. Default: 1,000. */
    baseMs: ms(0, FOREVER),
    /** The longest pause before any retry, in milliseconds. Default: 300,000. */
    maxMs: ms(0, FOREVER),
  }),
  /**
   * At most `count` starts in any `perMs` milliseconds, across all processes: `{ count: 3, perMs: 5000 }`. Default: no
   * limit.
   */
  pace: wholeGroup(PACE_OPTIONS) as Option<Pace, undefined>,
  /** `false`: a timeout fails the job permanently. Default: true. */
  retryTimeouts: onOff(),
  /**
   * What people read about an attempt that timed out; `{ms}` stands for the limit. Default: `Timed out after {ms} ms.`
   */
  timeoutMessage: anyText(),
  /**
   * Moves long attempts out of the way of short ones: after `afterMs` an attempt continues in one of `processors` extra
   * places. If none is free it goes back to the queue after four times as long, without using up an attempt. Default: off.
   */
  slow: wholeGroup({
    /** An attempt is long after this time, in milliseconds. */
    afterMs: ms(1, FOREVER),
    /** The number of extra places for long attempts. */
    processors: whole(1, FOREVER),
  }),
  /** Isolated processors only: a child process that uses more than this is killed, in MiB. Default: no limit. */
  memoryMb: whole(1, FOREVER),
  /**
   * Isolated processors only: idle child processes kept ready beside those at work. One takes the place of a child that
   * is killed. Default: 0.
   */
  spares: whole(0, FOREVER),
  /** Isolated processors only: when to replace a child process by a new one. Default: never. */
  recycle: group({
    /** After this number of jobs. Default: never. */
    afterJobs: whole(1, FOREVER),
    /** When it is idle and uses more memory than this, in MiB. Default: never. */
    aboveMb: whole(1, FOREVER),
  }),
  /**
   * Isolated processors only: an empty environment, no network and no writing to files, as far as the system allows.
   * `confinement()` says what this machine can do. Default: false.
   */
  confined: onOff(),
  /** Isolated processors only: variables for the environment of the child processes. Default: none. */
  env: other<Readonly<Record<string, string>>>("an object of strings", isObject),
} as const;

/** How one stage runs. Missing values come from the engine's settings. */
export interface StageOptions extends OptionValues<typeof STAGE_OPTIONS> {}

/** What does the work of a stage. Its types depend on the payload: see `InlineStage` and `IsolatedStage`. */
export const STAGE_WORK = {
  isolation: word("inline", "process"),
  run: callable(),
  module: other("a URL", isModule),
  use: MIDDLEWARE,
  undo: other("an object of functions", (value) => isObject(value) && Object.values(value).every(isFunction)),
} as const;

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function isNames(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"));
}

function isModule(value: unknown): boolean {
  return value instanceof URL || (isObject(value) && "url" in value && value.url instanceof URL);
}
