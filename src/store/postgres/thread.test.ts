// time-limit: 300 s
// The same verbs on the store thread, with the database's clock: what the contract suite, which runs inline, cannot see.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../../../test/support/postgres.ts";
import type { ClaimedJob } from "../../job/lease.ts";
import { MAIL, planOf } from "../contract/rig.ts";
import { wrongCounts } from "../contract/wrong-counts.ts";
import { inspect as inspectFile } from "../sqlite/inspect.ts";
import { SqliteStore } from "../sqlite/store.ts";
import type { StoreEvents } from "../store.ts";
import { Pool } from "./connections.ts";
import { inspect } from "./inspect.ts";
import { PostgresStore } from "./store.ts";
import { Target } from "./target.ts";

const job = { kind: "mail", payload: "{}" };
const request = { kind: "mail", stage: "running", suspects: 1 };

removeDatabasesAfterwards();

describe("the postgres store on its thread", () => {
  threaded("calls made together are each answered with their own answer", async ({ store }) => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        store.submit([{ tenant: `t${i % 7}`, jobs: [{ ...job, payload: String(i) }] }]),
      ),
    );
    const ids = answers.map(([answer]) => (answer?.type === "accepted" ? (answer.jobIds[0] as string) : ""));
    const found = await Promise.all(ids.map((id) => store.find(id)));
    assert.deepEqual(
      found.map((each) => each?.payload),
      ids.map((_, i) => String(i)),
    );
  });

  threaded("a call that throws takes none of those made with it along, and keeps its code", async ({ store }) => {
    const held = await running(store);
    const answers = await Promise.allSettled([
      store.submit([{ tenant: "a", jobs: [job] }]),
      store.take(held.lease, "nobody's", 1),
      store.saveStep(held.lease, "s", "1"),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.equal(await store.saveStep(held.lease, "s", "1"), "written", "the same again is the same answer");
    await assert.rejects(store.saveStep(held.lease, "s", "2"), { code: "step-name-reused" });
    await store.settle(held.lease, { type: "completed", output: "1" });
    assert.equal((answers[1] as PromiseRejectedResult).reason.code, "limiter-unknown");
    assert.equal((await store.find(held.lease.jobId))?.standing, "completed");
  });

  threaded("claims asked for together get a job for each of their own processors", async ({ store }) => {
    const jobs = Array.from({ length: 35 }, (_, i) => ({ ...job, payload: String(i) }));
    await store.submit([{ tenant: "a", jobs }]);
    const asked = [0, 10, 20, 30].map((from) => Array.from({ length: 10 }, (_, i) => from + i));
    const answers = await Promise.all(asked.map((slots) => store.claim({ ...request, suspects: 0, slots })));
    const claimed = answers.flatMap((answer) => answer.jobs);
    assert.deepEqual(new Set(claimed.map(({ payload }) => Number(payload))), new Set(jobs.keys()));
    for (const [i, answer] of answers.entries()) {
      const slots = answer.jobs.map(({ lease }) => lease.slot);
      assert.deepEqual(slots, (asked[i] as number[]).slice(0, slots.length));
    }
  });

  threaded("a busy stage starts where it ended, and yet finds what became ready before that", async ({ store }) => {
    await store.submit([{ tenant: "a", jobs: Array.from({ length: 3_000 }, () => job) }]);
    const slots = Array.from({ length: 10 }, (_, i) => i);
    const next = async () => (await store.claim({ ...request, suspects: 0, slots })).jobs;
    for (let i = 0; i < 20; i++) assert.equal((await next()).length, 10);
    await store.submit([{ tenant: "a", jobs: [{ ...job, payload: '"urgent"', priority: -1 }] }]);
    let left = 2_800;
    for (let urgent = false; !urgent; ) {
      const jobs = await next();
      urgent = jobs.some(({ payload }) => payload === '"urgent"');
      left -= jobs.length;
      assert.ok(jobs.length > 0 && (urgent || left > 0), "it comes before the backlog ends");
    }
    while ((await next()).length > 0);
    await store.submit([{ tenant: "a", jobs: [{ ...job, priority: -2 }] }]);
    assert.equal((await next()).length, 1, "and at once when there is nothing else");
  });

  threaded("an instance is told of leases that another one ended, and why", async ({ store, another }) => {
    const told = Promise.withResolvers<{ jobId: string; token: number; reason: string }[]>();
    const b = await another({ lost: told.resolve });
    const { lease } = await running(b);
    await store.cancel([lease.jobId], "stop");
    assert.deepEqual(await told.promise, [{ jobId: lease.jobId, token: lease.token, reason: "cancelled" }]);
  });

  threaded("an instance is woken by what another one commits", async ({ store, another }) => {
    const woken = Promise.withResolvers<void>();
    await another({ wake: woken.resolve });
    await store.submit([{ tenant: "a", jobs: [job] }]);
    await woken.promise;
  });

  threaded("a stage that another instance adds to a kind is soon seen", async ({ store, another }) => {
    const b = await another({});
    const held = await running(b);
    await store.register([planOf("mail", ["running", "check"])]);
    while ((await b.find(held.lease.jobId))?.stages.length !== 2);
    const settled = await b.settle(held.lease, { type: "completed", output: "1" });
    assert.equal(settled.written === "written" && settled.nextStage, "check");
  });

  threaded("a process that is blocked keeps its leases: they are renewed on the thread", async ({ store, another }) => {
    const b = await another({});
    const held = await running(b);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
    assert.equal((await b.settle(held.lease, { type: "completed", output: "1" })).written, "written");
    assert.deepEqual(
      (await store.attempts(held.lease.jobId)).map((each) => each.outcome),
      ["completed"],
    );
  });

  threaded("a live store is copied to a file while it is written to", async ({ store, folder }) => {
    const writing = Array.from({ length: 50 }, () => store.submit([{ tenant: "a", jobs: [job, job] }]));
    await store.backup(join(folder, "copy.db"));
    await Promise.all(writing);
    assert.deepEqual(inspectFile(join(folder, "copy.db")), []);
    const copy = new SqliteStore({ path: join(folder, "copy.db") });
    await copy.open(NO_EVENTS);
    assert.equal((await copy.count({})) % 2, 0, "a submission is in it whole or not at all");
    await copy.close();
  });

  threaded("closing answers what was asked before, and refuses what is asked after", async ({ another }) => {
    const b = await another({});
    const last = b.submit([{ tenant: "a", jobs: [job] }]);
    await b.close();
    assert.equal((await last)[0]?.type, "accepted");
    await assert.rejects(async () => b.submit([]), { code: "store-closed" });
    await b.close();
  });

  test("a server that is not there is refused with a sentence", async () => {
    const store = new PostgresStore({ url: "postgres://nobody@127.0.0.1:1/nowhere" });
    await assert.rejects(store.open(NO_EVENTS), { code: "store-unavailable", message: /ECONNREFUSED/ });
  });

  test("a newer schema that breaks us is refused, one that only adds is not", async () => {
    const url = await freshDatabase();
    const store = new PostgresStore({ url });
    await store.open(NO_EVENTS);
    await store.close();
    const look = new Pool(new Target(url), { most: 1, limitMs: 5_000, name: "test" });
    await look.run("UPDATE millrace.meta SET value = '99' WHERE name = 'schema'");
    await store.open(NO_EVENTS);
    await store.close();
    await look.run("UPDATE millrace.meta SET value = '99' WHERE name = 'schema_breaking'");
    await assert.rejects(store.open(NO_EVENTS), { code: "schema-newer", message: /schema 99/ });
    await look.close();
  });

  test("of many that start at once on an empty database one makes the schema", async () => {
    const url = await freshDatabase();
    const stores = Array.from({ length: 4 }, () => new PostgresStore({ url }));
    await Promise.all(stores.map((store) => store.open(NO_EVENTS)));
    assert.equal((await stores[0]?.instances())?.length, 4);
    for (const store of stores) await store.close();
  });
});

interface Thread {
  store: PostgresStore;
  folder: string;
  another(events: Partial<StoreEvents>): Promise<PostgresStore>;
}

function threaded(sentence: string, body: (thread: Thread) => Promise<void>): void {
  test(sentence, { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-"));
    const url = await freshDatabase();
    const look = new Pool(new Target(url), { most: 1, limitMs: 5_000, name: "test" });
    const opened: PostgresStore[] = [];
    const another = async (events: Partial<StoreEvents>) => {
      const store = new PostgresStore({ url, leaseMs: 1_500, durability: "normal" });
      await store.open({ ...NO_EVENTS, ...events });
      opened.push(store);
      return store;
    };
    try {
      const store = await another({});
      await store.register([MAIL]);
      await body({ store, folder, another });
      assert.deepEqual(await wrongCounts(store), []);
      assert.deepEqual(await inspect(look), []);
    } finally {
      for (const store of opened) await store.close();
      await look.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function running(store: PostgresStore): Promise<ClaimedJob> {
  await store.submit([{ tenant: "a", jobs: [job] }]);
  const { jobs } = await store.claim({ ...request, slots: [0] });
  return jobs[0] as ClaimedJob;
}

const NO_EVENTS: StoreEvents = { wake() {}, lost() {}, expired() {}, fatal() {}, trouble() {} };
