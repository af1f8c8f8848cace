import type { DatabaseSync, StatementSync } from "node:sqlite";

/** There are some two hundred fixed statements. Those of lists vary with the filter, in thousands of ways. */
const MOST = 512;

/**
 * Prepares each statement once. If there are too many, all are dropped, because tracking which ones to keep would cost
 * every call.
 */
export function preparedStatements(db: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size >= MOST) statements.clear();
      statement = db.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
}
