import { AppError } from "../lib/app-error.ts";
import type { Settings } from "./settings.ts";

/** A timer set further ahead fires at once, on both runtimes. */
const LONGEST_TIMER_MS = 2_147_483_647;
const FOREVER = Number.MAX_SAFE_INTEGER;

const WHOLE: Partial<Record<keyof Settings, [least: number, most: number]>> = {
  processors: [1, 10_000],
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
  jobKeepMax: [0, FOREVER],
  dlqKeepMax: [0, FOREVER],
  sharedMaxBytes: [0, FOREVER],
  sharedKeepMs: [0, FOREVER],
};

const WORDS: Partial<Record<keyof Settings, readonly string[]>> = {
  tenantOverflow: ["reject", "queue"],
  durability: ["full", "normal"],
};

/** All that is wrong, at once. `known` are the options that are no settings. */
export function checkSettings(settings: Settings, given: object, known: readonly string[]): void {
  const problems = Object.entries(WHOLE).flatMap(([name, [least, most]]) => {
    const value = settings[name as keyof Settings];
    const whole = typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
    return whole ? [] : [`${name} must be a whole number from ${least}${most === FOREVER ? " up" : ` to ${most}`}`];
  });
  for (const [name, words] of Object.entries(WORDS)) {
    if (!words.includes(String(settings[name as keyof Settings])))
      problems.push(`${name} must be ${words.join(" or ")}`);
  }
  const names = new Set([...Object.keys(settings), ...known]);
  for (const name of Object.keys(given)) if (!names.has(name)) problems.push(`"${name}" is no option`);
  if (problems.length > 0) throw new AppError("options-invalid", `${problems.join("; ")}.`, { details: { problems } });
}
