// What becomes of bundles when answers are late or lost, one step at a time: the core without its thread.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { MAIL } from "../../../../../../test/support/mail.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { PostgresServer } from "../../../../../../test/support/postgres-server.ts";
import { scaled } from "../../../../../../test/support/slowness.ts";
import { until } from "../../../../../../test/support/until.ts";
import { AppError } from "../../../lib/app-error.ts";
import type { Clock } from "../../../lib/clock.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { NO_LIMITS } from "../../no-limits.ts";
import { ConnectionPool, Connections } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { failUnstarted } from "../control/deadlines.ts";
import { findLost } from "../control/lost-leases.ts";
import { Core } from "../core.ts";
import { register } from "../register/register.ts";
import { endingOf } from "../settle/ending.ts";
import { settle } from "../settle/settle.ts";
import { PostgresStore } from "../store.ts";
import { submit } from "../submit/submit.ts";
import { claim } from "./claim.ts";

removeDatabasesAfterwards();

const PATIENCE_MS = 30_000;
const DONE = { type: "completed", result: "1" } as const;
const SLOTS = Array.from({ length: 60 }, (_, slot) => slot);
const REQUEST = { kind: "mail", stage: "running", slots: SLOTS, suspects: 0 };

test("what a claim took in one round is given when the next one fails", async (t) => {
  const { core } = await open(t, { default: 100, other: 1 });
  beforeRound(core, 2, () => {
    throw new AppError("store-unavailable", "The database does not answer.");
  });
  const { jobs } = await claim(core, REQUEST);
  assert.equal(jobs.length, 31);
  assert.ok((await settle(core, done(core, jobs))).every(({ written }) => written === "written"));
});

test("a bundle is known from the moment it is answered, however long its claim takes", async (t) => {
  const time = { ms: 1_000_000 };
  const { core } = await open(
    t,
    { default: 100, other: 1 },
    { clock: { now: () => time.ms, monotonic: () => time.ms } },
  );
  beforeRound(core, 2, async () => {
    time.ms += 7_000; // longer than an answer may take
    await findLost(core);
  });
  const { jobs } = await claim(core, REQUEST);
  assert.equal(jobs.length, 60);
  assert.ok((await settle(core, done(core, jobs))).every(({ written }) => written === "written"));
});

test("a claim of several bundles of which one is slow to open loses none of its jobs", async (t) => {
  const { core } = await open(t, { default: 100 });
  // It needs its row at once, and in the second round its tenant has none: there are two bundles.
  await submit(core, [{ tenant: "other", jobs: [{ kind: "mail", payload: "1", uniqueKey: "one" }] }]);
  const lost: unknown[] = [];
  whenOpening(core, async () => {
    lost.push(...(await findLost(core)));
  });
  const { jobs } = await claim(core, REQUEST);
  assert.deepEqual([jobs.length, lost], [60, []]);
  assert.ok((await settle(core, done(core, jobs))).every(({ written }) => written === "written"));
});

test("a job completes whose bundle is opened at that moment by a call that was given up", async (t) => {
  // The server gives up a statement after 4 s. On a starved machine both statements may not meet within that time: then once more.
  for (let tries = 1; ; tries++) {
    const { core, look } = await open(t, { default: 60 });
    core.bundles.stop(); // it opens none by itself
    const { jobs } = await claim(core, REQUEST);
    const [first, last] = [jobs[0], jobs[59]].map((job) => core.ids.decode(job?.lease.jobId as string) as number);
    const unanswered = openUnanswered(core);
    const { settled, haveMet } = await look.transact(async (tx) => {
      await tx.run("SELECT 1 FROM millrace.job WHERE id = $1 FOR UPDATE", [last as number]);
      await assert.rejects(core.bundles.openFor([first as number]));
      const isOpening = await doWait(core, 1);
      const completing = settle(core, done(core, jobs.slice(0, 1)));
      completing.catch(() => undefined);
      return { settled: completing, haveMet: isOpening && (await doWait(core, 2)) };
    });
    const ended = Promise.all([settled, unanswered()]);
    if (!haveMet && tries < 10) {
      await ended.catch(() => undefined);
      continue;
    }
    const [answered, opened] = await ended;
    assert.deepEqual([haveMet, answered[0]?.written, opened.length], [true, "written", 60]);
    return;
  }
});

test("a claim whose jobs cannot be read at first is not made a second time", async (t) => {
  const { core } = await open(t, { default: 200 });
  const { jobs } = await claim(core, REQUEST);
  // As behind a pooler that gives what follows the commit another session.
  const { write } = core.connections;
  const statement = "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%json_agg(job.id)%'";
  const [row] = await write.run<{ name: string }>(statement);
  await write.run(`DO $$ BEGIN EXECUTE 'DEALLOCATE ${row?.name}'; END $$`); // so that the driver does not notice
  const more = await claim(core, REQUEST);
  assert.equal(more.jobs.length, 60);
  assert.ok((await settle(core, done(core, [...jobs, ...more.jobs]))).every(({ written }) => written === "written"));
});

test("a large job that ends while its bundle is read is given to nobody", async (t) => {
  const { core } = await open(t, { default: 30 });
  await submit(core, [{ tenant: "default", jobs: [{ kind: "mail", payload: JSON.stringify("x".repeat(50_000)) }] }]);
  const { write } = core.connections;
  const run = write.run.bind(write);
  write.run = async (statement, values) => {
    if (statement.startsWith("SELECT job.id, job.payload"))
      await run("DELETE FROM millrace.job WHERE octet_length(payload) > 50000");
    return run(statement, values);
  };
  const { jobs } = await claim(core, REQUEST);
  write.run = run;
  assert.equal(jobs.length, 30);
  assert.ok((await settle(core, done(core, jobs))).every(({ written }) => written === "written"));
});

test("a job of which nothing is kept ends with what it got beside its row meanwhile, in its bundle or not", async (t) => {
  const { core } = await open(t, { default: 60 }, { finishedMs: "none" });
  const { jobs } = await claim(core, REQUEST);
  await core.connections.write.run("UPDATE millrace.job SET flags = 16 WHERE id <= 5");
  const [opened] = jobs;
  await core.bundles.openFor([core.ids.decode(opened?.lease.jobId as string) as number]);
  const settled = await settle(core, done(core, jobs));
  assert.ok(settled.every((each) => each.written === "written" && each.forgotten));
  assert.deepEqual(await core.connections.write.run("SELECT id FROM millrace.job"), []);
});

test("a job of which nothing is kept is asked for again when its second look fails, and is not given up", async (t) => {
  const { core } = await open(t, { default: 20 }, { finishedMs: "none" });
  const { jobs } = await claim(core, REQUEST);
  const { write } = core.connections;
  await write.run("UPDATE millrace.job SET flags = 16");
  const transact = write.transact.bind(write);
  write.transact = () => Promise.reject(new AppError("store-unavailable", "It does not answer."));
  await assert.rejects(settle(core, done(core, jobs)), { code: "store-unavailable" });
  write.transact = transact;
  const settled = await settle(core, done(core, jobs));
  assert.ok(settled.every((each) => each.written === "written" && each.forgotten));
});

test("a job that started in time is not failed for not having started while its bundle cannot be opened", async (t) => {
  const time = { ms: 1_000_000 };
  const { core } = await open(t, {}, { clock: { now: () => time.ms, monotonic: () => time.ms } });
  core.bundles.stop();
  await submit(core, [{ tenant: "default", jobs: [{ kind: "mail", payload: "1", expiresInMs: 1_000 }] }]);
  const restore = whenOpening(core, () => Promise.reject(new AppError("store-unavailable", "It does not answer.")));
  const { jobs } = await claim(core, REQUEST);
  time.ms += 2_000;
  assert.deepEqual(await failUnstarted(core), []);
  restore();
  const [settled] = await settle(core, done(core, jobs));
  assert.equal(settled?.written, "written");
});

test("a store closes while a bundle of it cannot be opened", async (t) => {
  const { look, url } = await open(t, { default: 60 });
  const store = new PostgresStore({ url });
  await store.open(NO_EVENTS);
  const admin = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "admin" });
  t.after(() => admin.close());
  assert.equal((await store.claim(REQUEST)).jobs.length, 60);
  // Its opening waits for us, and what it hands back as it closes waits for the opening.
  const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%opened AS (DELETE%' AND pid <> $1`;
  const waitsBeside = (pid: number) =>
    until("it waits", async () => (await admin.run<{ pid: number }>(waiting, [pid]))[0]?.pid, PATIENCE_MS);
  let closed: Promise<void> | undefined;
  await look.transact(async (tx) => {
    await tx.run("SELECT 1 FROM millrace.job FOR UPDATE", []);
    const opening = await waitsBeside(0);
    closed = store.close();
    const handingBack = await waitsBeside(opening as number);
    await admin.run("SELECT pg_cancel_backend($1)", [handingBack as number]);
    await until(
      "it has stopped waiting",
      async () => (await admin.run(waiting, [handingBack as number])).length === 0,
      PATIENCE_MS,
    ); // its connection is closed
  });
  const late = AbortSignal.timeout(scaled(10_000));
  await Promise.race([closed, new Promise((_, reject) => late.addEventListener("abort", () => reject(late.reason)))]);
});

test("the number of an instance is given to nobody else after a crash, whatever the server's settings", async (t) => {
  const server = await PostgresServer.start({ synchronous_commit: "off", wal_writer_delay: "10s" });
  const cores: Core[] = [];
  t.after(async () => {
    for (const core of cores) await core.close();
    await server.remove();
  });
  const admin = new ConnectionPool(new DatabaseTarget(server.url), { most: 1, limitMs: 5_000, name: "test" });
  await (await Core.open(options(server.url), NO_EVENTS)).close();
  await admin.run("CHECKPOINT");
  await admin.close();
  cores.push(await Core.open(options(server.url), NO_EVENTS));
  await server.stop("immediate");
  await server.start();
  cores.push(await Core.open(options(server.url), NO_EVENTS));
  assert.equal(new Set(cores.map(({ instances }) => instances.id)).size, 2);
});

function options(url: string) {
  return { url, durability: "full" as const, leaseMs: 15_000, instanceName: "test", limits: NO_LIMITS };
}

async function open(
  t: TestContext,
  jobs: Record<string, number>,
  { clock, finishedMs = MAIL.retention.finishedMs }: { clock?: Clock; finishedMs?: number | "none" } = {},
) {
  const url = await freshDatabase();
  const look = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
  const connections = new Connections(new DatabaseTarget(url));
  const core = await Core.open(options(url), NO_EVENTS, { connections, ...(clock && { clock }) });
  t.after(async () => {
    await core.close();
    await connections.close();
    await look.close();
  });
  await register(core, [{ ...MAIL, retention: { ...MAIL.retention, finishedMs } }]);
  const job = { kind: "mail", payload: "1" };
  await submit(
    core,
    Object.entries(jobs).map(([tenant, count]) => ({ tenant, jobs: Array.from({ length: count }, () => job) })),
  );
  return { core, look, url };
}

/** With fewer jobs of one tenant than its share, the rest is taken in a second round. */
function beforeRound(core: Core, round: number, act: () => void | Promise<void>): void {
  const { write } = core.connections;
  const together = write.together.bind(write);
  let rounds = 0;
  write.together = async (steps) => {
    if (++rounds === round) await act();
    return together(steps);
  };
}

/** The next bundle is opened, and whoever asked for it does not hear of it. Answers what was opened. */
function openUnanswered(core: Core): () => Promise<unknown[]> {
  const { write } = core.connections;
  const run = write.run.bind(write);
  let answer: Promise<unknown[]> | undefined;
  write.run = (statement, values) => {
    write.run = run;
    answer = run(statement, values);
    return Promise.reject(new AppError("store-unavailable", "The database does not answer."));
  };
  return async () => (await answer) as unknown[];
}

function whenOpening(core: Core, act: () => Promise<void>): () => void {
  const { write } = core.connections;
  const run = write.run.bind(write);
  write.run = async (statement, values) => {
    if (statement.includes("opened AS")) await act();
    return run(statement, values);
  };
  return () => {
    write.run = run;
  };
}

const WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

/** Whether so many wait for a lock at once, before the server gives them up. */
async function doWait(core: Core, count: number): Promise<boolean> {
  for (const until = performance.now() + 1_200; performance.now() < until; ) {
    if ((await core.connections.read.run(WAITING)).length >= count) return true;
    await pause(5);
  }
  return false;
}

function done(core: Core, jobs: Awaited<ReturnType<typeof claim>>["jobs"]) {
  return jobs.map(({ lease }) => endingOf(core, lease, DONE));
}
