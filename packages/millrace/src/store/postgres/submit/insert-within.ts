import { SCHEDULED } from "../../codes.ts";
import type { CallerRunner } from "../connection/caller-runner.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import { NAMES_VERSION } from "../register/names.ts";
import {
  type Entry,
  FIRST_OPTION,
  OPTION_COLUMNS,
  OPTION_NAMES,
  OPTION_VALUES,
  optionScalars,
  optionValues,
  SCALAR_VALUES,
  startScalars,
  startValues,
} from "./insert.ts";

const AFTER_OPTIONS = FIRST_OPTION + OPTION_COLUMNS.length;

// $1 the moment, $2 the number of the transaction, $3 the version of the catalog, $4 stages, $5 tenants, $6 run_at, $7 delay_ms,
// $8 flags, then the options, last the secret of the store. Nothing is inserted in another transaction than the one that was
// checked: without a transaction every statement has its own.
const INSERT = `WITH clock AS (SELECT ${NOW} AS now),
  place AS MATERIALIZED (
    SELECT pg_current_xact_id()::text = $2::text AS "isSameTransaction",
      coalesce((SELECT value FROM millrace.meta WHERE name = 'id_secret') = $${AFTER_OPTIONS}::text, false) AS "isSameStore",
      $3::text IS NULL OR ${NAMES_VERSION} = $3::text AS "isSameCatalog"
  ),
  given AS (
    SELECT t.*, greatest(coalesce(given_at, now + coalesce(delay_ms, 0)), 0) AS at, now
    FROM clock, place,
      unnest($4::int[], $5::int[], $6::bigint[], $7::bigint[], $8::int[], ${OPTION_COLUMNS.map(({ parameter }) => parameter).join(", ")})
      WITH ORDINALITY AS t (stage, tenant, given_at, delay_ms, flags, ${OPTION_NAMES}, n)
    WHERE "isSameTransaction" AND "isSameStore" AND "isSameCatalog"
  ),
  inserted AS (
    INSERT INTO millrace.job (id, stage, tenant, standing, run_at, flags, created_at, updated_at, ${OPTION_NAMES})
    SELECT nextval('millrace.job_key'), stage, tenant, ${SCHEDULED}, at, coalesce(flags, 0), now, now, ${OPTION_VALUES}
    FROM (SELECT given.* FROM given ORDER BY n) AS sorted
    RETURNING id
  )
  SELECT json_build_object(
    'keys', coalesce((SELECT json_agg(id) FROM inserted), '[]'),
    'at', (SELECT now FROM clock),
    'isSameTransaction', "isSameTransaction",
    'isSameStore', "isSameStore",
    'isSameCatalog', "isSameCatalog"
  )::text AS answer FROM place`;

// Inserts a single job, which most submissions are. The server plans and runs it in half the time. It returns no row if
// one of the three claims is false.
const INSERT_ONE = `WITH inserted AS (
    INSERT INTO millrace.job (id, stage, tenant, standing, run_at, flags, created_at, updated_at, ${OPTION_NAMES})
    SELECT nextval('millrace.job_key'), $4::int, $5::int, ${SCHEDULED}, at, coalesce($8::int, 0), now, now, ${SCALAR_VALUES}
    FROM (
      SELECT now, greatest(coalesce($6::bigint, now + coalesce($7::bigint, 0)), 0) AS at FROM (SELECT ${NOW} AS now) AS clock
    ) AS moment
    WHERE pg_current_xact_id()::text = $2::text
      AND (SELECT value FROM millrace.meta WHERE name = 'id_secret') = $${AFTER_OPTIONS}::text
      AND ($3::text IS NULL OR ${NAMES_VERSION} = $3::text)
    RETURNING id, created_at
  )
  SELECT json_build_object('keys', json_build_array(id), 'at', created_at)::text AS answer FROM inserted`;

export interface InsertedWithin {
  keys: number[];
  at: number;
  isSameTransaction: boolean;
  isSameStore: boolean;
  isSameCatalog: boolean;
}

/** The answer of the statement that stores one job. Undefined: one of the three claims is false. */
export type InsertedOne = Pick<InsertedWithin, "keys" | "at">;

/** The statement that stores one job, and its values. The number of the transaction is its value at the third place. */
export function insertOne(
  core: Core,
  entry: Entry,
  { now, transaction, version }: { now: number | null; transaction: string | null; version: string | null },
): [statement: string, values: (number | string | null)[], transactionAt: number] {
  const values = [now, transaction, version, ...startScalars(entry), ...optionScalars(entry), core.idSecret];
  return [INSERT_ONE, values, 1];
}

/** Stores jobs as scheduled and due. If one of the three claims is false, nothing is stored. */
export async function insertWithin(
  core: Core,
  tx: CallerRunner,
  entries: Entry[],
  { now, transaction, version }: { now: number | null; transaction: string; version: string | null },
): Promise<InsertedWithin> {
  const [entry] = entries;
  if (entry && entries.length === 1) {
    const [statement, values] = insertOne(core, entry, { now, transaction, version });
    const inserted = await tx.ask<InsertedOne>(statement, values);
    if (inserted) return { ...inserted, isSameTransaction: true, isSameStore: true, isSameCatalog: true };
  }
  const values = [now, transaction, version, ...startValues(entries), ...optionValues(entries), core.idSecret];
  return (await tx.ask<InsertedWithin>(INSERT, values)) as InsertedWithin;
}
