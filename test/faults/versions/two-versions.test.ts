import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PostgresStore } from "../../../packages/millrace/src/store/postgres/store.ts";
import { SqliteStore } from "../../../packages/millrace/src/store/sqlite/store.ts";
import type { Store, StoreEvents } from "../../../packages/millrace/src/store/store.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";

const SILENT: StoreEvents = { wake() {}, lost() {}, fatal() {}, trouble() {}, expired() {} };

function plan(maxAttempts: number) {
  const stage = { name: "running", maxAttempts, maxCrashes: 3, retry: { baseMs: 1, maxMs: 1 } };
  return [{ name: "single", stages: [stage], retention: { finishedMs: 1_000, deadLetterMs: 1_000 } }];
}

removeDatabasesAfterwards();

for (const on of ["SQLite", "PostgreSQL"] as const) {
  test(`on ${on} a process follows a kind as another has registered it since`, { timeout: 20_000 }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-versions-"));
    const url = on === "PostgreSQL" ? await freshDatabase() : undefined;
    const open = (): Store =>
      url
        ? new PostgresStore({ url, leaseMs: 1_000 })
        : new SqliteStore({ path: join(folder, "jobs.db"), leaseMs: 1_000 });
    const [before, after] = [open(), open()];
    t.after(async () => {
      await after.close();
      await before.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await before.open(SILENT);
    await before.register(plan(3));
    const [answer] = await before.submit([{ tenant: "default", jobs: [{ kind: "single", payload: "1" }] }]);
    assert.equal(answer?.type, "accepted");
    const jobId = answer?.type === "accepted" ? (answer.jobIds[0] as string) : "";
    assert.equal((await before.find([jobId]))[0]?.maxAttempts, 3);
    await after.open(SILENT);
    await after.register(plan(7));
    await until("the first store knows", async () => (await before.find([jobId]))[0]?.maxAttempts === 7, 10_000);
  });
}
