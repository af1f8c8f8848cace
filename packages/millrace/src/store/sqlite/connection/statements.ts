import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Ours are some two hundred; a list's text varies with what is asked, in thousands of ways. */
const MOST = 512;

/** Prepares each statement once. When there are too many all go, since telling which are worth keeping costs every call. */
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
