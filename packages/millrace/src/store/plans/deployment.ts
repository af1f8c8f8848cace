// A deployment is what one version of the application registered. The one with the highest number is the newest. Both stores
// use these rules to give out numbers.

import type { KindPlan } from "../../job/kind/plan.ts";
import { AppError } from "../../lib/app-error.ts";
import type { DeploymentFacts } from "../verbs/processes.ts";

export interface DeploymentRow {
  id: number;
  label: string;
  /** null: the deployment has never had a worker. */
  number: number | null;
  /** When the deployment got its number. */
  announced_at: number | null;
  /** Since when the deployment has had a living worker; UNPINNED from its unpinning until its next worker. */
  living_since: number | null;
  /** When the last worker ended; null while one lives. */
  ended_at: number | null;
}

/** Instead of the moment in `living_since`: jobs that are revived from now on are not pinned to the deployment. */
export const UNPINNED = 0;

/** If a newer deployment ran this long without it, a label that starts again is a rollback. */
const ROLLBACK_MS = 60_000;

/**
 * A label keeps its number across restarts. A rollback gives it a new one: another label was announced after its last worker
 * ended, or a label with a higher number ran for a minute without it. `resumed`: the worker had one already, and goes on with it.
 */
export function needsNewNumber(
  all: readonly DeploymentRow[],
  { id, now, resumed }: { id: number; now: number; resumed: boolean },
): boolean {
  const own = all.find((each) => each.id === id) as DeploymentRow;
  if (own.number === null) return true;
  const endedAt = own.ended_at;
  if (resumed || endedAt === null) return false;
  return all.some(
    (other) =>
      other !== own &&
      other.number !== null &&
      ((other.announced_at ?? 0) > endedAt ||
        (other.number > (own.number as number) && livedWithout(other, endedAt, now) >= ROLLBACK_MS)),
  );
}

function livedWithout({ living_since, ended_at }: DeploymentRow, endedAt: number, now: number): number {
  if (living_since === null) return 0;
  return (ended_at ?? now) - Math.max(living_since, endedAt);
}

/** With two plans of a kind under one label, the plan of a new job would depend on chance. */
export function planConflict(label: string, plan: KindPlan, process: string, stages: readonly string[]): AppError {
  const own = plan.stages.map(({ name }) => name);
  return new AppError(
    "deployment-conflict",
    `Deployment "${label}" already runs kind "${plan.name}" with the stages ${stages.join(", ")} (process ${process}), not ${own.join(", ")}.`,
    { hint: "Give each version of the application its own label: Millrace.open({ deployment }) or DEPLOYMENT." },
  );
}

export function oldProcessLives(name: string): AppError {
  return new AppError("old-process-lives", `Process ${name} runs an older version of Millrace on this store.`, {
    hint: "Stop all processes of the older version, then start this one. It upgrades the store.",
  });
}

/** A stage with unfinished jobs, as the stores read it. `names` is the JSON of its plan's stages; null without a plan. */
export interface StageFacts extends Omit<DeploymentFacts["stages"][number], "later"> {
  names: string | null;
  position: number;
}

export function withLater({ names, position, ...stage }: StageFacts): DeploymentFacts["stages"][number] {
  return { ...stage, later: names === null ? [] : (JSON.parse(names) as string[]).slice(position + 1) };
}
