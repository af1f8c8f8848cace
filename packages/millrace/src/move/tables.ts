// How the rows of each table are read from the file and from PostgreSQL (in the same order and the same form, so that they can
// be compared), and where they are written.

import { COMPLETED } from "../store/codes.ts";
import { type StoredTable, TABLES } from "../store/columns/tables.ts";

export interface MovedTable extends StoredTable {
  /** Where rows are written; jobs go to one of two tables. */
  readonly into: readonly { readonly table: string; readonly where: string }[];
}

export const MOVED: readonly MovedTable[] = TABLES.map((table) => ({
  ...table,
  into:
    table.name === "job"
      ? [
          { table: "millrace.job", where: `standing < ${COMPLETED}` },
          { table: "millrace.finished", where: `standing >= ${COMPLETED}` },
        ]
      : [{ table: `millrace.${table.inPostgres}`, where: "true" }],
}));
