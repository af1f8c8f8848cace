import { LONGEST_TIMER_MS } from "../../lib/clock.ts";
import { problemsIn, unknownNames } from "../../lib/options/check.ts";
import {
  FOREVER,
  isObject,
  ms,
  type Option,
  type OptionValues,
  other,
  type WholeValues,
  whole,
  word,
} from "../../lib/options/option.ts";
import type { Kind } from "../kind/kind.ts";
import { COUNT_IN_PERIOD, MOST_PROCESSORS } from "./stage-options.ts";

const DAY_MS = 86_400_000;

/** The settings of one stage that an operator may change. */
const POOL_OPTIONS = {
  /** The number of processors. */
  size: whole(1, MOST_PROCESSORS),
  /** How long one attempt may take, in milliseconds. */
  timeoutMs: ms(1, FOREVER),
  /** The most starts in a period, across all processes. */
  pace: COUNT_IN_PERIOD,
} as const;

/** Every setting of the engine, with its default. */
export const SETTINGS = {
  /** The number of processors in each pool, 1 to 10,000. A stage's own `processors` comes first. Default: 10. */
  processors: setting(10, whole(1, MOST_PROCESSORS)),
  /**
   * How often to look for work that no signal announced, in milliseconds. A safety net: work normally starts at once.
   * Default: 100; 750 on PostgreSQL.
   */
  pollMs: setting(100, ms(1, LONGEST_TIMER_MS)),
  /**
   * How long the jobs of a process that stopped responding stay its own, in milliseconds, 100 to 86,400,000. After that
   * they run again elsewhere. Default: 15,000.
   */
  leaseMs: setting(15_000, ms(100, 86_400_000)),
  /** Attempts that a stage gets before its job fails, including the first, 1 to 1,000. Default: 3. */
  maxAttempts: setting(3, whole(1, 1_000)),
  /**
   * How often a stage of a job may take its process down before the job can become a dead letter, 1 to 1,000. At twice
   * this number it becomes one without further proof. Default: 3.
   */
  maxCrashes: setting(3, whole(1, 1_000)),
  /**
   * The longest pause before the first retry, in milliseconds. It doubles for each further retry; the actual pause is a
   * random part of it. Default: 1,000.
   */
  retryBaseMs: setting(1_000, ms(0, FOREVER)),
  /** The longest pause before any retry, in milliseconds. Default: 300,000, 5 minutes. */
  retryMaxMs: setting(300_000, ms(0, FOREVER)),
  /** How long one attempt may take where its stage sets no timeout, in milliseconds. Default: 300,000, 5 minutes. */
  timeoutMs: setting(300_000, ms(1, FOREVER)),
  /**
   * How long a completed or cancelled job is kept, in milliseconds. A kind's `retention` comes first. Default:
   * 604,800,000, 7 days.
   */
  finishedRetentionMs: setting(7 * DAY_MS, ms(0, FOREVER)),
  /** How long a failed job (a dead letter) is kept, in milliseconds. Default: 2,592,000,000, 30 days. */
  deadLetterRetentionMs: setting(30 * DAY_MS, ms(0, FOREVER)),
  /** The pause between two deletions of expired jobs, in milliseconds. Default: 60,000. */
  cleanupIntervalMs: setting(60_000, ms(1, LONGEST_TIMER_MS)),
  /** The pause between two health checks, in milliseconds. Default: 30,000. */
  healthIntervalMs: setting(30_000, ms(1, LONGEST_TIMER_MS)),
  /** How long `stop()` lets running attempts finish before it hands them back, in milliseconds. Default: 10,000. */
  shutdownGraceMs: setting(10_000, ms(0, LONGEST_TIMER_MS)),
  /** Maximum due jobs per stage. Beyond it, submissions are refused with `backpressure`; 0 means no limit. Default: 0. */
  queueMax: setting(0, whole(0, FOREVER)),
  /** Maximum submissions of one tenant in any minute; 0 means no limit. Default: 0. */
  maxNewJobsPerMinute: setting(0, whole(0, FOREVER)),
  /** Maximum running jobs of one tenant, across all processes; 0 means no limit. Default: 0. */
  maxConcurrentPerTenant: setting(0, whole(0, FOREVER)),
  /**
   * What happens to a submission of a tenant that has reached `maxConcurrentPerTenant`: "reject" refuses it with
   * `tenant-busy`, "queue" accepts it and lets it wait. Default: "reject".
   */
  tenantOverflow: setting("reject", word("reject", "queue")),
  /** Maximum ancestors of a child: its parent, the parent of its parent and so on; 0 means no limit. Default: 16. */
  maxChildDepth: setting(16, whole(0, FOREVER)),
  /** Maximum children of one job; 0 means no limit. Default: 10,000. */
  maxChildren: setting(10_000, whole(0, FOREVER)),
  /** Maximum jobs in one tree of parents and children; 0 means no limit. Default: 100,000. */
  maxTreeJobs: setting(100_000, whole(0, FOREVER)),
  /** Maximum kept events of one tenant; 0 means no limit. It is counted every ten seconds. Default: 100,000. */
  maxEventsPerTenant: setting(100_000, whole(0, FOREVER)),
  /** Maximum batches of one tenant that have not ended; 0 means no limit. Default: 10,000. */
  maxOpenBatchesPerTenant: setting(10_000, whole(0, FOREVER)),
  /** Maximum schedules of one tenant; 0 means no limit. Default: 1,000. */
  maxSchedulesPerTenant: setting(1_000, whole(0, FOREVER)),
  /**
   * Maximum finished jobs; 0 means no limit. Beyond it, the jobs that would expire first are deleted. Default:
   * 1,000,000.
   */
  jobKeepMax: setting(1_000_000, whole(0, FOREVER)),
  /** Maximum dead letters; 0 means no limit. Beyond it, the oldest are deleted. Default: 0. */
  dlqKeepMax: setting(0, whole(0, FOREVER)),
  /**
   * Room for shared artifacts, in bytes; 0 means no limit. Beyond it, artifacts that were not read for the longest time
   * go first, but none that a kept job refers to. Default: 1,073,741,824, 1 GiB.
   */
  sharedMaxBytes: setting(1024 ** 3, whole(0, FOREVER)),
  /** Maximum bytes of all streams of one job; 0 means no limit. Default: 16,777,216, 16 MiB. */
  maxStreamBytesPerJob: setting(16 * 1024 ** 2, whole(0, FOREVER)),
  /**
   * Maximum bytes of all streams of a tenant's jobs; 0 means no limit. Default: 1,073,741,824, 1 GiB.
   */
  maxStreamBytesPerTenant: setting(1024 ** 3, whole(0, FOREVER)),
  /**
   * How long a shared artifact that no kept job refers to is kept after it was last read, in milliseconds; 0 means no
   * limit. Default: 2,592,000,000, 30 days.
   */
  sharedKeepMs: setting(30 * DAY_MS, ms(0, FOREVER)),
  /**
   * How long a list or a search may take, including its wait for a turn, in milliseconds; 0 means no limit. Default:
   * 10,000.
   */
  queryTimeoutMs: setting(10_000, ms(0, LONGEST_TIMER_MS)),
  /**
   * PostgreSQL: how long a submission waits for another transaction that has submitted the same unique or idempotency
   * key and has not committed, in milliseconds. Then it is refused with `key-busy`. Default: 5,000.
   */
  lockTimeoutMs: setting(5_000, ms(0, LONGEST_TIMER_MS)),
  /**
   * "full": an accepted job survives a power cut. "normal": it survives a crash of the process, and writes cost less.
   * Default: "full".
   */
  durability: setting("full", word("full", "normal")),
  /**
   * What an operator sets for single stages, keyed by `kind/stage`. It takes precedence over the code of the kind.
   * Default: none.
   */
  pools: setting({}, other<Record<string, OptionValues<typeof POOL_OPTIONS>>>("an object", isObject)),
} as const;

/**
 * How the engine behaves where a kind does not set its own value. Pass any of them to `Millrace.open()`. A server reads
 * them from the environment instead.
 */
export interface Settings extends WholeValues<typeof SETTINGS> {}

/** The default of every setting, as `Millrace.open()` uses it. `pollMs` is 750 on PostgreSQL. */
export const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { fallback }]) => [name, fallback]),
) as unknown as Settings;

/** What is wrong with the settings, as sentences. */
export function settingsProblems(settings: Settings, kinds: readonly Kind[]): string[] {
  const known = Object.fromEntries(Object.entries(settings).filter(([name]) => name in SETTINGS));
  return [...problemsIn(SETTINGS, known), ...poolsProblems(settings.pools, kinds)];
}

/** A setting for a pool that does not exist would be ignored, and its owner would believe in it. */
function poolsProblems(pools: Settings["pools"], kinds: readonly Kind[]): string[] {
  if (!isObject(pools)) return [];
  const known = kinds.flatMap((kind) => kind.stages.map((stage) => `${kind.name}/${stage.name}`));
  return Object.entries(pools).flatMap(([name, pool]) => {
    if (!known.includes(name)) return [`Unknown stage "${name}" in pools. Known stages: ${known.join(", ") || "none"}`];
    if (!isObject(pool)) return [`pool "${name}" must be an object`];
    const what = `pool "${name}"`;
    return [...unknownNames(what, POOL_OPTIONS, pool), ...problemsIn(POOL_OPTIONS, pool, ` of ${what}`)];
  });
}

function setting<const Fallback extends Value, Value>(
  fallback: Fallback,
  option: Option<Value, undefined>,
): Option<Value, undefined> & { readonly fallback: Fallback } {
  return { ...option, fallback };
}
