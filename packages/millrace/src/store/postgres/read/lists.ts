// Lists of jobs by filter, and counts of them. Reads wait for the turn of their tenant.

import type { Job } from "../../../job/job.ts";
import { FAILED } from "../../codes.ts";
import { isOnlyDeadLetters, isSearch } from "../../search.ts";
import type { JobFilter } from "../../verbs/job-filter.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { conditions } from "./filter.ts";
import { NAMED, type NamedRow, toJobs } from "./row.ts";

/** Newest first. */
export async function list(core: Core, filter: JobFilter): Promise<Job[]> {
  const { where, values } = await conditions(core, filter);
  const n = values.length;
  const sql = `${NAMED} ${where} ORDER BY job.id DESC LIMIT $${n + 1} OFFSET $${n + 2}`;
  const page = [filter.limit ?? 50, filter.offset ?? 0];
  return toJobs(core, await reading(core, filter, (db) => db.run<NamedRow>(sql, [...values, ...page])));
}

export async function listIds(core: Core, filter: JobFilter, limit: number): Promise<string[]> {
  const { where, values } = await conditions(core, filter);
  const n = values.length + 1;
  const sql = isOnlyDeadLetters(filter)
    ? `SELECT id FROM millrace.finished AS job ${where} AND standing = ${FAILED} ORDER BY finished_at, id LIMIT $${n}`
    : `SELECT id FROM millrace.every_job AS job ${where} ORDER BY id LIMIT $${n}`;
  const rows = await reading(core, filter, (db) => db.run<{ id: number }>(sql, [...values, limit]));
  return rows.map((row) => core.ids.encode(row.id));
}

/** Reads wait for the turn of their tenant. Searches have connections of their own. */
export function reading<T>(core: Core, filter: JobFilter, work: (db: StatementRunner) => Promise<T>): Promise<T> {
  const { lists, searches } = core.connections;
  return (isSearch(filter) ? searches : lists).run(filter.tenant, work);
}

export async function count(core: Core, filter: JobFilter): Promise<number> {
  const { where, values } = await conditions(core, filter);
  const sql = `SELECT count(*)::bigint AS count FROM millrace.every_job AS job ${where}`;
  const [row] = await reading(core, filter, (db) => db.run<{ count: number }>(sql, values));
  return row?.count ?? 0;
}
