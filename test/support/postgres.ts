// A database of the test file's own, on the server of this run (TEST_DATABASE_URL, which scripts/test.js sets), or on one
// that this process starts. A machine on which it cannot start fails the tests: they are never skipped.

import { randomBytes } from "node:crypto";
import { after } from "node:test";
import pg from "pg";
import { newIdSecret } from "../../packages/millrace/src/lib/public-id.ts";
import { PostgresServer, TEMPLATE } from "./postgres-server.ts";

let server: PostgresServer | undefined;
let serverUrl: Promise<string> | undefined;

/** The address of a new and empty database, gone when the file's tests are over. */
export function freshDatabase(): Promise<string> {
  return newDatabase((name, run) => run(`CREATE DATABASE ${name}`));
}

/**
 * A new database for a test that opens a store and has nothing to do with its first start: all migrations have run in it, where
 * the server of the run has a template.
 */
export async function migratedDatabase(): Promise<string> {
  let isCopy = false;
  const database = await newDatabase(async (name, run) => {
    const hasTemplate = `SELECT 1 FROM pg_database WHERE datname = '${TEMPLATE}' AND NOT datallowconn`;
    isCopy = ((await run(hasTemplate)) as { rowCount: number }).rowCount > 0;
    await run(`CREATE DATABASE ${name}${isCopy ? ` TEMPLATE ${TEMPLATE}` : ""}`);
  });
  // By its secret a database is known from another.
  const ownSecret = `UPDATE millrace.meta SET value = '${newIdSecret()}' WHERE name = 'id_secret'`;
  if (isCopy) await administer(database, (run) => run(ownSecret));
  return database;
}

type Run = (sql: string) => Promise<unknown>;

async function newDatabase(create: (name: string, run: Run) => Promise<unknown>): Promise<string> {
  serverUrl ??= findServer();
  const url = await serverUrl;
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await administer(url, (run) => create(name, run));
  databases.push(name);
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  return fresh.href;
}

const databases: string[] = [];
const endings: (() => Promise<void>)[] = [];

/** What must be closed before the databases go. */
export function beforeRemoval(end: () => Promise<void>): void {
  endings.push(end);
}

/** To be called at the top of a file, outside its tests. */
export function removeDatabasesAfterwards(): void {
  after(async () => {
    for (const end of endings) await end();
    if (serverUrl === undefined) return;
    if (server) return server.remove();
    await administer(await serverUrl, async (run) => {
      for (const name of databases) await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
  });
}

async function findServer(): Promise<string> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given) return given;
  server = await PostgresServer.start();
  return server.url;
}

async function administer(url: string, work: (run: Run) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work((sql) => client.query(sql));
  } finally {
    await client.end();
  }
}
