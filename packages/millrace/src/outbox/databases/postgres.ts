import { randomUUID } from "node:crypto";
import { toTransaction } from "../../transaction/recognise.ts";
import type { TransactionHandle } from "../../transaction/transaction.ts";
import { type Backlog, IDENTITY, MOST_COUNTED, type OutboxDatabase, PAGE, type StoredRow } from "./database.ts";
import { TABLES } from "./tables.ts";

// Values travel as strings, and rows come back as one JSON string, because libraries differ in both.
const FIND_IDENTITY = "SELECT value AS answer FROM millrace_meta WHERE name = $1::text";
const ADD_IDENTITY = `WITH put AS (
    INSERT INTO millrace_meta (name, value) VALUES ($1::text, $2::text) ON CONFLICT (name) DO NOTHING RETURNING name
  )
  SELECT count(*)::text AS answer FROM put`;
const READ = `SELECT coalesce(json_agg(found ORDER BY at, id), '[]')::text AS answer
  FROM (
    SELECT id, kind, payload::text, options::text, tenant, created_at AS at
    FROM millrace_outbox
    WHERE ($2::text IS NULL OR (created_at, id) > ($2::text::bigint, $3::text))
      AND kind IN (SELECT json_array_elements_text($1::text::json))
    ORDER BY created_at, id
    LIMIT ${PAGE}
  ) AS found`;
// Ids are forgotten once their rows are deleted, so a power cut must not bring the rows back.
const REMOVE = `WITH gone AS (
    DELETE FROM millrace_outbox
    WHERE id IN (SELECT json_array_elements_text($1::text::json))
      AND (SELECT set_config('synchronous_commit', 'on', true)) IS NOT NULL
    RETURNING id
  )
  SELECT count(*)::text AS answer FROM gone`;
const BACKLOG = `SELECT json_build_object(
    'waiting', (SELECT count(*) FROM (SELECT 1 FROM millrace_outbox LIMIT ${MOST_COUNTED}) AS counted),
    'oldestMs', (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - min(created_at) FROM millrace_outbox),
    'otherKinds', (
      SELECT coalesce(json_agg(kind), '[]')
      FROM (
        SELECT DISTINCT kind FROM millrace_outbox WHERE kind NOT IN (SELECT json_array_elements_text($1::text::json)) LIMIT 5
      ) AS others
    )
  )::text AS answer`;

/** A pool of `pg`, or the database object of `postgres`, Drizzle, Kysely, Knex, Prisma or TypeORM. Its owner closes it. */
export function postgresDatabase(pool: TransactionHandle): OutboxDatabase {
  const query = async (text: string, values: (string | null)[] = []): Promise<string | undefined> => {
    const { query } = toTransaction(pool);
    return (await query(text, values))[0]?.answer;
  };
  const list = (values: readonly string[]) => JSON.stringify(values);
  return {
    identity: async () => {
      await query(ADD_IDENTITY, [IDENTITY, randomUUID()]);
      return String(await query(FIND_IDENTITY, [IDENTITY]));
    },
    read: async (kinds, after) =>
      JSON.parse(
        (await query(READ, [list(kinds), after ? String(after.at) : null, after?.id ?? null])) ?? "[]",
      ) as StoredRow[],
    remove: async (ids) => {
      if (ids.length > 0) await query(REMOVE, [list(ids)]);
    },
    backlog: async (kinds) => {
      const { oldestMs, ...backlog } = JSON.parse((await query(BACKLOG, [list(kinds)])) as string) as Omit<
        Backlog,
        "oldestMs"
      > & { oldestMs: number | null };
      return { ...backlog, ...(oldestMs !== null && { oldestMs: Math.max(0, oldestMs) }) };
    },
    init: async () => {
      for (const statement of TABLES.postgres) await query(statement);
      await query(ADD_IDENTITY, [IDENTITY, randomUUID()]);
    },
    close: async () => {},
  };
}
