// Dead letters by their causes. Without a filter the index `finished_cause` alone is read; a filter needs the rows.

import type { DeadLetterCause } from "../../../job/report/cause-page.ts";
import { FAILED } from "../../codes.ts";
import {
  CauseGroups,
  type CauseRow,
  causeOfRow,
  type FailureRow,
  MARKED,
  type UnmarkedRow,
} from "../../rows/cause-row.ts";
import type { JobFilter } from "../../verbs/job-filter.ts";
import { numbers } from "../connection/arrays.ts";
import type { Core } from "../core.ts";
import { conditions } from "./filter.ts";
import { reading } from "./lists.ts";

const SUMS = `count(*)::bigint AS count, min(finished_at) AS "firstAt", max(finished_at) AS "lastAt", max(id) AS sample`;
const FAILURE = "stage, failure::json ->> 'code' AS code, failure::json ->> 'message' AS message";
const IS_MARKED = `cause COLLATE "C" >= '${MARKED.from}' AND cause COLLATE "C" < '${MARKED.to}'`;
/** A comparison with NULL is never true, so NULL is named. */
export const IS_UNMARKED = `(cause IS NULL OR cause COLLATE "C" < '${MARKED.from}' OR cause COLLATE "C" >= '${MARKED.to}')`;
const SAMPLES = `SELECT id, ${FAILURE} FROM millrace.finished WHERE id = ANY($1::bigint[])`;

export async function deadLetterCauses(
  core: Core,
  { standings: _standings, ...filter }: JobFilter,
): Promise<DeadLetterCause[]> {
  const { where, values } = await conditions(core, filter);
  const dead = `FROM millrace.finished AS job ${where} AND job.standing = ${FAILED}`;
  const rows = await reading(core, filter, async (db) => ({
    marked: await db.run<CauseRow>(
      `SELECT cause COLLATE "C" AS cause, ${SUMS} ${dead} AND ${IS_MARKED} GROUP BY cause COLLATE "C"`,
      values,
    ),
    unmarked: await db.run<UnmarkedRow>(
      `SELECT ${FAILURE}, ${SUMS} ${dead} AND ${IS_UNMARKED} GROUP BY 1, 2, 3`,
      values,
    ),
  }));
  await core.names.knowStages(rows.unmarked.map(({ stage }) => stage));
  const groups = new CauseGroups();
  for (const row of rows.marked) groups.add(row);
  for (const { stage, code, message, ...sums } of rows.unmarked) {
    groups.add({ ...sums, cause: causeOfRow(core, { stage, code, message }) });
  }
  const samples = await reading(core, filter, (db) => db.run<FailureRow>(SAMPLES, [numbers(groups.samples)]));
  await core.names.knowStages(samples.map(({ stage }) => stage));
  return groups.views(core, samples);
}
