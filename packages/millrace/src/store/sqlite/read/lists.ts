// Lists of jobs by filter. What an index answers at once is one statement; everything else is read in slices.

import type { Job, Standing } from "../../../job/job.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { isOnlyDeadLetters } from "../../search.ts";
import type { JobFilter } from "../../verbs/job-filter.ts";
import type { ReadView } from "../core.ts";
import { conditions } from "./filter.ts";
import { toJob } from "./row.ts";
import { byFailure, byKey, type SlicedRead } from "./slices.ts";

/** Newest first. The conditions are whole phrases of our own; every value is bound. */
export function* list(view: ReadView, filter: JobFilter): SlicedRead<Job[]> {
  const { where, values } = conditions(view, filter);
  const { limit = 50, offset = 0 } = filter;
  if (isByIndex(view, filter)) {
    const sql = `SELECT * FROM job ${where} ORDER BY id DESC LIMIT ? OFFSET ?`;
    return toJobs(view, view.statement(sql).all(...values, limit, offset));
  }
  const range = `FROM job ${access(filter)} ${where} AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`;
  const skipped = view.statement(`SELECT id ${range}`);
  const listed = view.statement(`SELECT * ${range}`);
  const rows: unknown[] = [];
  let toSkip = offset;
  yield* byKey(view, { newestFirst: true, below: beforeKey(view, filter) }, (from, to) => {
    let below = to;
    if (toSkip > 0) {
      const ids = skipped.all(...values, from, to, toSkip) as { id: number }[];
      toSkip -= ids.length;
      if (toSkip > 0) return true;
      below = (ids.at(-1) as { id: number }).id;
    }
    rows.push(...listed.all(...values, from, below, limit - rows.length));
    return rows.length < limit;
  });
  return toJobs(view, rows);
}

export function* count(view: ReadView, filter: JobFilter): SlicedRead<number> {
  const { where, values } = conditions(view, filter);
  const counting = (rest: string) => view.statement(`SELECT count(*) AS count FROM job ${rest}`);
  const countOf = (row: unknown) => (row as { count: number }).count;
  if (isByIndex(view, filter) || hasTenantAtMost(filter)) return countOf(counting(where).get(...values));
  const statement = counting(`${access(filter)} ${where} AND id >= ? AND id < ?`);
  let sum = 0;
  yield* byKey(view, { newestFirst: true, below: beforeKey(view, filter) }, (from, to) => {
    sum += countOf(statement.get(...values, from, to));
    return true;
  });
  return sum;
}

/** Oldest first; dead letters by their failure. */
export function* listIds(view: ReadView, filter: JobFilter, limit: number): SlicedRead<string[]> {
  const { where, values } = conditions(view, filter);
  const ids: number[] = [];
  const take = (rows: unknown[]) => {
    for (const row of rows) ids.push((row as { id: number }).id);
    return ids.length < limit;
  };
  if (isOnlyDeadLetters(filter)) {
    const sql = `SELECT id FROM job ${where} AND id IN (SELECT value FROM json_each(?)) ORDER BY finished_at, id LIMIT ?`;
    const statement = view.statement(sql);
    yield* byFailure(view, { newestFirst: false }, (keys) => take(statement.all(...values, keys, limit - ids.length)));
  } else if (isByIndex(view, filter)) {
    take(view.statement(`SELECT id FROM job ${where} ORDER BY id LIMIT ?`).all(...values, limit));
  } else {
    const sql = `SELECT id FROM job ${access(filter)} ${where} AND id >= ? AND id < ? ORDER BY id LIMIT ?`;
    const statement = view.statement(sql);
    yield* byKey(view, { newestFirst: false, below: beforeKey(view, filter) }, (from, to) =>
      take(statement.all(...values, from, to, limit - ids.length)),
    );
  }
  return ids.map((id) => view.ids.encode(id));
}

function toJobs(view: ReadView, rows: unknown[]): Job[] {
  return rows.map((row) => toJob(view, row as JobRow));
}

/**
 * The index is named, because the planner might read all of a partial index for every slice. Without a tenant the table
 * is read by key.
 */
function access({ tenant }: JobFilter): string {
  return tenant === undefined ? "NOT INDEXED" : "INDEXED BY job_tenant";
}

function beforeKey(view: ReadView, { beforeId }: JobFilter): number | undefined {
  return beforeId === undefined ? undefined : (view.ids.decode(beforeId) ?? 0);
}

/** All jobs, or all of a tenant, are counted on an index alone: 50 ms for a million. */
function hasTenantAtMost(filter: JobFilter): boolean {
  return Object.entries(filter).every(
    ([name, value]) => value === undefined || ["tenant", "limit", "offset"].includes(name),
  );
}

/** Standings with a partial index of their own. */
const INDEXED: readonly Standing[] = ["scheduled", "held", "running"];
const FEW = 10_000;
const COUNTS =
  "SELECT coalesce(sum(scheduled), 0) AS scheduled, coalesce(sum(held), 0) AS held, coalesce(sum(running), 0) AS running FROM stage";

/** Few jobs are asked for, and an index has them: by their ids, parent or batch, or by a standing that few jobs have now. */
function isByIndex(view: ReadView, filter: JobFilter): boolean {
  if (filter.ids || filter.parent !== undefined || filter.batch !== undefined) return true;
  const standings = standingsOf(filter);
  if (!standings?.every((standing) => INDEXED.includes(standing))) return false;
  const counts = view.statement(COUNTS).get() as Record<string, number>;
  return standings.reduce((sum, standing) => sum + (counts[standing] ?? 0), 0) < FEW;
}

function standingsOf({ standings, status, inProgress, waitsFor }: JobFilter): readonly Standing[] | undefined {
  if (waitsFor !== undefined) return [waitsFor === "hold" ? "held" : "scheduled"];
  if (inProgress || status === "running") return ["running"];
  if (status === "held" || status === "scheduled") return [status];
  return standings;
}
