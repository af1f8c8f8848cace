import { STANDINGS, type Standing } from "../../../job/job.ts";
import { MOST_COUNTED } from "../../circumstances.ts";
import type { Circumstances } from "../../verbs/circumstances.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";

const IS_SAME = "place.kind = own.kind AND place.tenant = own.tenant AND place.key = own.key";
const FIND = statement<{ job: number }>(`SELECT own.key,
    (
      SELECT json_agg(json_build_array(id, standing))
      FROM (
        SELECT every_job.id, every_job.standing
        FROM millrace.place JOIN millrace.every_job ON every_job.id = place.job
        WHERE ${IS_SAME} AND place.holds
        ORDER BY place.id
        LIMIT 10
      ) AS holder
    ) AS holders,
    (SELECT count(*)::int FROM (SELECT 1 FROM millrace.place WHERE ${IS_SAME} AND NOT place.holds LIMIT ${MOST_COUNTED}) AS counted) AS waiting,
    CASE WHEN own.holds THEN 0 ELSE (
      SELECT count(*)::int
      FROM (
        SELECT 1
        FROM millrace.place
        WHERE ${IS_SAME} AND NOT place.holds AND (place.priority, place.id) < (own.priority, own.id)
        LIMIT ${MOST_COUNTED}
      ) AS counted
    ) END AS ahead
  FROM millrace.place AS own
  WHERE own.job = :job`);

interface KeyRow {
  key: string;
  holders: [id: number, standing: number][] | null;
  waiting: number;
  ahead: number;
}

/** For a job that waits for its key or holds it. */
export async function keyOf(core: Core, db: StatementRunner, job: number): Promise<Pick<Circumstances, "key">> {
  const [row] = await db.run<KeyRow>(...FIND({ job }));
  if (!row) return {};
  const holders = (row.holders ?? []).map(([id, standing]) => ({
    jobId: core.ids.encode(id),
    standing: STANDINGS[standing] as Standing,
  }));
  return { key: { name: row.key, holders, waiting: row.waiting, ahead: row.ahead } };
}
