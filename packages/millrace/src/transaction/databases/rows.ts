// What drivers for MySQL and errors of all databases have in common.

type Row = Record<string, unknown>;

/** `mysql2` answers with the rows and their fields; `mariadb` with the rows. */
export function mysqlRows(answer: unknown): Row[] {
  if (!Array.isArray(answer)) return [];
  return (Array.isArray(answer[0]) ? answer[0] : answer) as Row[];
}

/** PostgreSQL, MySQL (its name and number), SQLite. */
const MISSING_TABLE = /42P01|ER_NO_SUCH_TABLE|\b1146\b|no such table/;
const DEEPEST_CAUSE = 4;

/** Whether a statement failed because the table does not exist. Libraries wrap the error of their driver. */
export function missingTable(error: unknown, table: string, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > DEEPEST_CAUSE) return false;
  const { code, errno, message, cause, driverError } = error as Record<string, unknown>;
  const words = `${String(code)} ${String(errno)} ${String(message)}`;
  if (MISSING_TABLE.test(words) && words.includes(table)) return true;
  return missingTable(cause, table, depth + 1) || missingTable(driverError, table, depth + 1);
}
