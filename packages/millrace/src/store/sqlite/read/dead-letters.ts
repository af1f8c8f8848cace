import type { Job } from "../../../job/job.ts";
import { FAILED } from "../../codes.ts";
import { type GroupRow, groupsOf, MOST_GROUPS } from "../../rows/dead-letter-row.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { JobFilter } from "../../verbs/job-filter.ts";
import type { DeadLetterGroup } from "../../verbs/jobs.ts";
import type { ReadView } from "../core.ts";
import { conditions } from "./filter.ts";
import { findRow, toJob } from "./row.ts";
import { byFailure, type SlicedRead } from "./slices.ts";

/**
 * The index is named, because the planner would walk the whole table by key: there are few dead letters among many
 * jobs.
 */
const FROM_DEAD = `FROM job INDEXED BY job_dead WHERE standing = ${FAILED}`;
const PAGE = `SELECT * ${FROM_DEAD} ORDER BY finished_at DESC, id DESC LIMIT ? OFFSET ?`;
const TOTAL = `SELECT count(*) AS total ${FROM_DEAD}`;
/** The keys of one slice. */
const AMONG = `AND standing = ${FAILED} AND id IN (SELECT value FROM json_each(?))`;

interface DeadLetterPage {
  jobs: Job[];
  total: number;
}

export function* deadLetters(
  view: ReadView,
  { standings: _standings, ...filter }: JobFilter,
  page: { limit: number; offset: number },
): SlicedRead<DeadLetterPage> {
  if (Object.values(filter).every((value) => value === undefined)) return allDeadLetters(view, page);
  const { where, values } = conditions(view, filter);
  const statement = view.statement(`SELECT id FROM job ${where} ${AMONG} ORDER BY finished_at DESC, id DESC`);
  const rows: JobRow[] = [];
  let total = 0;
  yield* byFailure(view, { newestFirst: true }, (keys) => {
    const ids = statement.all(...values, keys) as { id: number }[];
    const wanted = ids.slice(Math.max(0, page.offset - total), Math.max(0, page.offset + page.limit - total));
    rows.push(...wanted.flatMap(({ id }) => findRow(view, id) ?? []));
    total += ids.length;
    return true;
  });
  return { jobs: rows.map((row) => toJob(view, row)), total };
}

function allDeadLetters(view: ReadView, { limit, offset }: { limit: number; offset: number }): DeadLetterPage {
  const rows = view.statement(PAGE).all(limit, offset) as unknown as JobRow[];
  const { total } = view.statement(TOTAL).get() as { total: number };
  return { jobs: rows.map((row) => toJob(view, row)), total };
}

export function* deadLetterGroups(
  view: ReadView,
  { standings: _standings, ...filter }: JobFilter,
): SlicedRead<DeadLetterGroup[]> {
  const { where, values } = conditions(view, filter);
  // MATERIALIZED, because the grouping would otherwise sort whole failures with their stack traces.
  const statement =
    view.statement(`WITH dead AS MATERIALIZED (SELECT id, stage, finished_at, failure ->> '$.code' AS code,
      failure ->> '$.message' AS message FROM job ${where} ${AMONG})
    SELECT stage, code, message, count(*) AS count, min(finished_at) AS firstAt, max(finished_at) AS lastAt,
      max(id) AS sample FROM dead GROUP BY stage, code, message`);
  const groups = new Map<string, GroupRow>();
  yield* byFailure(view, { newestFirst: true }, (keys) => {
    for (const row of statement.all(...values, keys)) addGroup(groups, row as unknown as GroupRow);
    return true;
  });
  return groupsOf(view, [...groups.values()]).slice(0, MOST_GROUPS);
}

function addGroup(groups: Map<string, GroupRow>, row: GroupRow): void {
  const name = JSON.stringify([row.stage, row.code, row.message]);
  const known = groups.get(name);
  if (!known) return void groups.set(name, { ...row });
  known.count += row.count;
  known.firstAt = Math.min(known.firstAt, row.firstAt);
  known.lastAt = Math.max(known.lastAt, row.lastAt);
  known.sample = Math.max(known.sample, row.sample);
}
