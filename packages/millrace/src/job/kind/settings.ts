// How settings and the options of kinds become what a store and the pools need.

import type { Settings } from "../options/settings.ts";
import type { Kind, Stage } from "./kind.ts";
import type { ConcurrencyPolicy, KindPlan, SubmissionPolicy } from "./plan.ts";

export function planOf(kind: Kind, settings: Settings): KindPlan {
  return {
    name: kind.name,
    ...(kind.pinned && { pinned: true }),
    ...concurrencyOf(kind),
    ...submissionOf(kind),
    limits: { queueMax: settings.queueMax, maxConcurrentPerTenant: settings.maxConcurrentPerTenant },
    stages: kind.stages.map((stage) => ({
      name: stage.name,
      ...(stage.renamedFrom && { renamedFrom: stage.renamedFrom }),
      ...claimSettings(kind, stage, settings),
      maxAttempts: stage.maxAttempts ?? settings.maxAttempts,
      maxCrashes: kind.maxCrashes ?? settings.maxCrashes,
      retry: {
        baseMs: stage.retry?.baseMs ?? settings.retryBaseMs,
        maxMs: stage.retry?.maxMs ?? settings.retryMaxMs,
      },
    })),
    retention: {
      finishedMs: kind.keep === "none" ? "none" : (kind.retention.finishedMs ?? settings.finishedRetentionMs),
      deadLetterMs: kind.retention.deadLetterMs ?? settings.deadLetterRetentionMs,
      ...(kind.inputFailures.length > 0 && { inputFailures: [...kind.inputFailures] }),
    },
  };
}

function concurrencyOf({ concurrency, concurrencyKey }: Kind): Pick<KindPlan, "concurrency"> {
  const { total, perKey, limits = [], ordered, ifFails } = concurrency;
  const policy: ConcurrencyPolicy = {
    ...(total !== undefined && { total }),
    ...(perKey !== undefined && { perKey }),
    ...(limits.length > 0 && { limits: [...new Set(limits)] }),
    ...(ordered && { ordered: true }),
    ...(ifFails === "skip" && { ifFails }),
    ...(concurrencyKey && { keyed: true }),
  };
  return Object.keys(policy).length > 0 ? { concurrency: policy } : {};
}

function submissionOf({ uniqueKey, ifUnique, debounce, throttle, defaults }: Kind): Pick<KindPlan, "submission"> {
  const policy: SubmissionPolicy = {
    ...(uniqueKey && { uniqueKey: true }),
    ...(ifUnique && ifUnique !== "follow" && { ifUnique }),
    ...(debounce && { pattern: "debounced" }),
    ...(throttle && { pattern: "throttled" }),
    ...(defaults.deadlineMs !== undefined && { deadlineMs: defaults.deadlineMs }),
  };
  return Object.keys(policy).length > 0 ? { submission: policy } : {};
}

function claimSettings(kind: Kind, stage: Stage, settings: Settings) {
  const { size, pace } = poolSettings(kind, stage, settings);
  return { processors: size, ...(pace && { pace }) };
}

/** An operator's setting goes before the code's, the code's before the default. */
export function poolSettings(kind: Kind, stage: Stage, settings: Settings) {
  const set = settings.pools[`${kind.name}/${stage.name}`] ?? {};
  return {
    size: set.size ?? stage.processors ?? settings.processors,
    timeoutMs: set.timeoutMs ?? stage.timeoutMs ?? settings.timeoutMs,
    pace: set.pace ?? stage.pace,
  };
}
