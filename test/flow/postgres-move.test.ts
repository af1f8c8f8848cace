// runtimes: bun
// time-limit: 300 s

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { ManualClock } from "../../packages/millrace/src/lib/clock.ts";
import { move } from "../../packages/millrace/src/move/move.ts";
import { MAIL, planOf, REPORT } from "../../packages/millrace/src/store/contract/rig.ts";
import { ConnectionPool } from "../../packages/millrace/src/store/postgres/connection/connections.ts";
import { inspect } from "../../packages/millrace/src/store/postgres/connection/inspect.ts";
import { DatabaseTarget } from "../../packages/millrace/src/store/postgres/connection/target.ts";
import { migrate } from "../../packages/millrace/src/store/postgres/migrations/migrate.ts";
import { PostgresStore } from "../../packages/millrace/src/store/postgres/store.ts";
import { SqliteStore } from "../../packages/millrace/src/store/sqlite/store.ts";
import type { Store } from "../../packages/millrace/src/store/store.ts";
import { cli, kindsFile, serving } from "../support/cli.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { temporaryFolder } from "../support/program.ts";

const NO_EVENTS = { wake() {}, lost() {}, expired() {}, fatal() {}, trouble() {} };
const NOTES = { space: "notes", tenant: "acme" };
const FINISHING = planOf("brief", ["only"], { retention: { finishedMs: 1_000, deadLetterMs: 1_000 } });

removeDatabasesAfterwards();

describe("a move from the file to PostgreSQL", () => {
  test("takes everything along, and the work goes on there under the same ids", async (t) => {
    const { path, clock, ids, before, link } = await filled(t);
    const url = await freshDatabase();
    const report = await move({ from: path, to: url });
    assert.equal(report.resumed, false);
    assert.equal(report.tables.find(({ table }) => table === "job")?.rows, ids.length);

    const moved = await openMoved(t, url, clock);
    assert.deepEqual(await look(moved, ids), before);
    assert.equal(Buffer.from((await moved.linked(link))?.bytes ?? []).toString(), "<svg/>");
    const pool = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
    assert.deepEqual(await inspect(pool), []);
    await pool.close();
    // Keys are still taken, replays still answered, and new ids do not meet old ones.
    const [replay, taken, fresh] = await moved.submit([
      { tenant: "acme", jobs: [{ kind: "mail", payload: "1" }], idempotency: { key: "k", fingerprint: "f" } },
      { tenant: "acme", jobs: [{ kind: "report", payload: "1", uniqueKey: "u" }] },
      { tenant: "acme", jobs: [{ kind: "mail", payload: "1" }] },
    ]);
    assert.equal(replay?.type, "replayed");
    assert.equal(taken?.type, "refused");
    assert.ok(fresh?.type === "accepted" && !ids.includes(fresh.jobIds[0] as string));
    // No version of a record is used twice, also not that of one deleted before the move.
    const last = before.otherRecord?.version ?? assert.fail("the record is there");
    const put = await moved.putRecord({ ...NOTES, key: "new", value: "1" });
    assert.ok("version" in put && put.version > last + 1);
    // What a dead process held is taken back; what was ready is claimed.
    clock.advance(60_000);
    await moved.renew([]);
    clock.advance(5_000);
    assert.equal((await moved.beat()).expired.length, 1);
    const { jobs } = await moved.claim({
      kind: "mail",
      stage: "running",
      slots: [0, 1, 2, 3, 4, 5, 6, 7],
      suspects: 8,
    });
    assert.ok(jobs.length >= 3);
    for (const { lease } of jobs)
      assert.equal((await moved.settle(lease, { type: "completed", result: "1" })).written, "written");
  });

  test("that was interrupted anywhere goes on where it was", async (t) => {
    const { path, clock, ids, before } = await filled(t);
    const url = await freshDatabase();
    let left = 1;
    let runs = 0;
    for (; ; runs++) {
      const batches = left++;
      let seen = 0;
      const afterBatch = () => {
        if (++seen >= batches) throw new Error("pulled the plug");
      };
      try {
        const report = await move({ from: path, to: url, afterBatch });
        assert.equal(report.resumed, true);
        break;
      } catch (error) {
        assert.match(String(error), /pulled the plug/);
      }
    }
    assert.ok(runs >= 3, `it was interrupted ${runs} times`);
    assert.deepEqual(await look(await openMoved(t, url, clock), ids), before);
  });

  test("closes the file for good, and refuses a database that is in use", async (t) => {
    const { path, clock } = await filled(t);
    const url = await freshDatabase();
    await move({ from: path, to: url });
    const again = new SqliteStore({ path, inline: { clock } });
    await assert.rejects(again.open(NO_EVENTS), { code: "store-moved", message: /postgres:/ });
    const other = await filled(t);
    await assert.rejects(move({ from: other.path, to: url }), { code: "target-in-use" });
    await assert.rejects(move({ from: join(other.path, "nowhere"), to: url }), { code: "file-missing" });
  });

  test("is refused for a file that has moved: nothing that was finished since comes back to life", async (t) => {
    const { path } = await filled(t);
    const url = `${await freshDatabase()}?schema=elsewhere`;
    await move({ from: path, to: url });
    const pool = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
    await pool.run("DELETE FROM millrace.job");
    for (const to of [url, await freshDatabase()]) {
      // The address that it names is the whole one.
      await assert.rejects(move({ from: path, to }), { code: "store-moved", message: /schema=elsewhere/ });
    }
    assert.deepEqual(await pool.run("SELECT id FROM millrace.job"), []);
    // Interrupted after the copy and before the file knew of it: nothing is written again then either.
    const file = new DatabaseSync(path);
    file.exec("DELETE FROM meta WHERE name = 'moved_to'");
    file.close();
    await assert.rejects(move({ from: path, to: url }), { code: "move-differs" });
    assert.deepEqual(await pool.run("SELECT id FROM millrace.job"), []);
    await pool.close();
  });

  test("that is not finished keeps every process off the database", async (t) => {
    const { path } = await filled(t);
    const url = await freshDatabase();
    const afterBatch = (table: string) => {
      if (table === "attempt") throw new Error("pulled the plug");
    };
    await assert.rejects(move({ from: path, to: url, afterBatch }), /pulled the plug/);
    for (let tries = 0; tries < 2; tries++) {
      const store = new PostgresStore({ url, inline: {} });
      await assert.rejects(store.open(NO_EVENTS), { code: "move-unfinished" });
    }
    await move({ from: path, to: url });
  });

  test("of a backup leaves those alone who work on the original", async (t) => {
    const folder = temporaryFolder(t);
    const { json } = await serving(t, {}, ["--load", kindsFile(folder)], folder);
    const backup = cli(t, ["backup", "trial.db"], {}, folder);
    assert.equal((await backup.ended()).code, 0, backup.stderr());
    const trial = cli(t, ["move", "--from", "trial.db", "--to", await freshDatabase(), "--drain"], {}, folder);
    assert.equal((await trial.ended()).code, 0, trial.stderr());
    assert.ok(await json("submit", "quick", "1", "--wait"));
  });

  test("says so when the two sides differ, and leaves the file as it was", async (t) => {
    const { path, clock } = await filled(t);
    const url = await freshDatabase();
    const pool = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
    await migrate(pool, new DatabaseTarget(url));
    // Somebody's trigger: what arrives is not what was sent.
    await pool.run(`CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.output = '"another"'; RETURN NEW; END $$`);
    await pool.run("CREATE TRIGGER other BEFORE INSERT ON millrace.finished FOR EACH ROW EXECUTE FUNCTION other()");
    for (let tries = 0; tries < 2; tries++)
      await assert.rejects(move({ from: path, to: url }), { code: "move-differs", message: /"job"/ });
    await pool.close();
    const again = new SqliteStore({ path, inline: { clock } });
    await again.open(NO_EVENTS);
    await again.close();
  });

  test("starts over where the file was worked on after an interruption", async (t) => {
    const { path, clock } = await filled(t);
    const url = await freshDatabase();
    const afterBatch = (table: string) => {
      if (table === "log") throw new Error("pulled the plug");
    };
    await assert.rejects(move({ from: path, to: url, afterBatch }), /pulled the plug/);
    const store = new SqliteStore({ path, inline: { clock } });
    await store.open(NO_EVENTS);
    const mail = { kind: "mail", payload: "{}" };
    const [answer] = await store.submit([{ tenant: "late", jobs: [mail] }]);
    await store.cancel(
      (await store.list({ limit: 3 })).map(({ id }) => id),
      "no longer wanted",
    );
    await store.close();
    assert.ok(answer);
    const { resumed, tables } = await move({ from: path, to: url });
    assert.ok(resumed);
    const file = new DatabaseSync(path, { readOnly: true });
    const { jobs } = file.prepare("SELECT count(*) AS jobs FROM job").get() as { jobs: number };
    file.close();
    assert.equal(tables.find(({ table }) => table === "job")?.rows, jobs);
  });

  test("refuses a file that a server works on, unless it is to drain it", async (t) => {
    const folder = temporaryFolder(t);
    const { program, json } = await serving(t, {}, ["--load", kindsFile(folder)], folder);
    const done = await json("submit", "quick", "1", "--wait");
    const url = await freshDatabase();
    const args = ["move", "--from", "data/jobs.db", "--to", url, "--json"];
    const refused = cli(t, args, {}, folder);
    assert.notEqual((await refused.ended()).code, 0);
    assert.match(refused.stderr(), /still uses this file[\s\S]*--drain/);
    const moved = cli(t, [...args, "--drain"], {}, folder);
    assert.equal((await moved.ended()).code, 0, moved.stderr());
    assert.deepEqual(await program.ended(), { code: 0, signal: null });
    const report = JSON.parse(moved.stdout()) as { tables: { table: string; rows: number }[] };
    assert.equal(report.tables.find(({ table }) => table === "job")?.rows, 1);
    const there = await serving(t, { DATABASE_URL: url }, ["--load", kindsFile(folder)], folder);
    assert.equal((await there.json("jobs", "show", done.jobId)).state, "completed");
    const again = cli(t, ["serve"], { PORT: "0" }, folder);
    assert.notEqual((await again.ended()).code, 0);
    assert.match(again.stderr(), /was moved to postgres:/);
  });
});

/** A file with something of everything, and what it looks like from outside. */
async function filled(t: TestContext) {
  const path = join(temporaryFolder(t), "jobs.db");
  const clock = new ManualClock(Date.now() - 3_600_000);
  const store = new SqliteStore({ path, leaseMs: 15_000, durability: "normal", inline: { clock, random: () => 0.5 } });
  await store.open(NO_EVENTS);
  await store.register([MAIL, REPORT, FINISHING]);
  await store.setLimiters([{ name: "api", count: 3, perMs: 1_000 }]);
  const large = JSON.stringify('ä🙂"\\{},'.repeat(900));
  const claim = async (kind = "mail", stage = "running") => {
    const { jobs } = await store.claim({ kind, stage, slots: [0], suspects: 1 });
    const [job] = jobs;
    assert.ok(job);
    return job.lease;
  };
  const submit = (job: object, more: object = {}) =>
    store.submit([{ tenant: "acme", jobs: [{ kind: "mail", payload: '{"a":1}', ...job }], ...more }]);
  await submit({ payload: large, tags: ["x", "y"], traceId: "trace", priority: 2 });
  const first = await claim();
  await store.saveStep(first, "paid", '{"cost":1}');
  await store.note(first, {
    progress: { value: 0.5, message: "half" },
    logs: [{ at: 1, level: "info", message: "hi", data: "{}" }],
  });
  await store.keepArtifact(first, {
    name: "a.bin",
    contentType: "application/octet-stream",
    bytes: new Uint8Array([0, 1, 255, 92, 34]),
  });
  await store.take(first, "api", 2);
  const drawing = { contentType: "image/svg+xml", bytes: new TextEncoder().encode("<svg/>"), info: "{}" };
  const link = await store.share(first, { key: "drawing", ...drawing }, { named: true });
  await store.share(first, { key: "unnamed", ...drawing }, { named: false });
  await store.settle(first, { type: "completed", result: large });
  await submit({}, { idempotency: { key: "k", fingerprint: "f" } });
  await store.settle(await claim(), {
    type: "failed",
    failure: { code: "broken", message: "It broke.", permanent: true },
  });
  await submit({});
  await store.settle(await claim(), { type: "failed", failure: { code: "slow", message: "Later.", permanent: false } });
  await submit({});
  await store.settle(await claim(), { type: "held", reason: "waits for review" });
  await submit({});
  await store.settle(await claim(), {
    type: "crashed",
    failure: { code: "crashed", message: "It died.", permanent: false },
  });
  await submit({ kind: "report", uniqueKey: "u" });
  await store.settle(await claim("report", "fetch"), { type: "completed", result: large });
  await submit({});
  const [cancelled] = await store.list({ limit: 1 });
  await store.cancel([cancelled?.id as string], "no more");
  await store.revive(cancelled?.id as string, { from: "start" });
  for (let i = 0; i < 3; i++) await submit({ delayMs: i * 3_600_000, expiresInMs: 10 * 3_600_000 });
  await submit({ kind: "brief" });
  await claim("brief", "only"); // and it is still running when the process dies
  await store.setPaused("report", true);
  await store.putSchedule(
    {
      name: "nightly",
      cron: "0 3 * * *",
      timeZone: "Europe/Berlin",
      kind: "mail",
      tenant: "acme",
      payload: "{}",
      overlap: "skip",
      missed: "once",
      paused: false,
      nextAt: clock.now() + 1_000_000,
    },
    0,
  );
  await store.putKey({
    id: "key1",
    name: "ci",
    tenant: "acme",
    scopes: ["submit", "read"],
    secretHash: "h",
    createdAt: 5,
  });
  await store.addAudit({ who: "admin", what: "key created", target: "key1", tenant: "acme" });
  const record = { ...NOTES, value: large };
  for (const key of ["ä", "B", "🙂", "\ufffd"]) await store.putRecord({ ...record, key });
  await store.putRecord({ ...record, key: "short", expiresInMs: 7_200_000 });
  await store.putRecord({ ...record, space: "other", tenant: "bmf", key: "a" });
  await store.putRecord({ ...record, key: "gone" });
  await store.deleteRecord({ ...NOTES, key: "gone" });
  const ids = await store.listIds({}, 1_000);
  const before = await look(store, ids);
  abandon(path);
  return { path, clock, ids, before, link: link === "lease-lost" ? "" : (link.link ?? "") };
}

/** As if its process had died: it leaves no farewell, and nobody is there any more. */
function abandon(path: string): void {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec("UPDATE instance SET place = NULL, expires_at = beat_at + 15000");
  db.close();
}

async function look(store: Store, ids: string[]) {
  const whole = async (id: string) => ({
    job: await store.find([id]),
    attempts: await store.attempts(id),
    steps: await store.steps(id),
    logs: await store.logs(id, { limit: 100 }),
    artifact: (await store.artifact(id, "a.bin"))?.bytes.join(),
  });
  return {
    jobs: await Promise.all(ids.map(whole)),
    schedules: await store.schedules(),
    keys: await store.keys(),
    audit: await store.audit({ limit: 10 }),
    kinds: await store.kinds(),
    tenants: await store.tenants(),
    records: await store.listRecords({ ...NOTES, limit: 100 }),
    otherRecord: await store.findRecord({ space: "other", tenant: "bmf", key: "a" }),
  };
}

async function openMoved(t: TestContext, url: string, clock: ManualClock): Promise<Store> {
  const store = new PostgresStore({ url, leaseMs: 15_000, inline: { clock, random: () => 0.5 } });
  await store.open(NO_EVENTS);
  t.after(() => store.close());
  return store;
}
