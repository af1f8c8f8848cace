// Unique keys beyond refusing: which jobs of a submission need not be stored, since their work is under way or their result is
// known, and how a job that was stored behind another takes the key over.

import type { Lease } from "../../../job/lease.ts";
import { AppError } from "../../../lib/app-error.ts";
import { FOLLOW_AFTER_MS, HAS_UNIQUE_KEY, JOINED } from "../../codes.ts";
import type { NewJob, UniqueKeyTaken } from "../../store.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";
import { addFlag, heldRow } from "../settle/settle.ts";
import { isShared } from "../sharing/share.ts";
import { PUT_UNIQUE } from "./insert.ts";

const MARK_JOINED = `UPDATE job SET flags = flags | ${JOINED} WHERE id = ?`;
const FIND_UNIQUE = "SELECT job FROM unique_key WHERE kind = ? AND tenant = ? AND key = ?";

/** The live job that has the key. */
export function findUnique(core: Core, kind: number, tenant: number, uniqueKey: string): number | undefined {
  return (core.statement(FIND_UNIQUE).get(kind, tenant, uniqueKey) as { job: number } | undefined)?.job;
}

/** Where each job's id comes from: stored anew, a job that lives already, or one earlier in the same submission. */
export type Place = { of: "new"; job: NewJob } | { of: "live"; key: number } | { of: "earlier"; place: number };

/** What is known must still be there; a job that is completed at once needs no unique key. */
export function checkedCompletion(core: Core, job: NewJob): NewJob {
  if (!job.completed) return job;
  const { completed, uniqueKey: _unneeded, ...rest } = job;
  if (isShared(core, completed.share)) return { ...rest, completed };
  return job.uniqueKey === undefined ? rest : { ...rest, uniqueKey: job.uniqueKey };
}

export function placesOf(core: Core, jobs: NewJob[], stages: StageRow[], tenant: number): Place[] {
  const seen = new Map<string, number>();
  return jobs.map((job, place): Place => {
    if (job.uniqueKey === undefined || job.ifUnique === undefined) return { of: "new", job };
    const { kind } = stages[place] as StageRow;
    const name = `${kind}/${job.uniqueKey}`;
    const earlier = seen.get(name);
    const key = findUnique(core, kind, tenant, job.uniqueKey);
    if (job.ifUnique === "follow" && (earlier !== undefined || key !== undefined))
      return { of: "new", job: follower(job) };
    if (earlier !== undefined) return { of: "earlier", place: earlier };
    seen.set(name, place);
    return key === undefined ? { of: "new", job } : { of: "live", key };
  });
}

/** Scheduled jobs stay where they are: their turn comes later anyway. */
function follower({ uniqueKey: _taken, ...job }: NewJob): NewJob {
  return job.runAt === undefined && job.delayMs === undefined ? { ...job, delayMs: FOLLOW_AFTER_MS } : job;
}

export function takeUnique(core: Core, lease: Lease, key: string): UniqueKeyTaken {
  const known = keyHolder(core, lease, key);
  if (known !== undefined) return known.answer;
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  if (row.flags & HAS_UNIQUE_KEY) throw new AppError("conflict", "The job has another unique key.");
  core.statement(PUT_UNIQUE).run(core.names.stage(row.stage).kind, row.tenant, key, row.id);
  addFlag(core, row, HAS_UNIQUE_KEY);
  return "taken";
}

/** Whether there is anything to write: a job that holds the key, or stands behind another, only asks. */
export function keyHolder(core: Core, lease: Lease, key: string): { answer: UniqueKeyTaken } | undefined {
  const row = heldRow(core, lease);
  if (!row) return { answer: "lease-lost" };
  const holder = findUnique(core, core.names.stage(row.stage).kind, row.tenant, key);
  if (holder === undefined) return undefined;
  if (holder === row.id) return { answer: "held" };
  return { answer: { jobId: core.ids.encode(holder), waitedMs: core.clock.now() - row.created_at } };
}

/** Told apart from a job that only its submitter waits for. */
export function markJoined(core: Core, key: number): void {
  core.statement(MARK_JOINED).run(key);
}
