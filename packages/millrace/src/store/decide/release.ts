// Acts of a person or a program on one job: releasing a held one, deleting a finished one.

import { standingWhenDue } from "../../job/crash.ts";
import { STANDINGS, type Standing, stateOf } from "../../job/job.ts";
import { COMPLETED, codeOf, HELD } from "../codes.ts";
import type { JobRow } from "../rows/job-row.ts";

export interface Conflict {
  readonly conflict: string;
}

/** The standing of the released job, as a code; or why it cannot be released. */
export function decideRelease(row: JobRow, now: number): { readonly standing: number } | Conflict {
  if (row.standing !== HELD) return { conflict: `The job is ${stateName(row)}, not held.` };
  if (row.expires_at !== null && row.expires_at <= now) return { conflict: "The job's hold has expired." };
  return { standing: codeOf[standingWhenDue(row)] };
}

/** Why the jobs of a deployment cannot be handed to the newest one. */
export function deploymentHasWorkers(label: string): Conflict {
  return { conflict: `Deployment "${label}" still has workers.` };
}

/** A job that waited for this one has not ended, and reads its result again when its stage runs again. */
export function neededByParent(parent: string): { conflict: string } {
  return { conflict: `The job ${parent} has not ended and needs the result of this one.` };
}

/** Why a job cannot be deleted. Undefined: it can. */
export function refuseForgetting(row: Pick<JobRow, "standing">): Conflict | undefined {
  return row.standing < COMPLETED ? { conflict: `The job is ${stateName(row)}; cancel it first.` } : undefined;
}

export function stateName({ standing }: Pick<JobRow, "standing">): string {
  return stateOf(STANDINGS[standing] as Standing);
}
