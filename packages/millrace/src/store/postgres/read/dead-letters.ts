import type { Job } from "../../../job/job.ts";
import { FAILED } from "../../codes.ts";
import { type GroupRow, groupsOf, MOST_GROUPS } from "../../rows/dead-letter-row.ts";
import type { JobFilter } from "../../verbs/job-filter.ts";
import type { DeadLetterGroup } from "../../verbs/jobs.ts";
import type { Core } from "../core.ts";
import { conditions } from "./filter.ts";
import { reading } from "./lists.ts";
import { NAMED, type NamedRow, toJobs } from "./row.ts";

const NAMED_DEAD = NAMED.replace("millrace.every_job", "millrace.finished");

export async function deadLetters(
  core: Core,
  filter: JobFilter,
  page: { limit: number; offset: number },
): Promise<{ jobs: Job[]; total: number }> {
  const { where, values } = await deadConditions(core, filter);
  const n = values.length;
  const sql = `${NAMED_DEAD} ${where} ORDER BY job.finished_at DESC, job.id DESC LIMIT $${n + 1} OFFSET $${n + 2}`;
  const counting = `SELECT count(*)::bigint AS total FROM millrace.finished AS job ${where}`;
  const { rows, counted } = await reading(core, filter, async (db) => ({
    rows: await db.run<NamedRow>(sql, [...values, page.limit, page.offset]),
    counted: (await db.run<{ total: number }>(counting, values))[0],
  }));
  return { jobs: await toJobs(core, rows), total: counted?.total ?? 0 };
}

export async function deadLetterGroups(core: Core, filter: JobFilter): Promise<DeadLetterGroup[]> {
  const { where, values } = await deadConditions(core, filter);
  const sql = `SELECT stage, failure::json ->> 'code' AS code, failure::json ->> 'message' AS message, count(*)::bigint AS count,
      min(finished_at) AS "firstAt", max(finished_at) AS "lastAt", max(id) AS sample
    FROM millrace.finished AS job ${where} GROUP BY 1, 2, 3 ORDER BY count DESC, "lastAt" DESC LIMIT ${MOST_GROUPS}`;
  const rows = await reading(core, filter, (db) => db.run<GroupRow>(sql, values));
  await core.names.knowStages(rows.map(({ stage }) => stage));
  return groupsOf(core, rows);
}

async function deadConditions(core: Core, { standings: _standings, ...filter }: JobFilter) {
  const { where, values } = await conditions(core, filter);
  return { where: `${where} AND job.standing = ${FAILED}`, values };
}
