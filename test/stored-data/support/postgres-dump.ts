// A dump of the schema "millrace", as pg_dump would make it. npm brings a PostgreSQL server, and none of its tools.

import type pg from "pg";

export interface PostgresDump {
  /** The definitions of tables, constraints, indexes and views, in the order in which they can be run. */
  readonly statements: readonly string[];
  /** By table, its rows as a JSON array. */
  readonly rows: Readonly<Record<string, string>>;
  readonly sequences: Readonly<Record<string, { readonly last: string; readonly isCalled: boolean }>>;
}

const SCHEMA = "'millrace'::regnamespace";
const TABLES = `SELECT oid, relname AS name, reloptions AS options FROM pg_class
  WHERE relnamespace = ${SCHEMA} AND relkind = 'r' ORDER BY relname`;
const COLUMNS = `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS required, attidentity AS identity,
    pg_get_expr(adbin, adrelid) AS fallback, attstattarget AS statistics,
    CASE WHEN attcollation <> typcollation THEN collname END AS collation,
    CASE WHEN attstorage <> typstorage THEN attstorage END AS storage
  FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
  WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;
const CONSTRAINTS = `SELECT conrelid::regclass AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
  WHERE connamespace = ${SCHEMA} AND contype IN ('p', 'u', 'c', 'f') ORDER BY contype = 'f', conrelid::regclass::text, conname`;
const INDEXES = `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = ${SCHEMA} AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid) ORDER BY relname`;
const VIEWS = `SELECT relname AS name, pg_get_viewdef(oid) AS definition FROM pg_class
  WHERE relnamespace = ${SCHEMA} AND relkind = 'v' ORDER BY relname`;
const SEQUENCES = `SELECT relname AS name, EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'i') AS owned
  FROM pg_class WHERE relnamespace = ${SCHEMA} AND relkind = 'S' ORDER BY relname`;
const STORAGE: Record<string, string> = { p: "PLAIN", e: "EXTERNAL", m: "MAIN", x: "EXTENDED" };

export async function dumpDatabase(client: pg.Client): Promise<PostgresDump> {
  const all = async (sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows;
  const statements: string[] = ["CREATE SCHEMA millrace"];
  const rows: Record<string, string> = {};
  const sequences: Record<string, { last: string; isCalled: boolean }> = {};
  for (const { name, owned } of await all(SEQUENCES)) {
    if (!owned) statements.push(`CREATE SEQUENCE millrace.${name}`);
    const [{ last, called }] = await all(`SELECT last_value::text AS last, is_called AS called FROM millrace.${name}`);
    sequences[name] = { last, isCalled: called };
  }
  for (const { oid, name, options } of await all(TABLES)) {
    statements.push(...tableStatements(name, options, await all(COLUMNS, [oid])));
    const [{ json }] = await all(`SELECT coalesce(json_agg(entry), '[]')::text AS json FROM millrace.${name} AS entry`);
    rows[name] = json;
  }
  for (const { table, name, definition } of await all(CONSTRAINTS))
    statements.push(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const { definition } of await all(INDEXES)) statements.push(definition);
  for (const { name, definition } of await all(VIEWS)) statements.push(`CREATE VIEW millrace.${name} AS ${definition}`);
  return { statements, rows, sequences };
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly identity: "" | "a" | "d";
  readonly fallback: string | null;
  readonly statistics: number | null;
  readonly collation: string | null;
  readonly storage: string | null;
}

function tableStatements(table: string, options: string[] | null, columns: Column[]): string[] {
  const definitions = columns.map(({ name, type, required, identity, fallback, collation }) => {
    const words = [name, type, collation ? `COLLATE "${collation}"` : "", required ? "NOT NULL" : ""];
    if (identity) words.push(`GENERATED ${identity === "a" ? "ALWAYS" : "BY DEFAULT"} AS IDENTITY`);
    else if (fallback !== null) words.push(`DEFAULT ${fallback}`);
    return words.filter(Boolean).join(" ");
  });
  const suffix = options ? ` WITH (${options.join(", ")})` : "";
  const alter = (column: string, change: string) =>
    `ALTER TABLE millrace.${table} ALTER COLUMN ${column} SET ${change}`;
  return [
    `CREATE TABLE millrace.${table} (${definitions.join(", ")})${suffix}`,
    ...columns.flatMap(({ name, statistics, storage }) => [
      ...(statistics !== null && statistics >= 0 ? [alter(name, `STATISTICS ${statistics}`)] : []),
      ...(storage !== null ? [alter(name, `STORAGE ${STORAGE[storage]}`)] : []),
    ]),
  ];
}

/** Restores a dump into an empty database. */
export async function restoreDatabase(client: pg.Client, { statements, rows, sequences }: PostgresDump): Promise<void> {
  for (const statement of statements) await client.query(statement);
  // Foreign keys are checked by triggers, which this switches off for the session.
  await client.query("SET session_replication_role = replica");
  for (const [table, json] of Object.entries(rows))
    await client.query(
      `INSERT INTO millrace.${table} SELECT * FROM json_populate_recordset(null::millrace.${table}, $1)`,
      [json],
    );
  for (const [name, { last, isCalled }] of Object.entries(sequences))
    await client.query("SELECT setval($1::regclass, $2::bigint, $3)", [`millrace.${name}`, last, isCalled]);
}
