// A column of a stored table, described once. Statements, row types and copies are made from these descriptions when a module
// loads, so that a new column is one line here and no statement counts positions.

/** The type in PostgreSQL. SQLite stores numbers and booleans as INTEGER and strings as TEXT. */
export type ColumnType = "bigint" | "int" | "smallint" | "text" | "boolean" | "double precision" | "bytea";

/** What every column of every table says. */
export interface Column {
  readonly type: ColumnType;
  /** The column may be NULL. */
  readonly nullable?: boolean;
  /** How the value is read from a SQLite file for a copy, where it is not simply the column. */
  readonly inFile?: string;
}

type Stored<C extends Column> = C["type"] extends "text" ? string : C["type"] extends "boolean" ? boolean : number;

/** The row of a table, by the names of its columns. */
export type RowOf<Table extends Readonly<Record<string, Column>>> = {
  -readonly [Name in keyof Table]: Table[Name] extends { nullable: true }
    ? Stored<Table[Name]> | null
    : Stored<Table[Name]>;
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

/**
 * Reads rows that the driver gives as arrays. The row is a view of the array: a column is read when somebody asks for it, which
 * costs less than an object with every column.
 */
export function rowReader<Row>(names: readonly (keyof Row & string)[]): (cells: readonly unknown[]) => Row {
  class ReadRow {
    readonly cells: readonly unknown[];

    constructor(cells: readonly unknown[]) {
      this.cells = cells;
    }
  }
  for (const [position, name] of names.entries()) {
    Object.defineProperty(ReadRow.prototype, name, {
      get(this: ReadRow) {
        return this.cells[position];
      },
      enumerable: true,
    });
  }
  return (cells) => new ReadRow(cells) as Row;
}
