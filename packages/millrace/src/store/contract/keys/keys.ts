// Jobs with the same concurrency key keep out of each other's way: as many as the kind allows hold the key, and the others wait.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { suspend } from "../children/support.ts";
import { failureOf, HOUR_MS, type OpenData, planOf, promise, REPORT, type Rig } from "../rig.ts";
import { sleepFor } from "../waits/support.ts";
import { assertStanding, claimKeys, keyed, keyedMail, payloads, submitKeyed, waitWords } from "./support.ts";

/** Each ends or interrupts the attempt, so that the key is free. */
const GIVES_BACK: Record<string, (rig: Rig, job: ClaimedJob) => Promise<unknown>> = {
  completes: (rig, job) => rig.complete(job),
  fails: (rig, job) => rig.kill(job),
  "is to be retried": (rig, job) => rig.settle(job, { type: "failed", failure: failureOf(), retryAfterMs: HOUR_MS }),
  "is deferred": (rig, job) => rig.settle(job, { type: "deferred", delayMs: HOUR_MS }),
  "is held": (rig, job) => rig.settle(job, { type: "held", reason: "r" }),
  sleeps: (rig, job) => rig.settle(job, { type: "waiting", waits: [sleepFor(HOUR_MS)] }),
  "is cancelled": (rig, job) => rig.store.cancel([job.lease.jobId], "x"),
};

export function describeConcurrencyKeys(open: OpenData): void {
  describe("concurrency keys", () => {
    for (const [what, end] of Object.entries(GIVES_BACK)) {
      promise(
        open,
        `the next job of a key starts when one ${what}, and not before`,
        async (rig) => {
          const [, second, third] = (await submitKeyed(rig, ["a", "a", "a", "b"])) as [string, string, string];
          const [a] = (await rig.claim(10)) as [ClaimedJob];
          assert.equal(a.payload, '"a"');
          assert.deepEqual(await claimKeys(rig), []);
          assert.equal(await waitWords(rig, second), "key a");
          await end(rig, a);
          assert.deepEqual(await rig.claimIds(10), [second]);
          assert.deepEqual(await claimKeys(rig), []);
          assert.equal(await waitWords(rig, third), "key a");
        },
        keyed(),
      );
    }

    promise(
      open,
      "as many jobs of a key run at once as the kind allows, over all processes",
      async (rig) => {
        const b = await rig.another();
        await submitKeyed(rig, ["a", "a", "a", "a", "b"]);
        const jobs = await rig.claim(10);
        assert.deepEqual(payloads(jobs).sort(), ["a", "a", "b"]);
        assert.deepEqual(await rig.claim(10, {}, b), []);
        await rig.complete(jobs[0] as ClaimedJob);
        assert.equal((await rig.claim(10, {}, b)).length, 1);
      },
      keyed({ perKey: 2 }),
    );

    promise(
      open,
      "keys of different tenants never meet, and tenants take turns before keys do",
      async (rig) => {
        await submitKeyed(rig, ["a", "b", "c", "d"], { tenant: "large" });
        await submitKeyed(rig, ["a"], { tenant: "small" });
        const first = await rig.claim(2);
        assert.deepEqual(first.map(({ tenant }) => tenant).sort(), ["large", "small"]);
        assert.deepEqual(payloads(first), ["a", "a"]);
      },
      keyed(),
    );

    promise(
      open,
      "keys of a tenant take turns, although one has more jobs",
      async (rig) => {
        await submitKeyed(rig, ["a", "a", "a", "b", "b"]);
        const order: string[] = [];
        for (let i = 0; i < 5; i++) {
          rig.clock.advance(10);
          const job = await rig.claimOne();
          order.push(...payloads([job]));
          await rig.complete(job);
        }
        assert.deepEqual(order, ["a", "b", "a", "b", "a"]);
      },
      keyed(),
    );

    promise(
      open,
      "a job that waits for its key goes by priority",
      async (rig) => {
        await submitKeyed(rig, ["a"]);
        const job = await rig.claimOne();
        const [late] = await submitKeyed(rig, ["a"], { priority: 5 });
        const [early] = await submitKeyed(rig, ["a"], { priority: -5 });
        await rig.complete(job);
        const next = await rig.claimOne();
        assert.equal(next.lease.jobId, early);
        await rig.complete(next);
        assert.deepEqual(await rig.claimIds(5), [late]);
      },
      keyed(),
    );

    promise(
      open,
      "a job without a key waits for nothing",
      async (rig) => {
        await submitKeyed(rig, ["a", "a"]);
        const plain = await rig.submit();
        const ids = await rig.claimIds(10);
        assert.equal(ids.length, 2);
        assert.ok(ids.includes(plain));
      },
      keyed(),
    );

    promise(
      open,
      "a delayed job takes its place when it is due",
      async (rig) => {
        const [delayed] = await submitKeyed(rig, ["a"], { delayMs: 1_000 });
        const [now] = await submitKeyed(rig, ["a"]);
        assert.deepEqual(await rig.claimIds(10), [now]);
        rig.clock.advance(1_000);
        assert.deepEqual(await rig.claimIds(10), []);
        assert.equal(await waitWords(rig, delayed as string), "key a");
      },
      keyed(),
    );

    promise(
      open,
      "a job that was retried, released or woken gets its key again first",
      async (rig) => {
        const [retried] = await submitKeyed(rig, ["a"]);
        await rig.settle(await rig.claimOne(), { type: "failed", failure: failureOf(), retryAfterMs: 1_000 });
        const [held] = await submitKeyed(rig, ["a"]);
        await rig.settle(await rig.claimOne(), { type: "held", reason: "r" });
        const [sleeper] = await submitKeyed(rig, ["a"]);
        await rig.settle(await rig.claimOne(), { type: "waiting", waits: [sleepFor(1_000)] });
        const [runs] = await submitKeyed(rig, ["a"]);
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, runs);
        rig.clock.advance(1_000);
        assert.equal(await rig.store.release(held as string), "done");
        assert.deepEqual(await rig.claim(10), [], "the key is held");
        const waiting = new Set<string>();
        let next = job;
        for (let i = 0; i < 3; i++) {
          await rig.complete(next);
          next = await rig.claimOne();
          waiting.add(next.lease.jobId);
        }
        assert.deepEqual(waiting, new Set([retried, held, sleeper]));
      },
      keyed(),
    );

    promise(
      open,
      "a job keeps its key from stage to stage",
      async (rig) => {
        const [first] = await submitKeyed(rig, ["a", "a"], { kind: "report" });
        await rig.complete(await rig.claimOne({ kind: "report" }));
        assert.deepEqual(await rig.claim(5, { kind: "report" }), []);
        assert.deepEqual(await rig.claimIds(5, { kind: "report", stage: "form" }), [first]);
      },
      { plans: [planOf("report", ["fetch", "form"], { concurrency: { keyed: true } })] },
    );

    promise(
      open,
      "the key of a process that died is neither free nor forgotten",
      async (rig) => {
        const [first, second] = await submitKeyed(rig, ["a", "a"]);
        assert.deepEqual(await rig.die(5), [first]);
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, first, "the job that was interrupted still holds its key");
        assert.deepEqual(await rig.claim(5), []);
        await rig.complete(job);
        assert.deepEqual(await rig.claimIds(5), [second]);
      },
      keyed(),
    );

    promise(
      open,
      "cancelled jobs leave the line, wherever they stand in it",
      async (rig) => {
        const [first, second, third] = (await submitKeyed(rig, ["a", "a", "a"])) as [string, string, string];
        await rig.store.cancel([second], "x");
        await rig.store.cancel([first], "x");
        assert.deepEqual(await rig.claimIds(5), [third]);
        await assertStanding(rig, second, "cancelled");
      },
      keyed(),
    );

    promise(
      open,
      "a job that is not started in time fails, also while it waits for its key",
      async (rig) => {
        await submitKeyed(rig, ["a"]);
        await rig.claimOne();
        const [late] = await submitKeyed(rig, ["a"], { expiresInMs: 1_000 });
        assert.deepEqual(await rig.claim(5), []);
        rig.clock.advance(1_000);
        await rig.store.beat();
        const job = await rig.find(late as string);
        assert.equal(job.failure?.message, "The job was not started within 1000 ms, because the queue was too long.");
      },
      keyed(),
    );

    promise(
      open,
      "a revived job gets its key like any other",
      async (rig) => {
        const [dead] = (await submitKeyed(rig, ["a"])) as [string];
        await rig.kill(await rig.claimOne());
        const [runs] = await submitKeyed(rig, ["a"]);
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, runs);
        const revived = await rig.store.revive(dead, { from: "failed-stage" });
        assert.ok(typeof revived === "object" && "revived" in revived);
        assert.deepEqual(await rig.claim(5), []);
        assert.equal(await waitWords(rig, revived.revived), "key a");
        await rig.complete(job);
        assert.deepEqual(await rig.claimIds(5), [revived.revived]);
      },
      keyed(),
    );

    promise(
      open,
      "a successor goes on in the place of its job",
      async (rig) => {
        await submitKeyed(rig, ["a", "a"]);
        const settled = await rig.settle(await rig.claimOne(), { type: "continued", payload: '"a"' });
        assert.ok(settled.written === "written");
        const successor = await rig.claimOne();
        assert.equal(successor.lease.jobId, settled.successor);
        assert.deepEqual(await rig.claim(5), []);
        await rig.complete(successor);
        assert.equal((await rig.claim(5)).length, 1);
      },
      keyed(),
    );

    promise(
      open,
      "a parent that waits for children gives its key back, so that a child may need it",
      async (rig) => {
        await submitKeyed(rig, ["a"]);
        const parent = await rig.claimOne();
        const jobs = [{ kind: "mail", payload: '"a"', concurrencyKey: "a" }];
        await rig.store.startChildren(parent.lease, {
          type: "children",
          name: "parts",
          mode: "fail",
          jobs,
          keys: ["c"],
        });
        assert.deepEqual(await rig.claim(5), []);
        await suspend(rig, parent);
        const child = await rig.claimOne();
        await rig.complete(child);
        assert.deepEqual(await rig.claimIds(5), [parent.lease.jobId]);
      },
      keyed(),
    );

    promise(
      open,
      "the number of the highest deployment counts, and more jobs start when it grows",
      async (rig) => {
        await submitKeyed(rig, ["a", "a", "a", "a"]);
        assert.equal((await rig.claim(10)).length, 1);
        const newer = await rig.worker(keyedMail({ perKey: 3 }), "v2");
        assert.equal((await rig.claim(10)).length, 2);
        await newer.close();
      },
      keyed(),
    );

    promise(
      open,
      "before any worker has the kind, jobs of a key wait, and its first worker says how many run",
      async (rig) => {
        await rig.store.register([{ ...planOf("post", []), stages: [] }]);
        await submitKeyed(rig, ["a", "a", "a"], { kind: "post" });
        await rig.store.beat();
        const worker = await rig.worker(planOf("post", ["running"], { concurrency: { keyed: true, perKey: 2 } }));
        assert.equal((await rig.claim(10, { kind: "post", stage: "running" }, worker)).length, 2);
      },
      { plans: [REPORT] },
    );

    promise(
      open,
      "jobs with keys run without limit where the workers of their kind know of no keys",
      async (rig) => {
        await submitKeyed(rig, ["a", "a", "a"]);
        await rig.store.beat();
        assert.equal((await rig.claim(10)).length, 3);
      },
      { plans: [planOf("mail", ["running"]), REPORT] },
    );

    promise(
      open,
      "jobs of one key are found by what they wait for",
      async (rig) => {
        const [, second] = await submitKeyed(rig, ["a", "a", "b", "b"]);
        await rig.claim(10);
        assert.equal(await rig.store.count({ waitsFor: "key" }), 2);
        assert.deepEqual(
          (await rig.store.list({ waitsFor: "key:a" })).map(({ id }) => id),
          [second],
        );
      },
      keyed(),
    );
  });
}
