// The stored data as fixtures: test/fixtures/stored-sqlite.json.gz and stored-postgres.json.gz, made by scripts/stored-data.js.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { root } from "../../support/program.ts";
import type { Secrets } from "./phases.ts";
import type { PostgresDump } from "./postgres-dump.ts";

export interface Fixture<Data> {
  /** The commit whose engine made the data. */
  readonly commit: string;
  readonly madeAt: number;
  readonly secrets: Secrets;
  /** What `readAll` gave when the engine that made the data read it. */
  readonly expected: Readonly<Record<string, unknown>>;
  readonly data: Data;
}

/** By name of the file, its bytes in base64. */
export type SqliteData = Readonly<Record<string, string>>;

export interface FixtureData {
  readonly sqlite: SqliteData;
  readonly postgres: PostgresDump;
}

export function readFixture<Store extends keyof FixtureData>(store: Store): Fixture<FixtureData[Store]> {
  return JSON.parse(gunzipSync(readFileSync(pathOf(store))).toString());
}

export function writeFixture<Store extends keyof FixtureData>(
  store: Store,
  fixture: Fixture<FixtureData[Store]>,
): number {
  const packed = gzipSync(JSON.stringify(fixture), { level: 9 });
  writeFileSync(pathOf(store), packed);
  return packed.length;
}

/** Writes the files of the SQLite store into a folder; the path of the one with the jobs. */
export function unpackSqlite(data: SqliteData, folder: string): string {
  for (const [name, bytes] of Object.entries(data)) writeFileSync(join(folder, name), Buffer.from(bytes, "base64"));
  return join(folder, "jobs.db");
}

function pathOf(store: keyof FixtureData): string {
  return join(root, `test/fixtures/stored-${store}.json.gz`);
}
