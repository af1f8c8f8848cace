// What a settlement writes of a row. The same for both stores.

import { type JOB_COLUMNS, jobColumns } from "../columns/job-columns.ts";
import type { JobRow } from "./job-row.ts";

type Columns = typeof JOB_COLUMNS;
export type SettledColumn = {
  [Name in keyof Columns]: Columns[Name] extends { settled: true } ? Name : never;
}[keyof Columns];

export const SETTLED_COLUMNS = jobColumns(({ settled }) => settled === true) as SettledColumn[];

export type SettledColumns = Pick<JobRow, SettledColumn>;
