import { createHash, type Hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { NamedColumn } from "../store/columns/tables.ts";
import { numbers, texts } from "../store/postgres/connection/arrays.ts";
import type { StatementRunner } from "../store/postgres/connection/connection.ts";
import type { MovedTable } from "./tables.ts";

export type CopiedRow = Record<string, unknown>;

/** The rows after the one with this key, in order. */
export function readFile(
  db: DatabaseSync,
  table: MovedTable,
  after: unknown[] | undefined,
  limit: number,
): CopiedRow[] {
  const columns = table.columns.map(({ name, inFile }) => `${inFile ?? name} AS ${name}`).join(", ");
  const keys = table.key.join(", ");
  const where = after === undefined ? "" : `WHERE (${keys}) > (${table.key.map(() => "?").join(", ")})`;
  const sql = `SELECT ${columns} FROM ${table.inFile} ${where} ORDER BY ${keys} LIMIT ?`;
  const rows = db.prepare(sql).all(...((after ?? []) as never[]), limit) as CopiedRow[];
  return rows.map((row) => normal(table, row));
}

/** Reads rows from PostgreSQL, in the order of bytes that SQLite has. */
export async function readDatabase(
  db: StatementRunner,
  table: MovedTable,
  after: unknown[] | undefined,
  limit: number,
): Promise<CopiedRow[]> {
  const typeOf = (name: string) => table.columns.find((column) => column.name === name)?.type;
  const keys = table.key.map((name) => (typeOf(name) === "text" ? `${name} COLLATE "C"` : name)).join(", ");
  const columns = table.columns.map(({ name }) => name).join(", ");
  const parameters = table.key.map(
    (name, i) => `$${i + 2}::${typeOf(name)}${typeOf(name) === "text" ? ' COLLATE "C"' : ""}`,
  );
  const where = after === undefined ? "" : `WHERE (${keys}) > (${parameters.join(", ")})`;
  const sql = `SELECT ${columns} FROM millrace.${table.inPostgres} ${where} ORDER BY ${keys} LIMIT $1`;
  const rows = await db.run<CopiedRow>(sql, [limit, ...((after ?? []) as never[])]);
  return rows.map((row) => normal(table, row));
}

export async function writeRows(tx: StatementRunner, table: MovedTable, rows: CopiedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const names = table.columns.map(({ name }) => name).join(", ");
  const bytes = table.columns.find(({ type }) => type === "bytea");
  if (bytes) return writeOneByOne(tx, table, rows);
  const arrays = table.columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(", ");
  const values = table.columns.map((column) => arrayOf(column, rows));
  for (const { table: into, where } of table.into) {
    // A batch that was written before its note of it was lost is written again: the same rows.
    await tx.run(
      `INSERT INTO ${into} (${names}) SELECT * FROM unnest(${arrays}) AS t (${names}) WHERE ${where} ON CONFLICT DO NOTHING`,
      values,
    );
  }
}

/** Artifacts are large, and travel as they are. */
async function writeOneByOne(tx: StatementRunner, table: MovedTable, rows: CopiedRow[]): Promise<void> {
  const names = table.columns.map(({ name }) => name);
  const parameters = names.map((_, i) => `$${i + 1}`).join(", ");
  const [into] = table.into;
  for (const row of rows) {
    const values = names.map((name) => row[name] as never);
    await tx.run(
      `INSERT INTO ${into?.table} (${names.join(", ")}) VALUES (${parameters}) ON CONFLICT DO NOTHING`,
      values,
    );
  }
}

function arrayOf({ name, type }: NamedColumn, rows: CopiedRow[]): string {
  if (type === "text") return texts(rows.map((row) => row[name] as string | null));
  return numbers(rows.map((row) => row[name] as number | null));
}

/** Both sides give the same row in the same form. */
function normal(table: MovedTable, row: CopiedRow): CopiedRow {
  const same: CopiedRow = {};
  for (const { name, type } of table.columns) {
    const value = row[name];
    if (value === null || value === undefined) same[name] = null;
    else if (type === "boolean") same[name] = value === 1 || value === true;
    else if (type === "bytea") same[name] = Buffer.from(value as Uint8Array);
    else same[name] = value;
  }
  return same;
}

export function keyOf(table: MovedTable, row: CopiedRow): unknown[] {
  return table.key.map((name) => row[name]);
}

/** A count and a digest over all rows, in order. */
export class Sum {
  count = 0;
  readonly #hash: Hash = createHash("sha256");

  add(rows: CopiedRow[]): void {
    this.count += rows.length;
    for (const row of rows) {
      const cells = Object.values(row).map((cell) => (Buffer.isBuffer(cell) ? digest(cell) : cell));
      this.#hash.update(`${JSON.stringify(cells)}\n`);
    }
  }

  digest(): string {
    return this.#hash.digest("hex");
  }
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
