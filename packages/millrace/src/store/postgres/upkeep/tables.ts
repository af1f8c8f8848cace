// The tables of both stores, side by side: how all rows of one are read, and how a row is written into the other. What
// SQLite keeps as counters is counted there at the end.

import { STANDINGS } from "../../../job/job.ts";

export interface Table {
  name: string;
  /** All rows, in the order of their keys; the columns in the order that `putSqlite` takes them. */
  allPostgres: string;
  putSqlite: string;
}

const JOB_COLUMNS = `id, stage, tenant, standing, priority, run_at, token, holder, slot, attempt, failures, failures_total, crashes, flags,
  created_at, updated_at, started_at, finished_at, max_attempts, timeout_ms, expires_at, payload, output, failure, held_for, progress,
  tags, trace, retry_of, retried_as`;

/** In PostgreSQL every payload is in its row: the flags of bodies are not used, and a file may keep them in the row too. */
export const TABLES: readonly Table[] = [
  table("meta", "name, value", {
    where:
      "WHERE name = 'id_secret' UNION ALL SELECT 'next_job', (last_value + is_called::int)::text FROM millrace.job_key",
    put: "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
  }),
  table("tenant", "id, name"),
  table("kind", "id, name, paused, plan, last_plan, last_pin, last_number"),
  table("plan", "id, kind, stages, hash, first_seen, needs"),
  table("deployment", "id, label, number, announced_at, living_since, ended_at"),
  table("deployment_plan", "deployment, plan"),
  table("stage", "id, kind, name, plan, pin, position, next"),
  table("lane", "stage, tenant, turn"),
  table("instance", "id, name, started_at, beat_at, expires_at, lease_ms, place, pools, draining, died_at, level"),
  table("job", JOB_COLUMNS, { from: "every_job" }),
  table("attempt", "id, job, stage, attempt, started_at, ended_at, holder, slot, outcome, failure, beside"),
  table("step", "job, stage, name, value, saved_at"),
  table("log", "id, job, at, level, message, data"),
  table("unique_key", "kind, tenant, key, job"),
  table("idempotency", "tenant, key, fingerprint, jobs, created_at"),
  table("window", "what, owner, at, count", { from: "window_entry" }),
  table("limiter", "name, count, per_ms, level, level_at, blocked_until"),
  table("schedule", "tenant, name, rule, next_at, last_at, last_job"),
  table("artifact", "job, name, content_type, bytes", { file: "artifacts.artifact" }),
  table("job_share", "job, key"),
  table("shared", "id, key, size, created_at, read_at, content_type, info, bytes", { file: "artifacts.shared" }),
  table("link", "link, tenant, shared", { file: "artifacts.link" }),
  table("api_key", "id, name, tenant, scopes, secret_hash, created_at, expires_at, revoked_at"),
  table("audit", "id, at, who, what, target, tenant, trace"),
  table("record", "version, space, tenant, key, updated_at, expires_at, value"),
];

function table(
  name: string,
  columns: string,
  { from = name, where = "", file = name, put }: { from?: string; where?: string; file?: string; put?: string } = {},
): Table {
  const places = columns.split(",").map(() => "?");
  return {
    name,
    allPostgres: `SELECT ${columns} FROM millrace.${from} ${where}`,
    putSqlite: put ?? `INSERT INTO ${file} (${columns}) VALUES (${places.join(", ")})`,
  };
}

/** What SQLite counts as it goes. */
export const COUNTERS: readonly string[] = [
  `UPDATE stage SET ${STANDINGS.map((name, code) => `${name} = (SELECT count(*) FROM job WHERE job.stage = stage.id AND standing = ${code})`).join(", ")},
    turn = (SELECT coalesce(max(lane.turn), 0) FROM lane WHERE lane.stage = stage.id)`,
  "UPDATE tenant SET running = (SELECT count(*) FROM job WHERE job.tenant = tenant.id AND standing = 4)",
  `INSERT OR IGNORE INTO lane (stage, tenant) SELECT DISTINCT stage, tenant FROM job WHERE standing = 1`,
  `UPDATE lane SET ready = (SELECT count(*) FROM job WHERE job.stage = lane.stage AND job.tenant = lane.tenant AND standing = 1)`,
  "UPDATE artifacts.shared_sum SET bytes = (SELECT coalesce(sum(size), 0) FROM artifacts.shared)",
  "INSERT INTO window_sum (what, owner, count) SELECT what, owner, sum(count) FROM window GROUP BY what, owner",
];
