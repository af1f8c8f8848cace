// A deployment is what one version of the application registered. Its number says which of several is the newest; these
// are the rules by which it gets one. The same in both stores.

import type { KindPlan } from "../job/plan.ts";
import { AppError } from "../lib/app-error.ts";
import type { DeploymentFacts } from "./store.ts";

export interface DeploymentRow {
  id: number;
  label: string;
  /** null: no worker of it was ever announced. */
  number: number | null;
  /** When it got its number. */
  announced_at: number | null;
  /** Since when it has had a living worker. */
  living_since: number | null;
  /** When its last worker ended; null while one lives. */
  ended_at: number | null;
}

/** A label without workers for so long, beside living ones of a higher number, comes back as a rollback. */
const ROLLBACK_MS = 60_000;

/**
 * A label keeps its number across restarts. It gets a new one when it comes back after another took its place: one that was
 * announced since its own last worker ended, or one of a higher number that lived for a minute without it.
 */
export function needsNewNumber(own: DeploymentRow, others: readonly DeploymentRow[], now: number): boolean {
  if (own.number === null) return true;
  const endedAt = own.ended_at;
  if (endedAt === null) return false;
  return others.some(
    (other) =>
      other.number !== null &&
      ((other.announced_at ?? 0) > endedAt ||
        (other.number > (own.number as number) && livedWithout(other, endedAt, now) >= ROLLBACK_MS)),
  );
}

function livedWithout({ living_since, ended_at }: DeploymentRow, endedAt: number, now: number): number {
  if (living_since === null) return 0;
  return (ended_at ?? now) - Math.max(living_since, endedAt);
}

/** Two plans of one kind under one label would leave it to chance which of them a job gets. */
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
    hint: "Stop all processes of the older version, then start this one: it upgrades the store once.",
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
