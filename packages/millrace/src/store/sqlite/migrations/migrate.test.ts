// runtimes: both

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { temporaryFolder } from "../../../../../../test/support/program.ts";
import { ManualClock } from "../../../lib/clock.ts";
import { processIdentity } from "../../../lib/runtime/process-identity.ts";
import { SqliteStore } from "../store.ts";
import { JOBS } from "./base/0001-jobs.ts";
import { addPlans } from "./base/0006-plans.ts";
import { MIGRATIONS, migrate, SCHEMA_VERSION, schemaVersion } from "./migrate.ts";

test("a file of the first schema is brought up to date with its jobs", async (t) => {
  const path = join(temporaryFolder(t), "jobs.db");
  const old = new DatabaseSync(path);
  old.prepare("ATTACH ? AS artifacts").run(path.replace(".db", ".artifacts.db"));
  migrate(old, [JOBS]);
  old.exec(`INSERT INTO tenant (id, name) VALUES (1, 'acme');
    INSERT INTO kind (id, name, plan) VALUES (1, 'mail', '${JSON.stringify(MAIL)}');
    INSERT INTO stage (id, kind, name, position, failed) VALUES (1, 1, 'running', 0, 1);
    INSERT INTO job (id, stage, tenant, standing, priority, run_at, created_at, updated_at, finished_at, payload, failure, trace)
      VALUES (1, 1, 1, 6, 0, 1, 1, 1, 1, '"old"', '{"code":"broken","message":"It broke.","permanent":true}', 'tr');
    INSERT INTO schedule (name, rule, next_at, last_at) VALUES ('nightly', '{"tenant":"acme","cron":"0 3 * * *"}', 7, 5);
    UPDATE meta SET value = '2' WHERE name = 'next_job'`);
  assert.equal(schemaVersion(old), 1);
  old.close();

  const store = new SqliteStore({ path, inline: { clock: new ManualClock() } });
  await store.open({ wake() {}, lost() {}, expired() {}, fatal() {}, trouble() {} });
  const [job] = await store.list({ tenant: "acme" });
  assert.partialDeepStrictEqual(job, { payload: '"old"', standing: "failed", traceId: "tr" });
  const schedules = await store.schedules({ tenant: "acme", name: "nightly" });
  assert.deepEqual(schedules, [{ name: "nightly", tenant: "acme", cron: "0 3 * * *", nextAt: 7, lastAt: 5 }]);
  await store.close();

  const now = new DatabaseSync(path);
  assert.equal(schemaVersion(now), SCHEMA_VERSION);
  for (const table of ["api_key", "record"])
    assert.equal(now.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"], 0);
  assert.equal(
    now.prepare("SELECT count(*) AS count FROM job INDEXED BY job_dead WHERE standing = 6").get()?.["count"],
    1,
  );
  now.close();
});

test("a file is not migrated while a process of the first version lives, and the error names it", async (t) => {
  const path = join(temporaryFolder(t), "jobs.db");
  const old = new DatabaseSync(path);
  old.prepare("ATTACH ? AS artifacts").run(path.replace(".db", ".artifacts.db"));
  migrate(old, FIRST_VERSION);
  const instance = old.prepare(`INSERT INTO instance (name, started_at, beat_at, expires_at, lease_ms, place)
    VALUES (?, 1, 1, ?, 15000, ?)`);
  instance.run("worker-7:4711", Date.now() + 60_000, null);
  assert.throws(() => migrate(old), { code: "old-process-lives", message: /worker-7:4711/ });
  assert.equal(schemaVersion(old), FIRST_VERSION.length, "nothing was changed");
  old.exec("DELETE FROM instance");
  // Its lease is over, but the operating system still lists it: it sleeps, and may wake up.
  instance.run("worker-8:1", 1, processIdentity(process.pid) ?? null);
  if (processIdentity(process.pid))
    assert.throws(() => migrate(old), { code: "old-process-lives", message: /worker-8:1/ });
  old.exec("UPDATE instance SET place = NULL");
  migrate(old);
  assert.equal(schemaVersion(old), SCHEMA_VERSION);
  old.close();
});

test("a file of a newer schema is left alone, with the next step", async (t) => {
  const path = join(temporaryFolder(t), "jobs.db");
  const newer = new DatabaseSync(path);
  newer.exec("PRAGMA user_version = 999");
  newer.close();
  const store = new SqliteStore({ path, inline: { clock: new ManualClock() } });
  await assert.rejects(store.open({ wake() {}, lost() {}, expired() {}, fatal() {}, trouble() {} }), {
    code: "schema-newer",
  });
});

/** The schema of version 0.1.0: all before plans. */
const FIRST_VERSION = MIGRATIONS.slice(0, MIGRATIONS.indexOf(addPlans));

const MAIL = {
  name: "mail",
  stages: [{ name: "running", maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1, maxMs: 2 } }],
  retention: { finishedMs: 1_000, deadLetterMs: 1_000 },
};
