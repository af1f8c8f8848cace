import { createHash } from "node:crypto";
import type { Pace } from "./pace.ts";

/**
 * The feature level of this engine. A plan names the lowest level that can work its jobs (`needs`). An engine leaves jobs of
 * plans above its own level to newer processes.
 */
export const ENGINE_LEVEL = 2;

/** The level that plans registered by this engine need. */
export const PLAN_NEEDS = 1;

/** The level that jobs need which wait, or which others wait for. They are on the twin of their plan. */
export const WORKFLOW_LEVEL = 2;

/**
 * What a process registers for a kind. The kind's name and its stage names are the plan: it never changes, and a job keeps it.
 * The rest is policy, which can differ between deployments.
 */
export interface KindPlan {
  name: string;
  /** In order. Empty if this process has only the contract of the kind. */
  stages: StagePlan[];
  retention: Retention;
  /** true: jobs run only in the deployment under which they were submitted. */
  pinned?: boolean;
  /**
   * The limits on the claims of this process; 0 means no limit. Other processes read them to explain why a job waits.
   */
  limits?: { queueMax: number; maxConcurrentPerTenant: number };
  /** How many jobs of the kind run at the same time. The worker with the highest deployment number decides. */
  concurrency?: ConcurrencyPolicy;
  /** How jobs of the kind are submitted, for submitters that cannot run its code: millrace.submit() in SQL. */
  submission?: SubmissionPolicy;
}

export interface SubmissionPolicy {
  /** The kind computes a unique key. */
  uniqueKey?: true;
  ifUnique?: "join" | "replace" | "extend";
  /** When jobs start, a key decides. */
  pattern?: "debounced" | "throttled";
  deadlineMs?: number;
}

export interface ConcurrencyPolicy {
  total?: number;
  perKey?: number;
  /** Names of limits that the kind shares with others. */
  limits?: string[];
  ordered?: true;
  ifFails?: "skip";
  /** The kind computes a key for its jobs. */
  keyed?: true;
}

export interface StagePlan {
  name: string;
  maxAttempts: number;
  maxCrashes: number;
  retry: { baseMs: number; maxMs: number };
  /** Earlier names of this stage. Its workers also take jobs at these names. */
  renamedFrom?: string[];
  /** The processors of the stage in this process, and how often they may start a job. */
  processors?: number;
  pace?: Pace;
}

export interface Retention {
  /** For completed and cancelled jobs, and for jobs that failed for their input. "none": deleted as soon as they complete. */
  finishedMs: number | "none";
  deadLetterMs: number;
  /** Codes of failures that count as failures of the input. */
  inputFailures?: string[];
}

/** Two plans of a kind are the same when their stages have the same names in the same order, and they need the same level. */
export function planHash(kind: string, stages: readonly string[], needs = PLAN_NEEDS): string {
  return createHash("sha256")
    .update([kind, ...stages, ...(needs > PLAN_NEEDS ? ["", needs] : [])].join("\n"))
    .digest("hex")
    .slice(0, 32);
}

/** The default label of a deployment: a hash of its plans, so the same plans give the same label. */
export function deploymentLabel(plans: readonly KindPlan[]): string {
  const hashes = plans.map(({ name, stages }) =>
    planHash(
      name,
      stages.map((stage) => stage.name),
    ),
  );
  return createHash("sha256").update(hashes.sort().join("\n")).digest("hex").slice(0, 10);
}

/** The current name of a stage and its earlier names. */
export function namesOf({ name, renamedFrom = [] }: StagePlan): string[] {
  return [name, ...renamedFrom];
}

/** The policy of a kind that has never had a worker. */
export function noPolicy(name: string): KindPlan {
  const retention = { finishedMs: 7 * DAY_MS, deadLetterMs: 30 * DAY_MS };
  // No worker allows fewer jobs per key than one.
  return { name, stages: [], retention, concurrency: { keyed: true } };
}

const DAY_MS = 24 * 3_600_000;

/** The policy of a stage. A stage that the kind no longer has gets the policy of the kind's last stage. */
export function stagePolicy({ stages }: KindPlan, name: string): StagePlan {
  const named = stages.find((stage) => stage.name === name) ?? stages.find((stage) => namesOf(stage).includes(name));
  return named ?? stages.at(-1) ?? { name, maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 300_000 } };
}
