import { existsSync } from "node:fs";
import type { SqliteConnection } from "../../job/transaction-source.ts";
import { AppError } from "../../lib/app-error.ts";
import type { OutboxDatabase } from "./database.ts";
import { questionMarkDatabase } from "./question-marks.ts";

/** The application may write at any moment. A relay that blocked this process until then would hold up everything else. */
const BUSY_MS = 100;

/** The file of an application. It is opened when it is needed. */
export function sqliteFile(path: string, { mayCreate = false } = {}): OutboxDatabase {
  let opened: (SqliteConnection & { close(): void }) | undefined;
  const connection = () => {
    opened ??= openFile(path, mayCreate);
    return opened;
  };
  return sqliteDatabase(connection, async () => opened?.close());
}

/** A connection of the application. A relay uses it between the application's own statements. */
export function sqliteDatabase(connection: () => SqliteConnection, close = async () => {}): OutboxDatabase {
  return questionMarkDatabase({
    dialect: "sqlite",
    query: async (statement, values) => {
      const prepared = connection().prepare(statement);
      if (statement.startsWith("SELECT")) return prepared.all(...values);
      prepared.run(...values);
      return [];
    },
    close,
  });
}

function openFile(path: string, mayCreate: boolean): SqliteConnection & { close(): void } {
  if (!mayCreate && !existsSync(path)) {
    throw new AppError("outbox-unusable", `There is no file ${path} for the outbox.`, {
      hint: "Check the path. `millrace outbox init <file>` creates the tables.",
    });
  }
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  // Ids are forgotten once their rows are deleted, so a power cut must not bring the rows back.
  db.exec("PRAGMA synchronous = FULL");
  return db;
}
