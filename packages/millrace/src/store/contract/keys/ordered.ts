// Jobs of an ordered kind run one at a time for each key, in the order of their submission. A job keeps its turn until it has ended.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { CHILD_KIND, start, suspend } from "../children/support.ts";
import { failureOf, HOUR_MS, type OpenData, planOf, promise, type Rig } from "../rig.ts";
import { sleepFor } from "../waits/support.ts";
import { assertStanding, keyed, keyedMail, ORDERED, submitKeyed, waitWords } from "./support.ts";

const DAY_MS = 24 * HOUR_MS;

/** A dead letter with its key, and the job behind it. */
async function deadLetter(rig: Rig): Promise<{ dead: string; next: string }> {
  const [dead, next] = (await submitKeyed(rig, ["a", "a"])) as [string, string];
  await rig.kill(await rig.claimOne());
  return { dead, next };
}

/** Each passes the turn of a dead letter on. */
const PASSES_ON: Record<string, (rig: Rig, jobId: string) => Promise<unknown>> = {
  cancelled: async (rig, jobId) => {
    assert.deepEqual(await rig.store.cancel([jobId], "given up"), ["done"]);
    await assertStanding(rig, jobId, "cancelled");
  },
  deleted: async (rig, jobId) => assert.deepEqual(await rig.store.forget([jobId]), ["done"]),
};

export function describeOrdered(open: OpenData): void {
  describe("an ordered kind", () => {
    promise(
      open,
      "runs the jobs of a key one by one, in the order of their submission",
      async (rig) => {
        const [answer] = await rig.store.submit([
          { tenant: "default", jobs: [1, 2, 3].map((n) => ({ kind: "mail", payload: `${n}`, concurrencyKey: "a" })) },
        ]);
        assert.ok(answer?.type === "accepted");
        const other = await rig.submit({ concurrencyKey: "a" });
        const order: string[] = [];
        for (let i = 0; i < 4; i++) {
          const jobs = await rig.claim(5);
          assert.equal(jobs.length, 1);
          order.push((jobs[0] as ClaimedJob).lease.jobId);
          await rig.complete(jobs[0] as ClaimedJob);
        }
        assert.deepEqual(order, [...answer.jobIds, other]);
      },
      ORDERED,
    );

    promise(
      open,
      "keeps the turn of a job over retries, holds, sleeps and crashes",
      async (rig) => {
        const [first, second] = await submitKeyed(rig, ["a", "a"]);
        await rig.settle(await rig.claimOne(), { type: "failed", failure: failureOf(), retryAfterMs: 1_000 });
        assert.deepEqual(await rig.claim(5), []);
        rig.clock.advance(1_000);
        await rig.settle(await rig.claimOne(), { type: "held", reason: "r" });
        assert.deepEqual(await rig.claim(5), []);
        await rig.store.release(first as string);
        await rig.settle(await rig.claimOne(), { type: "waiting", waits: [sleepFor(1_000)] });
        assert.deepEqual(await rig.claim(5), []);
        rig.clock.advance(1_000);
        assert.deepEqual(await rig.die(5), [first]);
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, first);
        await rig.complete(job);
        assert.deepEqual(await rig.claimIds(5), [second]);
      },
      ORDERED,
    );

    promise(
      open,
      "keeps the turn of a job over its stages and its successor",
      async (rig) => {
        const [first, second] = await submitKeyed(rig, ["a", "a"], { kind: "report" });
        await rig.complete(await rig.claimOne({ kind: "report" }));
        const [form] = (await rig.claim(5, { kind: "report", stage: "form" })) as [ClaimedJob];
        assert.equal(form.lease.jobId, first);
        const settled = await rig.settle(form, { type: "continued", payload: '"a"' });
        assert.ok(settled.written === "written");
        const successor = await rig.claimOne({ kind: "report" });
        assert.equal(successor.lease.jobId, settled.successor);
        assert.deepEqual(await rig.claim(5, { kind: "report" }), []);
        await rig.store.cancel([successor.lease.jobId], "x");
        assert.deepEqual(await rig.claimIds(5, { kind: "report" }), [second]);
      },
      { plans: [planOf("report", ["fetch", "form"], { concurrency: { keyed: true, ordered: true } })] },
    );

    promise(
      open,
      "gives a delayed job its place when it is due",
      async (rig) => {
        const [delayed] = await submitKeyed(rig, ["a"], { delayMs: 1_000 });
        const [first, second] = await submitKeyed(rig, ["a", "a"]);
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, first);
        rig.clock.advance(1_000);
        assert.deepEqual(await rig.claim(5), []);
        const [last] = await submitKeyed(rig, ["a"]);
        const order: string[] = [];
        for (let next = job; ; next = await rig.claimOne()) {
          order.push(next.lease.jobId);
          await rig.complete(next);
          if (order.length === 4) break;
        }
        assert.deepEqual(order, [first, second, delayed, last]);
      },
      ORDERED,
    );

    promise(
      open,
      "refuses a priority",
      async (rig) => {
        const answer = await rig.offer({ concurrencyKey: "a", priority: 1 });
        assert.ok(answer.type === "refused");
        assert.deepEqual(
          [answer.code, answer.message],
          ["invalid-request", 'Jobs of the kind "mail" run in order, so they cannot have a priority.'],
        );
        assert.equal((await rig.offer({ concurrencyKey: "a", priority: 0 })).type, "accepted");
      },
      ORDERED,
    );

    promise(
      open,
      "lets a dead letter keep the jobs behind it waiting, and never prunes it",
      async (rig) => {
        const { dead, next } = await deadLetter(rig);
        rig.clock.advance(30 * DAY_MS);
        await rig.store.prune({ limit: 100 });
        await assertStanding(rig, dead, "failed");
        assert.deepEqual(await rig.claim(5), []);
        assert.equal(await waitWords(rig, next), "key a");
      },
      ORDERED,
    );

    promise(
      open,
      "does not prune it beyond the number of dead letters that are kept",
      async (rig) => {
        const { dead } = await deadLetter(rig);
        for (const key of ["b", "c"]) {
          await submitKeyed(rig, [key]);
          await rig.kill(await rig.claimOne());
        }
        await rig.store.prune({ limit: 100 });
        await assertStanding(rig, dead, "failed");
      },
      { ...ORDERED, limits: { dlqKeepMax: 1 } },
    );

    for (const [what, passOn] of Object.entries(PASSES_ON)) {
      promise(
        open,
        `goes on when its dead letter is ${what}`,
        async (rig) => {
          const { dead, next } = await deadLetter(rig);
          await passOn(rig, dead);
          assert.deepEqual(await rig.claimIds(5), [next]);
        },
        ORDERED,
      );
    }

    promise(
      open,
      "lets a revived job take the place of its dead letter",
      async (rig) => {
        const { dead, next } = await deadLetter(rig);
        const revived = await rig.store.revive(dead, { from: "failed-stage" });
        assert.ok(typeof revived === "object" && "revived" in revived);
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, revived.revived);
        assert.deepEqual(await rig.claim(5), []);
        await rig.complete(job);
        assert.deepEqual(await rig.claimIds(5), [next]);
        rig.clock.advance(30 * DAY_MS);
        await rig.store.prune({ limit: 100 });
        assert.deepEqual(await rig.store.find([dead]), [], "the old one is pruned as any other");
      },
      ORDERED,
    );

    promise(
      open,
      "gives the key away when a revived job gets another one",
      async (rig) => {
        const { dead, next } = await deadLetter(rig);
        const options = { from: "start", payload: '"b"', concurrencyKey: "b" } as const;
        const revived = await rig.store.revive(dead, options);
        assert.ok(typeof revived === "object" && "revived" in revived);
        assert.deepEqual((await rig.claimIds(5)).sort(), [next, revived.revived].sort());
      },
      ORDERED,
    );

    promise(
      open,
      "goes on after a failure of the input, which leaves no dead letter",
      async (rig) => {
        const [, next] = await submitKeyed(rig, ["a", "a"]);
        await rig.fail(await rig.claimOne(), { permanent: true, input: true });
        assert.deepEqual(await rig.claimIds(5), [next]);
      },
      ORDERED,
    );

    promise(
      open,
      "goes on after a dead letter if it skips them",
      async (rig) => {
        const { dead, next } = await deadLetter(rig);
        assert.deepEqual(await rig.claimIds(5), [next]);
        await assertStanding(rig, dead, "failed");
      },
      keyed({ ordered: true, ifFails: "skip" }),
    );

    promise(
      open,
      "lets a job that failed while it waited for its key hold nothing",
      async (rig) => {
        await submitKeyed(rig, ["a"]);
        const job = await rig.claimOne();
        const [late] = await submitKeyed(rig, ["a"], { deadlineMs: 1_000 });
        const [last] = await submitKeyed(rig, ["a"]);
        rig.clock.advance(1_000);
        await rig.store.beat();
        await assertStanding(rig, late as string, "failed");
        await rig.complete(job);
        assert.deepEqual(await rig.claimIds(5), [last]);
      },
      ORDERED,
    );

    promise(
      open,
      "refuses a child that needs a key which an ancestor holds",
      async (rig) => {
        await submitKeyed(rig, ["a"]);
        const top = await rig.claimOne();
        const same = { kind: "mail", job: { concurrencyKey: "a" } };
        await assert.rejects(start(rig, top, 1, same), {
          code: "child-is-ancestor",
          message: `The child needs the concurrency key "a", which ${top.lease.jobId} holds.`,
        });
        await start(rig, top, 1);
        await suspend(rig, top);
        const [child] = (await rig.claim(1, { kind: "child", stage: "running" })) as [ClaimedJob];
        await assert.rejects(start(rig, child, 1, same), { code: "child-is-ancestor" });
        await start(rig, child, 1, { kind: "mail", job: { concurrencyKey: "b" } });
        assert.equal((await rig.claim(5)).length, 1);
      },
      { plans: [keyedMail({ ordered: true }), CHILD_KIND] },
    );
  });
}
