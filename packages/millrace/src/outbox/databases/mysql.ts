import type { MysqlPool } from "../../transaction/databases/recognise-database.ts";
import { mysqlRows } from "../../transaction/databases/rows.ts";
import { withPromises } from "../../transaction/databases/run-in-database.ts";
import type { OutboxDatabase } from "./database.ts";
import { questionMarkDatabase } from "./question-marks.ts";

/** A pool of `mysql2` or `mariadb`. Its owner closes it. */
export function mysqlDatabase(pool: MysqlPool): OutboxDatabase {
  const promised = withPromises(pool) as unknown as { query(statement: string, values: unknown[]): Promise<unknown> };
  return questionMarkDatabase({
    dialect: "mysql",
    query: async (statement, values) => mysqlRows(await promised.query(statement, [...values])),
    close: async () => {},
  });
}
