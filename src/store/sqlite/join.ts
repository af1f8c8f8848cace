// Which jobs of a submission need not be stored: those whose work is under way, and those whose result is known.

import { JOINED } from "../codes.ts";
import type { NewJob } from "../store.ts";
import type { Core } from "./core.ts";
import type { StageRow } from "./names.ts";
import { isShared } from "./share.ts";

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
    if (job.uniqueKey === undefined || job.ifUnique !== "join") return { of: "new", job };
    const { kind } = stages[place] as StageRow;
    const name = `${kind}/${job.uniqueKey}`;
    const earlier = seen.get(name);
    if (earlier !== undefined) return { of: "earlier", place: earlier };
    seen.set(name, place);
    const key = findUnique(core, kind, tenant, job.uniqueKey);
    return key === undefined ? { of: "new", job } : { of: "live", key };
  });
}

/** Told apart from a job that only its submitter waits for. */
export function markJoined(core: Core, key: number): void {
  core.statement(MARK_JOINED).run(key);
}
