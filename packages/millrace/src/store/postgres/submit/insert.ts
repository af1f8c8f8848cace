import { HAS_UNIQUE_KEY, READY, SCHEDULED } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { SUBMITTED_COLUMNS } from "../../columns/job-columns.ts";
import type { StoredJob } from "../../decide/join.ts";
import { flagsOf, HOLDS_KEY, KEYED } from "../../keys/codes.ts";
import { WAKE_LANES } from "../claim/lanes.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { NAMES_VERSION } from "../register/names.ts";

/** A job that is to be stored, with its tenant's number. */
export interface Entry extends StoredJob {
  readonly tenant: number;
}

/** The first parameter of the options; those before it are the same for every insert. */
export const FIRST_OPTION = 9;
export const OPTION_COLUMNS = SUBMITTED_COLUMNS.map((column, i) => ({
  ...column,
  parameter: `$${FIRST_OPTION + i}::${column.type}[]`,
}));
export const OPTION_NAMES = listOf(OPTION_COLUMNS.map(({ name }) => name));
/** A span in milliseconds becomes the moment after another one. A column that cannot be NULL is 0 where nothing was given. */
function stored({ after, nullable }: (typeof OPTION_COLUMNS)[number], value: string): string {
  if (after === undefined) return nullable ? value : `coalesce(${value}, 0)`;
  return `${after === "run_at" ? "at" : "now"} + ${value}`;
}
export const OPTION_VALUES = OPTION_COLUMNS.map((column) => stored(column, column.name)).join(", ");
/** The options of a single job, which are parameters by themselves instead of arrays. */
export const SCALAR_VALUES = OPTION_COLUMNS.map((column, i) =>
  stored(column, `$${FIRST_OPTION + i}::${column.type}`),
).join(", ");

/** Such a job stands scheduled and due until it gets a place at its concurrency key (keys/places.ts). */
const NEEDS_KEY = `coalesce(flags, 0) & ${KEYED | HOLDS_KEY} = ${KEYED}`;
// Keys are given in the order of the jobs: the sequence is asked after the sort.
// $1 the moment, $2 durable, $3 the version of the catalog, $4 stages, $5 tenants, $6 run_at, $7 delay_ms, $8 flags.
const INSERT = `WITH clock AS (SELECT ${NOW} AS now),
  given AS (
    SELECT t.*, greatest(coalesce(given_at, now + coalesce(delay_ms, 0)), 0) AS at, now
    FROM clock, unnest($4::int[], $5::int[], $6::bigint[], $7::bigint[], $8::int[], ${OPTION_COLUMNS.map(({ parameter }) => parameter).join(", ")})
      WITH ORDINALITY AS t (stage, tenant, given_at, delay_ms, flags, ${OPTION_NAMES}, n)
    WHERE $3::text IS NULL OR ${NAMES_VERSION} = $3::text),
  wanted AS (SELECT DISTINCT stage, tenant FROM given WHERE at <= now AND NOT ${NEEDS_KEY}),
  ${WAKE_LANES},
  settings AS (SELECT set_config('synchronous_commit', $2, true)),
  inserted AS (
    INSERT INTO millrace.job (id, stage, tenant, standing, run_at, flags, created_at, updated_at, ${OPTION_NAMES})
    SELECT nextval('millrace.job_key'), stage, tenant, CASE WHEN at > now OR ${NEEDS_KEY} THEN ${SCHEDULED} ELSE ${READY} END, at, coalesce(flags, 0), now, now,
      ${OPTION_VALUES}
    FROM (SELECT given.* FROM given, settings ORDER BY n) AS sorted
    RETURNING id)
  SELECT json_agg(id) AS keys, (SELECT now FROM clock) AS at FROM inserted`;

/**
 * Inserts all jobs with one statement. Returns their keys in the given order, and the time. The stages were chosen in
 * this transaction.
 */
export async function insertJobs(tx: StatementRunner, core: Core, entries: Entry[], now: number): Promise<number[]> {
  const { keys } = await insert(tx, core, entries, { now, version: null });
  return keys as number[];
}

/**
 * Inserts without a transaction. Without keys in the answer nothing was stored: the stages were chosen by a catalog
 * that has changed since.
 */
export function insertAtOnce(core: Core, entries: Entry[]): Promise<{ keys: number[] | null; at: number }> {
  return insert(core.connections.write, core, entries, { now: core.clock.given, version: core.names.version });
}

async function insert(
  db: StatementRunner,
  core: Core,
  entries: Entry[],
  { now, version }: { now: number | null; version: string | null },
): Promise<{ keys: number[] | null; at: number }> {
  const values = [now, core.durable(true), version, ...startValues(entries), ...optionValues(entries)];
  const [row] = await db.run<{ keys: number[] | null; at: number }>(INSERT, values);
  return row as { keys: number[] | null; at: number };
}

/** Stage, tenant, time and flags of every job, as arrays. */
export function startValues(entries: readonly Entry[]): string[] {
  return [
    numbers(entries.map(({ stage }) => stage.id)),
    numbers(entries.map(({ tenant }) => tenant)),
    sparse(entries, ({ job }) => job.runAt),
    sparse(entries, ({ job }) => job.delayMs),
    sparse(entries, storedFlags),
  ];
}

/** Stage, tenant, time and flags of a single job, each by itself. */
export function startScalars(entry: Entry): (number | null)[] {
  const { job, stage, tenant } = entry;
  return [stage.id, tenant, job.runAt ?? null, job.delayMs ?? null, storedFlags(entry) ?? null];
}

function storedFlags({ job }: Entry): number | undefined {
  return (job.uniqueKey === undefined ? 0 : HAS_UNIQUE_KEY) | flagsOf(job) || undefined;
}

/** Empty if no job has a value, as for most options: the server fills it up with NULL. */
function sparse(entries: readonly Entry[], read: (entry: Entry) => number | null | undefined): string {
  return entries.some((entry) => isGiven(read(entry))) ? numbers(entries.map(read)) : "{}";
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The options of every job, as arrays in the order of `OPTION_COLUMNS`. */
export function optionValues(entries: readonly Entry[]): string[] {
  return OPTION_COLUMNS.map(({ type, from, nullable }) => {
    if (type === "text") {
      const values = entries.map(({ job }) => from(job) as string | null | undefined);
      return values.some(isGiven) ? texts(values) : "{}";
    }
    return sparse(entries, ({ job }) => {
      const value = from(job) as number | null | undefined;
      return nullable || value !== 0 ? value : null;
    });
  });
}

/** The options of a single job, each by itself. */
export function optionScalars({ job }: Entry): (string | number | null)[] {
  return OPTION_COLUMNS.map(({ from }) => (from(job) as string | number | null | undefined) ?? null);
}

const PUT_UNIQUE = `INSERT INTO millrace.unique_key (kind, tenant, key, job, latest_at)
  SELECT * FROM unnest($1::int[], $2::int[], $3::text[], $4::bigint[], $5::bigint[])`;

export interface UniqueRow {
  kind: number;
  tenant: number;
  key: string;
  job: number;
  /** When the job starts at the latest, whatever later submissions ask for. */
  latest_at?: number | null;
}

export async function putUnique(tx: StatementRunner, rows: UniqueRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(PUT_UNIQUE, [
    numbers(rows.map(({ kind }) => kind)),
    numbers(rows.map(({ tenant }) => tenant)),
    texts(rows.map(({ key }) => key)),
    numbers(rows.map(({ job }) => job)),
    numbers(rows.map(({ latest_at }) => latest_at)),
  ]);
}
