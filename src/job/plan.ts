import { createHash } from "node:crypto";

/**
 * What this engine can do, as a number that grows. A plan names the lowest level that can work its jobs (`needs`); an
 * engine leaves the jobs of plans above its own level to newer processes.
 */
export const ENGINE_LEVEL = 1;

/** The level that the plans of this engine ask for. */
export const PLAN_NEEDS = 1;

/**
 * What a process registers of a kind. The name and the names of the stages make the plan, which never changes and which
 * a job keeps. The rest is policy: it may differ from one deployment to the next.
 */
export interface KindPlan {
  name: string;
  /** In order. Empty: this process knows the kind as a contract only. */
  stages: StagePlan[];
  retention: Retention;
  /** Its jobs run only in the deployment under which they were submitted. */
  pinned?: boolean;
}

export interface StagePlan {
  name: string;
  maxAttempts: number;
  maxCrashes: number;
  retry: { baseMs: number; maxMs: number };
  /** Earlier names of this stage: jobs that stand there are taken too. */
  renamedFrom?: string[];
}

export interface Retention {
  /** Completed and cancelled jobs, and failures of the input itself. "none": deleted as they settle. */
  finishedMs: number | "none";
  deadLetterMs: number;
  /** Codes of failures that count as failures of the input. */
  inputFailures?: string[];
}

/** At most `count` starts per `perMs`, over all processes. */
export interface Pace {
  count: number;
  perMs: number;
}

/** Two plans of a kind are the same when their stages have the same names in the same order. */
export function planHash(kind: string, stages: readonly string[]): string {
  return createHash("sha256")
    .update([kind, ...stages].join("\n"))
    .digest("hex")
    .slice(0, 32);
}

/** The label of a deployment that was given none: the same plans are the same deployment. */
export function deploymentLabel(plans: readonly KindPlan[]): string {
  const hashes = plans.map(({ name, stages }) =>
    planHash(
      name,
      stages.map((stage) => stage.name),
    ),
  );
  return createHash("sha256").update(hashes.sort().join("\n")).digest("hex").slice(0, 10);
}

/** The names under which jobs of a stage may stand. */
export function namesOf({ name, renamedFrom = [] }: StagePlan): string[] {
  return [name, ...renamedFrom];
}

/** What holds for a kind that no worker has served yet. */
export function noPolicy(name: string): KindPlan {
  return { name, stages: [], retention: { finishedMs: 7 * DAY_MS, deadLetterMs: 30 * DAY_MS } };
}

const DAY_MS = 24 * 3_600_000;

/** The policy of a stage; one that its kind no longer has follows the kind's last one. */
export function stagePolicy({ stages }: KindPlan, name: string): StagePlan {
  const named = stages.find((stage) => stage.name === name) ?? stages.find((stage) => namesOf(stage).includes(name));
  return named ?? stages.at(-1) ?? { name, maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 300_000 } };
}
