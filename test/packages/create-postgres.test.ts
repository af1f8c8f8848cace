// runtimes: node
// time-limit: 600 s
// packages only
// The other projects of `npm create millrace`: on PostgreSQL, with Bun, with pnpm.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { temporaryFolder } from "../support/program.ts";
import { NewProject, npmSettings, pathWithRuntimes, stops } from "./support/new-project.ts";

const execute = promisify(execFile);
const TIMEOUT_MS = 300_000;

removeDatabasesAfterwards();

for (const [db, packageManager] of [
  ["postgres", "npm"],
  ["sqlite", "bun"],
  ["postgres", "bun"],
  ["postgres", "pnpm"],
] as const) {
  test(`a project with ${db} and ${packageManager} works`, { timeout: TIMEOUT_MS }, async (t) => {
    const env = { ...(db === "postgres" && { DATABASE_URL: await freshDatabase() }) };
    const path = packageManager === "pnpm" ? await pathWithPnpm(t) : pathWithRuntimes();
    const project = await NewProject.create(t, ["--db", db, "--package-manager", packageManager], env, path);
    await project.passes("typecheck");
    await project.passes("test");
    const [web, worker] = await Promise.all([project.start("start"), project.start("worker")]);
    await Promise.all([web.said(/Dashboard +http/), worker.said(/Worker +ready/)]);
    const { jobId, dashboard } = await project.signUp("ada@example.com");
    const job = await (await project.fetch(`/millrace/jobs/${jobId}?wait=30`)).json();
    assert.partialDeepStrictEqual(job, { state: "completed" });
    assert.equal((await project.fetch(dashboard)).status, 200);
    await worker.said(/Mail to ada@example\.com: Welcome, Ada!/);
    await stops(web, worker);
  });
}

async function pathWithPnpm(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  const flags = ["--prefix", folder, "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await execute("npm", ["install", ...flags, "pnpm@12"], { cwd: folder, env: { ...process.env, ...npmSettings() } });
  return `${join(folder, "node_modules/.bin")}:${pathWithRuntimes()}`;
}
