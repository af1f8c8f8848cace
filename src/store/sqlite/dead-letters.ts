import type { Job } from "../../job/job.ts";
import { type GroupRow, groupsOf, MOST_GROUPS } from "../dead-letter-row.ts";
import type { JobRow } from "../job-row.ts";
import type { DeadLetterGroup, JobFilter } from "../store.ts";
import type { View } from "./core.ts";
import { conditions } from "./filter.ts";
import { toJob } from "./row.ts";

/** By name, since the planner would walk the whole table by key: there are few dead letters among many jobs. */
const FROM_DEAD = "FROM job INDEXED BY job_dead";

export function deadLetters(
  core: View,
  filter: JobFilter,
  page: { limit: number; offset: number },
): { jobs: Job[]; total: number } {
  const { where, values } = deadConditions(core, filter);
  const sql = `SELECT * ${FROM_DEAD} ${where} ORDER BY finished_at DESC, id DESC LIMIT ? OFFSET ?`;
  const rows = core.statement(sql).all(...values, page.limit, page.offset) as unknown as JobRow[];
  const counted = core.statement(`SELECT count(*) AS total ${FROM_DEAD} ${where}`).get(...values) as { total: number };
  return { jobs: rows.map((row) => toJob(core, row)), total: counted.total };
}

export function deadLetterGroups(core: View, filter: JobFilter): DeadLetterGroup[] {
  const { where, values } = deadConditions(core, filter);
  // Materialised, or the grouping would sort the failures whole, stacks and all.
  const sql = `WITH dead AS MATERIALIZED (SELECT id, stage, finished_at, failure ->> '$.code' AS code,
      failure ->> '$.message' AS message ${FROM_DEAD} ${where})
    SELECT stage, code, message, count(*) AS count, min(finished_at) AS firstAt, max(finished_at) AS lastAt,
      max(id) AS sample FROM dead GROUP BY stage, code, message
    ORDER BY count DESC, lastAt DESC LIMIT ${MOST_GROUPS}`;
  const rows = core.statement(sql).all(...values) as unknown as GroupRow[];
  return groupsOf(core, rows);
}

function deadConditions(core: View, { standings: _standings, ...filter }: JobFilter) {
  const { where, values } = conditions(core, filter);
  return { where: `${where} AND standing = 6`, values };
}
