// runtimes: bun

import assert from "node:assert/strict";
import { test } from "node:test";
import { MAIL } from "../../../../../../test/support/mail.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { until } from "../../../../../../test/support/until.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import type { NewJob } from "../../verbs/submission.ts";
import { PostgresStore } from "../store.ts";
import { ConnectionPool } from "./connections.ts";
import { DatabaseTarget } from "./target.ts";

removeDatabasesAfterwards();

const PATIENCE_MS = 30_000;
const OTHERS = { ...MAIL, name: "others" };
/** Few sessions, and each keeps the first plan it makes of a statement. */
const KEPT = { connections: "2", options: "-c plan_cache_mode=force_generic_plan" };
const TIMES = 7;
const TENANTS = 3_000;
const RUNNING = 500;
/** So often would a verb read everything; meanwhile upkeep looks through all lanes, once a second at most. */
const FULL_TIMES = 8;
const mostRead = (ms: number) => TENANTS * (2.5 + ms / 1_000);
const MANY = 20;

test("what a verb reads depends on what it touches, not on what the store holds: plans are made while that is empty, and kept", async (t) => {
  const url = withParameters(await freshDatabase(), KEPT);
  const look = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: PATIENCE_MS, name: "test" });
  t.after(() => look.close());
  const store = await openStore(url);
  await store.register([MAIL, OTHERS]);
  await fill(store, 1);
  await standStill(look);
  for (let i = 0; i < TIMES; i++) await doEverything(store, `small ${i}`);

  const own = await look.run(SESSIONS);
  const another = await openStore(url);
  await fill(another, TENANTS);
  await another.close();
  await look.run(RUN_SOME, [RUNNING]);
  await until("its sessions are over", async () => (await look.run(SESSIONS)).length <= own.length, PATIENCE_MS);
  const before = await entriesRead(look);
  const startedAt = performance.now();
  for (let i = 0; i < FULL_TIMES; i++) await doEverything(store, `full ${i}`);
  await store.close();
  await until("all sessions are over", async () => (await look.run(SESSIONS)).length === 0, PATIENCE_MS);
  const most = mostRead(performance.now() - startedAt);
  const after = await entriesRead(look);
  const read = [...after].map(([name, entries]) => [name, entries - (before.get(name) ?? 0)] as const);
  assert.deepEqual(
    read.filter(([, entries]) => entries > most),
    [],
  );
});

for (const how of ["nestloop", "hashjoin", "mergejoin"]) {
  test(`tenants take turns in order, however a claim is planned: with ${how} alone`, async (t) => {
    const others = ["nestloop", "hashjoin", "mergejoin"].filter((each) => each !== how);
    const options = others.map((other) => `-c enable_${other}=off`).join(" ");
    const store = await openStore(withParameters(await freshDatabase(), { options }));
    t.after(() => store.close());
    await store.register([MAIL]);
    for (const tenant of ["a", "b", "c", "d", "e"]) await store.submit([{ tenant, jobs: mails(6) }]);
    const served: string[] = [];
    for (let i = 0; i < 15; i++) {
      const { jobs } = await store.claim({ kind: "mail", stage: "running", slots: [2 * i, 2 * i + 1], suspects: 0 });
      served.push(...jobs.map(({ tenant }) => tenant));
    }
    const first = served.slice(0, 5).join("");
    assert.equal([...first].sort().join(""), "abcde");
    assert.equal(served.join(""), first.repeat(6));
  });
}

test("a thousand tenants who come at once are served within a claim's time, though its plan was made for one", async (t) => {
  const url = withParameters(await freshDatabase(), KEPT);
  const look = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: PATIENCE_MS, name: "test" });
  t.after(() => look.close());
  const store = await openStore(url);
  t.after(() => store.close());
  await store.register([MAIL]);
  const claim = (from: number, count: number) => {
    const slots = Array.from({ length: count }, (_, n) => from + n);
    return store.claim({ kind: "mail", stage: "running", slots, suspects: 0 });
  };
  await store.submit([{ tenant: "first", jobs: mails(1) }]);
  await standStill(look);
  // One by rows and one as a bundle, on each of its sessions.
  for (let i = 0; i < TIMES; i++) {
    await store.submit([{ tenant: "first", jobs: mails(50) }]);
    for (const count of [5, 45]) {
      const { jobs } = await claim(0, count);
      await Promise.all(jobs.map(({ lease }) => store.settle(lease, { type: "completed", result: "1" })));
    }
  }
  await store.submit(Array.from({ length: 1_000 }, (_, n) => ({ tenant: `t${n}`, jobs: mails(1) })));
  // Whichever takes longer than the limit of a statement fails.
  for (let i = 0; i < 10; i++) assert.equal((await claim(100 * i, i % 2 ? 10 : 100)).jobs.length, i % 2 ? 10 : 100);
});

function withParameters(url: string, parameters: Record<string, string>): string {
  const whole = new URL(url);
  for (const [name, value] of Object.entries(parameters)) whole.searchParams.set(name, value);
  return whole.href;
}

async function openStore(url: string): Promise<PostgresStore> {
  const store = new PostgresStore({ url, durability: "normal" });
  await store.open(NO_EVENTS);
  return store;
}

function mails(count: number, more: Partial<NewJob> = {}): NewJob[] {
  return Array.from({ length: count }, () => ({ kind: "mail", payload: "1", ...more }));
}

/** As after a night without work; and nobody looks again before the test is over. */
async function standStill(look: ConnectionPool): Promise<void> {
  const tables = await look.run<{ name: string }>(
    "SELECT relname AS name FROM pg_stat_user_tables WHERE schemaname = 'millrace'",
  );
  for (const { name } of tables) {
    await look.run(`ALTER TABLE millrace.${name} SET (autovacuum_enabled = false)`);
    await look.run(`VACUUM ANALYZE millrace.${name}`);
  }
}

/** Every verb by which work comes, goes on and ends, on few jobs, and none of them is left. */
async function doEverything(store: PostgresStore, name: string): Promise<void> {
  const submit = (jobs: NewJob[], idempotencyKey?: string) =>
    store.submit([
      { tenant: "default", jobs, ...(idempotencyKey && { idempotency: { key: idempotencyKey, fingerprint: "1" } }) },
    ]);
  await submit(mails(1), name);
  await submit(mails(1), name);
  await submit(mails(1, { uniqueKey: name }));
  await submit(mails(1, { uniqueKey: name }));
  await submit(mails(1, { delayMs: 1 }));
  await submit(mails(MANY));
  await submit(mails(2, { maxAttempts: 1 }));
  const started = await startOf(store, 3 + MANY + 2);
  const [first, second, third, ...others] = started;
  assert.ok(first && second && third);
  await store.note(first.lease, { progress: { value: 0.5 }, logs: [{ at: 1, level: "info", message: "half" }] });
  await store.saveStep(first.lease, "half", "1");
  await store.keepArtifact(first.lease, { name: "a", contentType: "text/plain", bytes: new Uint8Array(1) });
  const shared = { key: name, contentType: "text/plain", bytes: new Uint8Array(1), info: "1" };
  await store.share(first.lease, shared, { named: true });
  await store.linkTo("default", name);
  await store.markRead([name]);
  await store.settle(second.lease, {
    type: "failed",
    failure: { code: "broken", message: "It broke.", permanent: false },
  });
  await store.cancel([third.lease.jobId], "not wanted");
  await Promise.all([first, ...others].map(({ lease }) => store.settle(lease, { type: "completed", result: "1" })));
  for (const { lease } of await startOf(store, 1)) await store.settle(lease, { type: "completed", result: "1" });
  await store.beat();
  await store.prune({ limit: 100 });
  await store.forget(started.map(({ lease }) => lease.jobId));
}

/** Claims until so many have been started: retries and delayed jobs come when they are due. */
async function startOf(store: PostgresStore, count: number) {
  const jobs: Awaited<ReturnType<PostgresStore["claim"]>>["jobs"] = [];
  await until(
    "all are started",
    async () => {
      const slots = Array.from({ length: count - jobs.length }, (_, slot) => jobs.length + slot);
      const some = await store.claim({ kind: "mail", stage: "running", slots, suspects: slots.length });
      jobs.push(...some.jobs);
      return jobs.length === count;
    },
    PATIENCE_MS,
  );
  return jobs;
}

/** Another kind's work, two jobs a tenant. */
async function fill(store: PostgresStore, tenants: number): Promise<void> {
  const other = { kind: "others", payload: "1" };
  await store.submit(
    Array.from({ length: tenants }, (_, n) => ({
      tenant: `${n} of ${tenants}`,
      jobs: [other, { ...other, uniqueKey: "only" }],
      idempotency: { key: "once", fingerprint: "1" },
    })),
  );
}

/** Some of it is run by a process elsewhere. */
const RUN_SOME = `WITH elsewhere AS (INSERT INTO millrace.instance (name, started_at, beat_at, expires_at, lease_ms, level)
    SELECT 'elsewhere', beat_at, beat_at, beat_at + 1000000, 1000000, 1 FROM millrace.instance ORDER BY id LIMIT 1 RETURNING id)
  UPDATE millrace.job SET standing = 4, holder = elsewhere.id, slot = 0, token = token + 1, attempt = 1, started_at = updated_at
  FROM elsewhere WHERE job.id = ANY(ARRAY(SELECT id FROM millrace.job WHERE standing = 1 ORDER BY id DESC LIMIT $1))`;

const SESSIONS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
const READ = `SELECT indexrelname AS name, idx_tup_read::int AS entries FROM pg_stat_user_indexes WHERE schemaname = 'millrace'
  UNION ALL SELECT relname, seq_tup_read::int FROM pg_stat_user_tables WHERE schemaname = 'millrace'`;

/** By index, and by table where it was read without one. What a session read is counted for sure once it has ended, or says so. */
async function entriesRead(look: ConnectionPool): Promise<Map<string, number>> {
  await look.run("SELECT pg_stat_force_next_flush()");
  const rows = await look.run<{ name: string; entries: number }>(READ);
  return new Map(rows.map(({ name, entries }) => [name, entries]));
}
