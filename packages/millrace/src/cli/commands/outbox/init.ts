import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { AppError } from "../../../lib/app-error.ts";
import type { OutboxDatabase } from "../../../outbox/databases/database.ts";
import { mysqlDatabase } from "../../../outbox/databases/mysql.ts";
import { postgresDatabase } from "../../../outbox/databases/postgres.ts";
import { sqliteFile } from "../../../outbox/databases/sqlite.ts";
import { type Dialect, TABLES } from "../../../outbox/databases/tables.ts";
import { defineCommand } from "../../arguments/command.ts";
import { say } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<database>"],
  flags: {
    print: { type: "boolean", doc: "print the statements instead of running them" },
  },
  about:
    "The database is the path of a SQLite file, or an address that begins with postgres:// or mysql://.\nIt is your own database, not that of the store. Tables that exist are left alone.\nUse --print to put the statements into your own migration.",
  examples: [
    "outbox init ./data/app.db",
    "outbox init postgres://app@localhost/shop",
    "outbox init mysql://app@localhost/shop --print",
  ],
  async run({ args: [address = ""], flags }) {
    if (flags.print) {
      say(TABLES[dialectOf(address)].map((statement) => `${statement};`).join("\n"));
      return 0;
    }
    const { database, close } = await open(address);
    try {
      await database.init();
    } finally {
      await database.close();
      await close();
    }
    say("The tables millrace_outbox, millrace_step and millrace_meta exist.");
    return 0;
  },
});

function dialectOf(address: string): Dialect {
  if (/^postgres(ql)?:\/\//.test(address)) return "postgres";
  return /^(mysql|mariadb):\/\//.test(address) ? "mysql" : "sqlite";
}

interface OpenedDatabase {
  database: OutboxDatabase;
  close(): Promise<unknown>;
}

async function open(address: string): Promise<OpenedDatabase> {
  switch (dialectOf(address)) {
    case "sqlite":
      return { database: sqliteFile(address, { mayCreate: true }), close: async () => {} };
    case "postgres": {
      const { default: pg } = await import("pg");
      const pool = new pg.Pool({ connectionString: address, max: 1 });
      return { database: postgresDatabase(pool), close: () => pool.end() };
    }
    case "mysql": {
      const { createPool } = await mysqlDriver();
      const pool = createPool(address);
      return { database: mysqlDatabase(pool as never), close: () => pool.end() };
    }
  }
}

interface MysqlDriver {
  createPool(address: string): { end(): Promise<void> };
}

/** The application's own driver, because Millrace brings none. */
async function mysqlDriver(): Promise<MysqlDriver> {
  const fromHere = createRequire(join(process.cwd(), "package.json"));
  try {
    return (await import(pathToFileURL(fromHere.resolve("mysql2/promise")).href)) as MysqlDriver;
  } catch (cause) {
    throw new AppError("outbox-unusable", "The package mysql2 is not installed in this folder.", {
      cause,
      hint: "Run the command in the folder of your application, or use --print and run the statements yourself.",
    });
  }
}
