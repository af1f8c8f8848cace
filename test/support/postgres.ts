// A database of the test file's own, on the server of this run (TEST_DATABASE_URL, which scripts/test.js sets), or on one
// that this process starts. A machine on which it cannot start fails the tests: they are never skipped.

import { randomBytes } from "node:crypto";
import { after } from "node:test";
import pg from "pg";
import { PostgresServer } from "./postgres-server.ts";

let server: PostgresServer | undefined;
let serverUrl: Promise<string> | undefined;

/** The address of a new and empty database, gone when the file's tests are over. */
export async function freshDatabase(): Promise<string> {
  serverUrl ??= findServer();
  const url = await serverUrl;
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await administer(url, (run) => run(`CREATE DATABASE ${name}`));
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

async function administer(url: string, work: (run: (sql: string) => Promise<unknown>) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work((sql) => client.query(sql));
  } finally {
    await client.end();
  }
}
