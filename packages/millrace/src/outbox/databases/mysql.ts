import type { MysqlConnection } from "../../job/transaction-source.ts";
import type { MysqlPool } from "../../transaction/databases/recognise-database.ts";
import { mysqlRows } from "../../transaction/databases/rows.ts";
import { runInDatabase, withPromises } from "../../transaction/databases/run-in-database.ts";
import type { OutboxDatabase } from "./database.ts";
import { questionMarkDatabase } from "./question-marks.ts";

const REMOVE_ONE = "DELETE FROM millrace_outbox WHERE id = ?";

/** A pool of `mysql2` or `mariadb`. Its owner closes it. */
export function mysqlDatabase(pool: MysqlPool): OutboxDatabase {
  const promised = withPromises(pool) as unknown as { query(statement: string, values: unknown[]): Promise<unknown> };
  return questionMarkDatabase({
    dialect: "mysql",
    query: async (statement, values) => mysqlRows(await promised.query(statement, [...values])),
    // In a small table a DELETE of several ids reads all rows. It then waits for the transactions that are inserting others.
    remove: (ids) =>
      runInDatabase(pool, async (tx) => {
        for (const id of ids) await (tx as MysqlConnection).query(REMOVE_ONE, [id]);
      }),
    close: async () => {},
  });
}
