// Makes the fixtures of the stored data with the engine of a checkout: make.ts <checkout>. Run by scripts/stored-data.js.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { PostgresServer } from "../../support/postgres-server.ts";
import { RUNTIME, root } from "../../support/program.ts";
import type { Location } from "./engine.ts";
import { type FixtureData, type SqliteData, unpackSqlite, writeFixture } from "./fixture.ts";
import { FAR, type Secrets } from "./phases.ts";
import { dumpDatabase, restoreDatabase } from "./postgres-dump.ts";

const [checkout = root] = process.argv.slice(2);
const commit = execFileSync("git", ["-C", checkout, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
const folder = mkdtempSync(join(tmpdir(), "millrace-stored-data-"));
try {
  await makeSqlite();
  await makePostgres();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function makeSqlite(): Promise<void> {
  const made = join(folder, "made");
  mkdirSync(made);
  const path = join(made, "jobs.db");
  const secrets = await runPhases(path);
  const db = new DatabaseSync(path);
  db.exec(neutral(""));
  db.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM");
  db.close();
  const names = readdirSync(made).filter((name) => name.endsWith(".db"));
  const data: SqliteData = Object.fromEntries(names.map((name) => [name, readFileSync(join(made, name), "base64")]));
  const copy = join(folder, "copy");
  mkdirSync(copy);
  await write("sqlite", data, secrets, unpackSqlite(data, copy));
}

async function makePostgres(): Promise<void> {
  const server = await PostgresServer.start();
  try {
    const made = await databaseOf(server.url, "made");
    const secrets = await runPhases(made);
    const data = await withClient(made, async (client) => {
      await client.query(neutral("millrace."));
      return dumpDatabase(client);
    });
    const copy = await databaseOf(server.url, "copy");
    await withClient(copy, async (client) => {
      await restoreDatabase(client, data);
      assert.deepEqual(await dumpDatabase(client), data, "the dump restores to itself");
    });
    await write("postgres", data, secrets, copy);
  } finally {
    await server.remove();
  }
}

async function runPhases(location: Location): Promise<Secrets> {
  const secrets = await runPhase<Secrets>(location, "first");
  for (const phase of ["second", "third"]) await runPhase(location, phase);
  return secrets;
}

/** Starts the phase and resolves to what it prints. Then its process is killed, unless it ends by itself. */
async function runPhase<T>(location: Location, phase: string, given = "{}"): Promise<T> {
  const [program = "", ...flags] = RUNTIME;
  const args = [...flags, join(root, "test/stored-data/support/main.ts"), checkout, location, phase, given];
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let printed = "";
  child.stdout.setEncoding("utf8");
  for await (const text of child.stdout) {
    printed += text;
    if (printed.endsWith("\n") && (phase === "second" || phase === "third")) child.kill("SIGKILL");
  }
  const [code, signal] = await exited;
  if (code !== 0 && signal !== "SIGKILL") throw new Error(`The phase "${phase}" failed.`);
  return JSON.parse(printed);
}

/** Names of this machine go, the killed process has no lease left, and what would expire soon lasts. */
function neutral(schema: string): string {
  const far = Date.parse(FAR);
  return `UPDATE ${schema}instance SET name = 'maker:' || id, place = NULL;
    UPDATE ${schema}instance SET expires_at = beat_at WHERE expires_at > beat_at;
    UPDATE ${schema}idempotency SET created_at = ${far};
    UPDATE ${schema}session SET expires_at = ${far};
    UPDATE ${schema}record SET expires_at = ${far} WHERE expires_at IS NOT NULL;
    UPDATE ${schema}job SET expires_at = ${far} WHERE expires_at IS NOT NULL;`;
}

async function write<Store extends keyof FixtureData>(
  store: Store,
  data: FixtureData[Store],
  secrets: Secrets,
  copy: Location,
): Promise<void> {
  const madeAt = Date.now();
  const expected = await runPhase<Record<string, unknown>>(copy, "read", JSON.stringify({ ...secrets, madeAt }));
  const bytes = writeFixture(store, { commit, madeAt, secrets, expected, data });
  process.stdout.write(`${store}: ${Math.ceil(bytes / 1024)} kB, made by ${commit.slice(0, 7)}\n`);
}

async function databaseOf(url: string, name: string): Promise<string> {
  await withClient(url, (client) => client.query(`CREATE DATABASE ${name}`));
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
