import { STANDINGS, type Standing } from "../../../job/job.ts";
import { MOST_COUNTED } from "../../circumstances.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Circumstances } from "../../verbs/circumstances.ts";
import type { Core } from "../core.ts";

const OWN = "SELECT id, holds, priority FROM place WHERE job = ?";
const HOLDERS = `SELECT job.id, job.standing FROM place JOIN job ON job.id = place.job
  WHERE place.kind = ? AND place.tenant = ? AND place.key = ? AND holds = 1 ORDER BY place.id LIMIT 10`;
const WAITING = `SELECT count(*) AS count FROM (SELECT 1 FROM place
  WHERE kind = ? AND tenant = ? AND key = ? AND holds = 0 LIMIT ${MOST_COUNTED})`;
const AHEAD = `SELECT count(*) AS count FROM (SELECT 1 FROM place
  WHERE kind = ? AND tenant = ? AND key = ? AND holds = 0 AND (priority, id) < (?, ?) LIMIT ${MOST_COUNTED})`;

/** For a job that waits for its key or holds it. */
export function keyOf(core: Core, row: JobRow, kind: number): Pick<Circumstances, "key"> {
  if (row.concurrency_key === null) return {};
  const own = core.statement(OWN).get(row.id) as { id: number; holds: number; priority: number } | undefined;
  if (!own) return {};
  const key = [kind, row.tenant, row.concurrency_key] as const;
  const holders = core.statement(HOLDERS).all(...key) as { id: number; standing: number }[];
  const { count: waiting } = core.statement(WAITING).get(...key) as { count: number };
  const ahead = own.holds ? 0 : (core.statement(AHEAD).get(...key, own.priority, own.id) as { count: number }).count;
  return {
    key: {
      name: row.concurrency_key,
      holders: holders.map(({ id, standing }) => ({
        jobId: core.ids.encode(id),
        standing: STANDINGS[standing] as Standing,
      })),
      waiting,
      ahead,
    },
  };
}
