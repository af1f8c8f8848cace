// The statements for SQLite and MySQL, whose parameters are question marks.

import { randomUUID } from "node:crypto";
import { type Backlog, IDENTITY, MOST_COUNTED, type OutboxDatabase, PAGE, type StoredRow } from "./database.ts";
import { type Dialect, TABLES } from "./tables.ts";

type Row = Record<string, unknown>;

export interface QuestionMarkDriver {
  readonly dialect: Exclude<Dialect, "postgres">;
  /** Runs one statement in a transaction of its own. */
  query(statement: string, values: readonly unknown[]): Promise<Row[]>;
  /** Deletes rows by their ids, where one statement for all of them does not do. */
  remove?(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const NOW = {
  sqlite: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
  mysql: "ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)",
} as const;
const ADD_IDENTITY = {
  sqlite: "INSERT OR IGNORE INTO millrace_meta (name, value) VALUES (?, ?)",
  mysql: "INSERT IGNORE INTO millrace_meta (name, value) VALUES (?, ?)",
} as const;

const READ_IDENTITY = "SELECT value FROM millrace_meta WHERE name = ?";
const READ = `SELECT id, kind, payload, options, tenant, created_at AS created FROM millrace_outbox
  WHERE (created_at > ? OR (created_at = ? AND id > ?)) AND kind IN (:list)
  ORDER BY created_at, id
  LIMIT ${PAGE}`;
const REMOVE = "DELETE FROM millrace_outbox WHERE id IN (:list)";
const COUNT = `SELECT count(*) AS waiting FROM (SELECT 1 FROM millrace_outbox LIMIT ${MOST_COUNTED}) AS counted`;
const OLDEST = "SELECT min(created_at) AS oldest FROM millrace_outbox";
const OTHER_KINDS = "SELECT DISTINCT kind FROM millrace_outbox WHERE kind NOT IN (:list) LIMIT 5";

const withList = (statement: string, values: readonly unknown[]) =>
  statement.replace(":list", values.map(() => "?").join(", "));

export function questionMarkDatabase({ dialect, query, remove, close }: QuestionMarkDriver): OutboxDatabase {
  const oldest = OLDEST.replace("AS oldest", `AS oldest, ${NOW[dialect]} AS moment`);
  return {
    identity: async () => {
      await query(ADD_IDENTITY[dialect], [IDENTITY, randomUUID()]);
      return String((await query(READ_IDENTITY, [IDENTITY]))[0]?.["value"]);
    },
    read: async (kinds, after) => {
      const { at, id } = after ?? { at: -1, id: "" };
      return (await query(withList(READ, kinds), [at, at, id, ...kinds])).map(
        ({ created, ...row }) => ({ ...row, at: Number(created) }) as unknown as StoredRow,
      );
    },
    remove: async (ids) => {
      if (ids.length === 0) return;
      if (remove) await remove(ids);
      else await query(withList(REMOVE, ids), ids);
    },
    backlog: async (kinds): Promise<Backlog> => {
      const waiting = Number((await query(COUNT, []))[0]?.["waiting"]);
      if (waiting === 0) return { waiting, otherKinds: [] };
      const [age] = await query(oldest, []);
      const others = await query(withList(OTHER_KINDS, kinds), kinds);
      return {
        waiting,
        oldestMs: Math.max(0, Number(age?.["moment"]) - Number(age?.["oldest"])),
        otherKinds: others.map(({ kind }) => String(kind)),
      };
    },
    init: async () => {
      for (const statement of TABLES[dialect]) await query(statement, []);
      await query(ADD_IDENTITY[dialect], [IDENTITY, randomUUID()]);
    },
    close,
  };
}
