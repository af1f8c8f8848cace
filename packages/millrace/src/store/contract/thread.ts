// The same verbs on a store's own thread, with its real clock: what the contract suite, which moves time by hand, cannot show.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ClaimedJob } from "../../job/lease.ts";
import { inspect as inspectFile } from "../sqlite/connection/inspect.ts";
import { SqliteStore } from "../sqlite/store.ts";
import type { Store, StoreEvents } from "../store.ts";
import { MAIL, planOf } from "./rig.ts";
import { wrongCounts } from "./wrong-counts.ts";

/** Where stores on threads of their own share their data. */
export interface SharedStoreData {
  /** Each is another instance on the same data. */
  store(): Store;
  /** What is wrong in the data, in sentences. */
  inspect(): string[] | Promise<string[]>;
  remove?(): Promise<void>;
}

export interface ThreadedStores {
  leaseMs: number;
  make(folder: string): SharedStoreData | Promise<SharedStoreData>;
}

interface OpenedStore {
  store: Store;
  folder: string;
  another(events: Partial<StoreEvents>): Promise<Store>;
}

const job = { kind: "mail", payload: "{}" };
const request = { kind: "mail", stage: "running", suspects: 1 };

export const NO_EVENTS: StoreEvents = { wake() {}, lost() {}, expired() {}, fatal() {}, trouble() {} };

export function describeThread(name: string, thread: ThreadedStores): void {
  const threaded = (sentence: string, body: (on: OpenedStore) => Promise<void>) =>
    test(sentence, { timeout: 60_000 }, async () => {
      const folder = mkdtempSync(join(tmpdir(), "millrace-"));
      const data = await thread.make(folder);
      const opened: Store[] = [];
      const another = async (events: Partial<StoreEvents>) => {
        const store = data.store();
        await store.open({ ...NO_EVENTS, ...events });
        opened.push(store);
        return store;
      };
      try {
        const store = await another({});
        await store.register([MAIL]);
        await body({ store, folder, another });
        assert.deepEqual(await wrongCounts(store), []);
        assert.deepEqual(await data.inspect(), []);
      } finally {
        for (const store of opened) await store.close();
        await data.remove?.();
        rmSync(folder, { recursive: true, force: true });
      }
    });

  describe(`the ${name} store on its thread`, () => {
    threaded("calls made together are each answered with their own answer", async ({ store }) => {
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, i) =>
          store.submit([{ tenant: `t${i % 7}`, jobs: [{ ...job, payload: String(i) }] }]),
        ),
      );
      const ids = answers.map(([answer]) => (answer?.type === "accepted" ? (answer.jobIds[0] as string) : ""));
      const found = (await Promise.all(ids.map((id) => store.find([id])))).flat();
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
      assert.equal((answers[1] as PromiseRejectedResult).reason.code, "limiter-unknown");
      assert.notEqual(await store.saveStep(held.lease, "s", "1"), "lease-lost", "the same again is the same step");
      await assert.rejects(store.saveStep(held.lease, "s", "2"), { code: "step-name-reused" });
      await store.settle(held.lease, { type: "completed", result: "1" });
      assert.equal((await store.find([held.lease.jobId]))[0]?.standing, "completed");
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
      await store.submit([{ tenant: "a", jobs: Array.from({ length: 8_000 }, () => job) }]);
      const slots = Array.from({ length: 10 }, (_, i) => i);
      const next = async () => (await store.claim({ ...request, suspects: 0, slots })).jobs;
      for (let i = 0; i < 20; i++) assert.equal((await next()).length, 10);
      await store.submit([{ tenant: "a", jobs: [{ ...job, payload: '"urgent"', priority: -1 }] }]);
      // On a busy server a look from the beginning is put off for a second at most: the backlog lasts longer.
      let left = 7_800;
      for (let urgent = false; !urgent; ) {
        const jobs = await next();
        urgent = jobs.some(({ payload }) => payload === '"urgent"');
        left -= jobs.length;
        assert.ok(jobs.length > 0 && (urgent || left > 0), "it comes before the backlog ends");
      }
      while ((await next()).length > 0);
      await store.submit([{ tenant: "a", jobs: [{ ...job, payload: '"last"', priority: -2 }] }]);
      // At once where a look from the beginning is quick; on a busy server it is put off for a second at most.
      for (let jobs = await next(); jobs[0]?.payload !== '"last"'; jobs = await next()) assert.deepEqual(jobs, []);
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

    threaded("a plan that another instance registers is that of the next job, and of none before it", async (data) => {
      const { store, another } = data;
      const b = await another({});
      const held = await running(b);
      await store.register([planOf("mail", ["running", "check"])]);
      const [answer] = await b.submit([{ tenant: "a", jobs: [job] }]);
      const [next] = answer?.type === "accepted" ? await b.find(answer.jobIds) : [];
      assert.deepEqual(next?.stages, ["running", "check"]);
      const settled = await b.settle(held.lease, { type: "completed", result: "1" });
      assert.deepEqual(settled, { written: "written", standing: "completed" });
    });

    threaded(
      "a process that is blocked keeps its leases: they are renewed on the thread",
      async ({ store, another }) => {
        const b = await another({});
        const held = await running(b);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, thread.leaseMs * 2.5);
        assert.equal((await b.settle(held.lease, { type: "completed", result: "1" })).written, "written");
        assert.deepEqual(
          (await store.attempts(held.lease.jobId)).map((each) => each.outcome),
          ["completed"],
        );
      },
    );

    threaded("lists and counts come from a reader that sees every commit before it", async ({ store }) => {
      for (let i = 1; i <= 5; i++) {
        await store.submit([{ tenant: "a", jobs: [job] }]);
        assert.equal(await store.count({}), i);
        assert.equal((await store.list({})).length, i);
      }
      await running(store);
      assert.equal(await store.count({ standings: ["running"] }), 1);
    });

    threaded(
      "a live store is copied to a file while it is written to, and the copy opens",
      async ({ store, folder }) => {
        const writing = Array.from({ length: 50 }, () => store.submit([{ tenant: "a", jobs: [job, job] }]));
        await store.backup(join(folder, "copy.db"));
        await Promise.all(writing);
        assert.deepEqual(inspectFile(join(folder, "copy.db")), []);
        const copy = new SqliteStore({ path: join(folder, "copy.db") });
        await copy.open(NO_EVENTS);
        assert.equal((await copy.count({})) % 2, 0, "a submission is in it whole or not at all");
        await copy.close();
      },
    );

    threaded("closing answers what was asked before, and refuses what is asked after", async ({ another }) => {
      const b = await another({});
      const last = b.submit([{ tenant: "a", jobs: [job] }]);
      await b.close();
      assert.equal((await last)[0]?.type, "accepted");
      await assert.rejects(async () => b.submit([]), { code: "store-closed" });
      await b.close();
    });
  });
}

async function running(store: Store): Promise<ClaimedJob> {
  await store.submit([{ tenant: "a", jobs: [job] }]);
  const { jobs } = await store.claim({ ...request, slots: [0] });
  return jobs[0] as ClaimedJob;
}
