// An artifacts file whose job file is gone. Job keys start over in a new file, so old artifacts would turn up under new jobs.

import { existsSync } from "node:fs";
import { AppError } from "../../../lib/app-error.ts";
import { DatabaseSync } from "./driver.ts";

const TABLES = {
  main: "SELECT name FROM main.sqlite_master WHERE type = 'table'",
  artifacts: "SELECT name FROM artifacts.sqlite_master WHERE type = 'table'",
};
/** It always has one row. */
const SUM = "shared_sum";

/**
 * Call this before anything is created. It looks for the artifacts first: a process that starts at the same moment
 * creates its job file before them.
 */
export function refuseLoneArtifacts(path: string, artifacts: string): void {
  if (!existsSync(artifacts) || existsSync(path)) return;
  const db = new DatabaseSync(artifacts, { timeout: 5_000 });
  try {
    if (hasRows(db, "main")) throw loneArtifacts(path, artifacts);
  } finally {
    db.close();
  }
}

/**
 * Drops the artifacts beside a job file that is still empty. Tables without rows are what an interrupted first start
 * left behind.
 */
export function dropEmptyArtifacts(db: DatabaseSync, path: string, artifacts: string): void {
  if (hasRows(db, "artifacts")) throw loneArtifacts(path, artifacts);
  for (const name of tablesOf(db, "artifacts")) db.exec(`DROP TABLE artifacts."${name}"`);
}

function hasRows(db: DatabaseSync, schema: keyof typeof TABLES): boolean {
  const isFilled = (name: string) => db.prepare(`SELECT 1 FROM ${schema}."${name}" LIMIT 1`).get() !== undefined;
  return tablesOf(db, schema).some((name) => name !== SUM && isFilled(name));
}

function tablesOf(db: DatabaseSync, schema: keyof typeof TABLES): string[] {
  return (db.prepare(TABLES[schema]).all() as { name: string }[]).map(({ name }) => name);
}

function loneArtifacts(path: string, artifacts: string): AppError {
  return new AppError(
    "store-incomplete",
    `${artifacts} holds artifacts, but its job file ${path} is missing or empty.`,
    {
      hint: `Restore ${path} from a backup. To start with no jobs, move ${artifacts} away first.`,
    },
  );
}
