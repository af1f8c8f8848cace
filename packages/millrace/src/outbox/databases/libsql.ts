import type { OutboxDatabase } from "./database.ts";
import { questionMarkDatabase } from "./question-marks.ts";

/** A client of `@libsql/client`. */
export interface LibsqlClient {
  /** Runs one statement. */
  // biome-ignore lint/suspicious/noExplicitAny: the library has types of its own
  execute(statement: any): Promise<any>;
}

/** A database of libSQL. The owner of the client closes it. */
export function libsqlDatabase(client: LibsqlClient): OutboxDatabase {
  return questionMarkDatabase({
    dialect: "sqlite",
    query: async (sql, args) => [...(await client.execute({ sql, args: [...args] })).rows].map((row) => ({ ...row })),
    close: async () => {},
  });
}
