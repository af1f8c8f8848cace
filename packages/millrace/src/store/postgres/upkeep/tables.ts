// How all rows of each table are read from PostgreSQL, and how a row is written into a SQLite file. What SQLite keeps as
// counters is counted there at the end.

import { STANDINGS } from "../../../job/job.ts";
import { READY, RUNNING } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { type StoredTable, TABLES } from "../../columns/tables.ts";

export interface CopiedTable {
  name: string;
  /** The columns in the order in which `putSqlite` takes them. */
  columns: readonly string[];
  allPostgres: string;
  putSqlite: string;
}

/** In PostgreSQL every payload is in its row: the flags of bodies are not used, and a file may keep them in the row too. */
export const COPIED: readonly CopiedTable[] = [
  {
    name: "meta",
    columns: ["name", "value"],
    allPostgres: `SELECT name, value FROM millrace.meta WHERE name = 'id_secret'
      UNION ALL SELECT 'next_job', (last_value + is_called::int)::text FROM millrace.job_key`,
    putSqlite: "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
  },
  // The move makes new lanes instead of copying them.
  copied({ name: "lane", inFile: "lane", inPostgres: "lane" }, ["stage", "tenant", "turn"]),
  ...TABLES.map((table) =>
    copied(
      table,
      table.columns.map(({ name }) => name),
    ),
  ),
];

function copied(
  { name, inFile, inPostgres }: Pick<StoredTable, "name" | "inFile" | "inPostgres">,
  columns: string[],
): CopiedTable {
  return {
    name,
    columns,
    allPostgres: `SELECT ${listOf(columns)} FROM millrace.${inPostgres}`,
    putSqlite: `INSERT INTO ${inFile} (${listOf(columns)}) VALUES (${columns.map(() => "?").join(", ")})`,
  };
}

/** What SQLite counts as it goes. */
export const COUNTERS: readonly string[] = [
  `UPDATE stage SET ${STANDINGS.map((name, code) => `${name} = (SELECT count(*) FROM job WHERE job.stage = stage.id AND standing = ${code})`).join(", ")},
    turn = (SELECT coalesce(max(lane.turn), 0) FROM lane WHERE lane.stage = stage.id)`,
  `UPDATE tenant SET running = (SELECT count(*) FROM job WHERE job.tenant = tenant.id AND standing = ${RUNNING})`,
  `INSERT OR IGNORE INTO lane (stage, tenant) SELECT DISTINCT stage, tenant FROM job WHERE standing = ${READY}`,
  `UPDATE lane SET ready = (SELECT count(*) FROM job WHERE job.stage = lane.stage AND job.tenant = lane.tenant AND standing = ${READY})`,
  "UPDATE artifacts.shared_sum SET bytes = (SELECT coalesce(sum(size), 0) FROM artifacts.shared)",
  "INSERT INTO window_sum (what, owner, count) SELECT what, owner, sum(count) FROM window GROUP BY what, owner",
];
