// A column of a stored table, described once. Statements, row types and copies are made from these descriptions when a module
// loads, so that a new column is one line here and no statement counts positions.

/** The type in PostgreSQL. SQLite stores numbers and booleans as INTEGER and strings as TEXT. */
export type ColumnType = "bigint" | "int" | "smallint" | "text" | "boolean" | "double precision" | "bytea";

/** What every column of every table says. */
export interface StoredColumn {
  readonly type: ColumnType;
  /** The column may be NULL. */
  readonly nullable?: boolean;
  /** How the value is read from a SQLite file for a copy, where it is not simply the column. */
  readonly inFile?: string;
}

type StoredValue<C extends StoredColumn> = C["type"] extends "text"
  ? string
  : C["type"] extends "boolean"
    ? boolean
    : number;

/** The row of a table, by the names of its columns. */
export type RowOf<Table extends Readonly<Record<string, StoredColumn>>> = {
  -readonly [Name in keyof Table]: Table[Name] extends { nullable: true }
    ? StoredValue<Table[Name]> | null
    : StoredValue<Table[Name]>;
};

/** The names as a list for SQL; `from` goes before each, as in `job.id, job.stage`. */
export function listOf(names: readonly string[], from = ""): string {
  return names.map((name) => (from === "" ? name : `${from}.${name}`)).join(", ");
}

/**
 * The values of an `INSERT ... SELECT`, in the order of `names`: the expression that `changed` has for a column, or the column
 * itself.
 */
export function valuesOf<Name extends string>(
  names: readonly Name[],
  changed: { readonly [N in Name]?: string },
): string {
  return names.map((name) => changed[name] ?? name).join(", ");
}
