import { packTrace } from "../../../lib/trace-parent.ts";
import { HAS_UNIQUE_KEY, READY, SCHEDULED } from "../../codes.ts";
import type { NewJob } from "../../store.ts";
import { WAKE_LANES } from "../claim/lanes.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { NAMES_VERSION, type StageRow } from "../register/names.ts";

/** A job that may be stored: its first stage and its tenant's number are known. */
export interface Entry {
  job: NewJob;
  stage: StageRow;
  tenant: number;
}

// Keys are given in the order of the jobs: the sequence is asked after the sort.
const INSERT = `WITH clock AS (SELECT ${NOW} AS now),
  given AS (SELECT t.*, CASE WHEN run_at IS NOT NULL THEN greatest(run_at, 0) ELSE greatest(now + coalesce(delay_ms, 0), 0) END AS at, now
    FROM clock, unnest($3::int[], $4::int[], $5::int[], $6::bigint[], $7::bigint[], $8::int[], $9::int[], $10::bigint[],
    $11::bigint[], $12::text[], $13::text[], $14::text[]) WITH ORDINALITY
    AS t (stage, tenant, priority, run_at, delay_ms, flags, max_attempts, timeout_ms, expires_in_ms, payload, tags, trace, n)
    WHERE $15::text IS NULL OR ${NAMES_VERSION} = $15::text),
  wanted AS (SELECT DISTINCT stage, tenant FROM given WHERE at <= now),
  ${WAKE_LANES},
  settings AS (SELECT set_config('synchronous_commit', $2, true)),
  inserted AS (INSERT INTO millrace.job (id, stage, tenant, standing, priority, run_at, flags, created_at, updated_at, max_attempts,
    timeout_ms, expires_at, payload, tags, trace)
  SELECT nextval('millrace.job_key'), stage, tenant, CASE WHEN at > now THEN ${SCHEDULED} ELSE ${READY} END, priority, at, flags, now, now,
    max_attempts, timeout_ms, at + expires_in_ms, payload, tags, trace
  FROM (SELECT given.* FROM given, settings ORDER BY n) AS sorted RETURNING id)
  SELECT json_agg(id) AS keys, (SELECT now FROM clock) AS at FROM inserted`;

/** All of them by one statement: their keys, in the order given, and the moment. The stages were chosen in this transaction. */
export async function insertJobs(tx: Runner, core: Core, entries: Entry[], now: number): Promise<number[]> {
  const { keys } = await insert(tx, core, entries, { now, version: null });
  return keys as number[];
}

/** The same without a transaction. No keys: the stages were chosen by a catalog that has changed since, and nothing is stored. */
export function insertAtOnce(core: Core, entries: Entry[]): Promise<{ keys: number[] | null; at: number }> {
  return insert(core.connections.write, core, entries, { now: core.clock.given, version: core.names.version });
}

async function insert(
  db: Runner,
  core: Core,
  entries: Entry[],
  { now, version }: { now: number | null; version: string | null },
): Promise<{ keys: number[] | null; at: number }> {
  const column = <T>(read: (entry: Entry) => T) => entries.map(read);
  const [row] = await db.run<{ keys: number[] | null; at: number }>(INSERT, [
    now,
    core.durable(true),
    numbers(column(({ stage }) => stage.id)),
    numbers(column(({ tenant }) => tenant)),
    numbers(column(({ job }) => job.priority ?? 0)),
    numbers(column(({ job }) => job.runAt)),
    numbers(column(({ job }) => job.delayMs)),
    numbers(column(({ job }) => (job.uniqueKey === undefined ? 0 : HAS_UNIQUE_KEY))),
    numbers(column(({ job }) => job.maxAttempts)),
    numbers(column(({ job }) => job.timeoutMs)),
    numbers(column(({ job }) => job.expiresInMs)),
    texts(column(({ job }) => job.payload)),
    texts(column(({ job }) => (job.tags?.length ? JSON.stringify(job.tags) : null))),
    texts(column(({ job }) => packTrace(job))),
    version,
  ]);
  return row as { keys: number[] | null; at: number };
}

const PUT_UNIQUE = `INSERT INTO millrace.unique_key (kind, tenant, key, job)
  SELECT * FROM unnest($1::int[], $2::int[], $3::text[], $4::bigint[])`;

export interface UniqueRow {
  kind: number;
  tenant: number;
  key: string;
  job: number;
}

export async function putUnique(tx: Runner, rows: UniqueRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(PUT_UNIQUE, [
    numbers(rows.map(({ kind }) => kind)),
    numbers(rows.map(({ tenant }) => tenant)),
    texts(rows.map(({ key }) => key)),
    numbers(rows.map(({ job }) => job)),
  ]);
}
