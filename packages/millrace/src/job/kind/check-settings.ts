import { LONGEST_TIMER_MS } from "../../lib/clock.ts";
import type { Kind } from "./kind.ts";
import type { Settings } from "./settings.ts";

const MOST_PROCESSORS = 10_000;
const FOREVER = Number.MAX_SAFE_INTEGER;

const WHOLE: Partial<Record<keyof Settings, [least: number, most: number]>> = {
  processors: [1, MOST_PROCESSORS],
  pollMs: [1, LONGEST_TIMER_MS],
  leaseMs: [100, 86_400_000],
  maxAttempts: [1, 1_000],
  maxCrashes: [1, 1_000],
  retryBaseMs: [0, FOREVER],
  retryMaxMs: [0, FOREVER],
  timeoutMs: [1, FOREVER],
  finishedRetentionMs: [0, FOREVER],
  deadLetterRetentionMs: [0, FOREVER],
  cleanupIntervalMs: [1, LONGEST_TIMER_MS],
  healthIntervalMs: [1, LONGEST_TIMER_MS],
  shutdownGraceMs: [0, LONGEST_TIMER_MS],
  queueMax: [0, FOREVER],
  maxNewJobsPerMinute: [0, FOREVER],
  maxConcurrentPerTenant: [0, FOREVER],
  maxSchedulesPerTenant: [0, FOREVER],
  jobKeepMax: [0, FOREVER],
  dlqKeepMax: [0, FOREVER],
  sharedMaxBytes: [0, FOREVER],
  sharedKeepMs: [0, FOREVER],
  queryTimeoutMs: [0, LONGEST_TIMER_MS],
};

const WORDS: Partial<Record<keyof Settings, readonly string[]>> = {
  tenantOverflow: ["reject", "queue"],
  durability: ["full", "normal"],
};

/** All that is wrong with them, as sentences. */
export function settingsProblems(settings: Settings, kinds: readonly Kind[]): string[] {
  const problems = Object.entries(WHOLE).flatMap(([name, [least, most]]) => {
    return isWhole(settings[name as keyof Settings], least, most)
      ? []
      : [`${name} must be a whole number ${most === FOREVER ? `of ${least} or more` : `from ${least} to ${most}`}`];
  });
  for (const [name, words] of Object.entries(WORDS)) {
    if (!words.includes(String(settings[name as keyof Settings])))
      problems.push(`${name} must be ${words.join(" or ")}`);
  }
  return [...problems, ...poolsProblems(settings.pools, kinds)];
}

/** A setting for a pool that does not exist would be ignored, and its owner would believe in it. */
function poolsProblems(pools: Settings["pools"], kinds: readonly Kind[]): string[] {
  if (typeof pools !== "object" || pools === null || Array.isArray(pools)) return ["pools must be an object"];
  const known = kinds.flatMap((kind) => kind.stages.map((stage) => `${kind.name}/${stage.name}`));
  return Object.entries(pools).flatMap(([name, pool]) => {
    if (known.includes(name)) return poolProblems(name, pool);
    return [`Unknown stage "${name}" in pools. Known stages: ${known.join(", ") || "none"}`];
  });
}

function poolProblems(name: string, pool: Settings["pools"][string]): string[] {
  if (typeof pool !== "object" || pool === null) return [`pool "${name}" must be an object`];
  const { size, timeoutMs, pace, ...rest } = pool;
  const problems = Object.keys(rest).map(
    (each) => `Unknown option "${each}" for pool "${name}". Known options: size, timeoutMs, pace`,
  );
  if (size !== undefined && !isWhole(size, 1, MOST_PROCESSORS))
    problems.push(`size of pool "${name}" must be a whole number from 1 to ${MOST_PROCESSORS}`);
  if (timeoutMs !== undefined && !isWhole(timeoutMs, 1, FOREVER))
    problems.push(`timeoutMs of pool "${name}" must be a whole number of 1 or more`);
  if (pace !== undefined && !(isWhole(pace?.count, 1, FOREVER) && isWhole(pace?.perMs, 1, FOREVER)))
    problems.push(`pace of pool "${name}" needs count and perMs as whole numbers above 0`);
  return problems;
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}
