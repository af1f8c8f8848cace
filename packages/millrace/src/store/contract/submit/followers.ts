// Behind a job that works, the last submission of its unique key is stored as its follower.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { NewJob } from "../../verbs/submission.ts";
import { type OpenData, promise, type Rig } from "../rig.ts";
import { EXTEND, REPLACE, wayOf } from "./way-of.ts";

export function describeFollowers(open: OpenData): void {
  describeWaiting(open);
  describeEndsOfLeaders(open);
}

function describeWaiting(open: OpenData): void {
  describe("a submission behind a job that works", () => {
    promise(open, "is stored as its follower and starts when it has ended", async (rig) => {
      const leader = await rig.running(REPLACE);
      const answer = await rig.offer({ ...REPLACE, payload: '"next"' });
      assert.ok(answer.type === "accepted");
      const [follower] = answer.jobIds as [string];
      assert.notEqual(follower, leader.lease.jobId);
      assert.deepEqual([answer.joined, answer.ways], [undefined, { 0: "follows" }]);
      const waiting = await rig.find(follower);
      assert.equal(waiting.standing, "scheduled");
      assert.deepEqual(waiting.waitsFor, [{ type: "leader", since: rig.clock.now() }]);
      assert.deepEqual(await ids(rig, "leader"), [follower]);
      assert.equal((await rig.claim(1)).length, 0);
      await rig.complete(leader);
      const job = await rig.claimOne();
      assert.deepEqual([job.lease.jobId, job.payload], [follower, '"next"']);
      assert.equal((await rig.find(follower)).waitsFor, undefined);
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "refused", "it has the key now");
      await rig.complete(job);
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "accepted");
    });

    promise(open, "replaces the follower that waits, of which there is one", async (rig) => {
      const leader = await rig.running(REPLACE);
      const follower = await rig.submit({ ...REPLACE, payload: "1" });
      for (const n of ["2", "3"]) {
        const answer = await rig.offer({ ...REPLACE, payload: n });
        assert.deepEqual([answer.type === "accepted" && answer.jobIds, wayOf(answer)], [[follower], "replaced"]);
      }
      assert.equal(wayOf(await rig.offer({ ...EXTEND, payload: "4", delayMs: 100 })), "extended");
      await rig.complete(leader);
      assert.equal((await rig.claim(1)).length, 0, "not before its own time");
      rig.clock.advance(100);
      const job = await rig.claimOne();
      assert.deepEqual([job.lease.jobId, job.payload], [follower, "3"]);
      assert.equal(await rig.store.count({}), 2);
    });

    promise(
      open,
      "starts not before its own time, and by the time at the latest that the first one had",
      async (rig) => {
        const start = rig.clock.now();
        const leader = await rig.running(REPLACE);
        const debounce = { ...REPLACE, delayMs: 400, latestMs: 600 };
        const follower = await rig.submit(debounce);
        rig.clock.advance(300);
        await rig.submit(debounce);
        await rig.complete(leader);
        assert.equal((await rig.find(follower)).runAt, start + 600);
        await rig.submit(debounce);
        assert.equal((await rig.find(follower)).runAt, start + 600, "also once it has the key");
        rig.clock.advance(300);
        assert.equal((await rig.claimOne()).lease.jobId, follower);
      },
    );

    promise(open, "follows a job that is retried, deferred, held or asleep", async (rig) => {
      const holds = {
        retried: (job) => rig.fail(job),
        deferred: (job) => rig.settle(job, { type: "deferred", runAt: rig.clock.now() + 1_000 }),
        held: (job) => rig.settle(job, { type: "held", reason: "look" }),
        asleep: (job) =>
          rig.settle(job, { type: "waiting", waits: [{ type: "sleep", name: "nap", timeoutMs: 1_000 }] }),
      } satisfies Record<string, (job: Awaited<ReturnType<Rig["running"]>>) => Promise<unknown>>;
      for (const [uniqueKey, rest] of Object.entries(holds)) {
        const leader = await rig.running({ ...REPLACE, uniqueKey });
        await rest(leader);
        const follower = await rig.offer({ ...REPLACE, uniqueKey });
        assert.equal(wayOf(follower), "follows", uniqueKey);
        await rig.store.cancel([leader.lease.jobId], "over");
        const job = await rig.claimOne();
        assert.deepEqual([job.lease.jobId], follower.type === "accepted" && follower.jobIds);
        await rig.complete(job);
      }
    });

    promise(
      open,
      "counts toward the rate",
      async (rig) => {
        await rig.running(REPLACE);
        assert.equal((await rig.offer(REPLACE)).type, "refused");
      },
      { limits: { maxNewJobsPerMinute: 1 } },
    );

    promise(open, "joins and refuses by the job that works", async (rig) => {
      const leader = await rig.running(REPLACE);
      await rig.submit(REPLACE);
      const joined = await rig.offer({ uniqueKey: "u", ifUnique: "join" });
      assert.deepEqual(joined.type === "accepted" && joined.jobIds, [leader.lease.jobId]);
      const refused = await rig.offer({ uniqueKey: "u" });
      assert.deepEqual(refused.type === "refused" && [refused.code, refused.jobId], [
        "already-processing",
        leader.lease.jobId,
      ]);
    });

    promise(open, "fails if it has not started in time, and leaves its place", async (rig) => {
      const leader = await rig.running(REPLACE);
      const late = await rig.submit({ ...REPLACE, expiresInMs: 100 });
      rig.clock.advance(101);
      await rig.store.beat();
      const job = await rig.find(late);
      assert.deepEqual([job.standing, job.failure?.code], ["failed", "backpressure"]);
      const next = await rig.offer(REPLACE);
      assert.ok(next.type === "accepted" && next.jobIds[0] !== late);
      assert.equal(wayOf(next), "follows");
      await rig.complete(leader);
      assert.deepEqual([(await rig.claimOne()).lease.jobId], next.jobIds);
    });

    promise(open, "can be cancelled, and the next one takes its place", async (rig) => {
      const leader = await rig.running(REPLACE);
      const follower = await rig.submit(REPLACE);
      assert.deepEqual(await rig.store.cancel([follower], "not needed"), ["done"]);
      await rig.complete(leader);
      assert.equal((await rig.claim(1)).length, 0);
      assert.equal(wayOf(await rig.offer(REPLACE)), "new");
    });

    promise(open, "refuses the revival of the job it followed", async (rig) => {
      const leader = await rig.running(REPLACE);
      await rig.submit({ ...REPLACE, delayMs: 1_000 });
      await rig.kill(leader);
      const revived = await rig.store.revive(leader.lease.jobId, { from: "failed-stage", uniqueKey: "u" });
      assert.ok(typeof revived === "object" && "conflict" in revived);
      assert.equal(revived.code, "already-queued");
    });

    promise(open, "follows a revived job from its failed stage, which goes on with what it stored", async (rig) => {
      const leader = await rig.running(REPLACE);
      await rig.kill(leader);
      const revived = await rig.store.revive(leader.lease.jobId, { from: "failed-stage", uniqueKey: "u" });
      assert.ok(typeof revived === "object" && "revived" in revived);
      assert.equal(wayOf(await rig.offer(REPLACE)), "follows");
      await rig.complete(await rig.claimOne());
      assert.equal((await rig.claim(1)).length, 1);
    });
  });
}

function describeEndsOfLeaders(open: OpenData): void {
  describe("the follower of a job", () => {
    type Leader = Awaited<ReturnType<Rig["running"]>>;
    const ends: Record<string, (rig: Rig, leader: Leader) => Promise<unknown>> = {
      "is completed": (rig, leader) => rig.complete(leader),
      fails: (rig, leader) => rig.kill(leader),
      "is cancelled": (rig, { lease }) => rig.store.cancel([lease.jobId], "stop"),
      "is past its deadline": async (rig) => {
        rig.clock.advance(10_001);
        await rig.store.beat();
      },
      "dies with its process too often": async (rig, leader) => {
        await rig.crash(leader);
        for (let i = 0; i < 2; i++) {
          rig.clock.advance(300_000);
          await rig.crash(await rig.claimOne());
        }
      },
    };
    for (const [way, end] of Object.entries(ends)) {
      promise(open, `starts when that ${way}`, async (rig) => {
        const isLate = way === "is past its deadline";
        const leader = await rig.running({ ...REPLACE, ...(isLate && { deadlineMs: 10_000 }) });
        const follower = await rig.submit({ ...REPLACE, payload: '"next"' });
        await end(rig, leader);
        const job = await rig.claimOne();
        assert.deepEqual([job.lease.jobId, job.payload], [follower, '"next"']);
      });
    }

    promise(open, "starts when a job ends that keeps nothing", async (rig) => {
      const leader = await rig.running({ ...REPLACE, kind: "report" });
      const follower = await rig.submit({ ...REPLACE, kind: "report" });
      await rig.store.cancel([leader.lease.jobId], "stop");
      assert.equal((await rig.claimOne({ kind: "report" })).lease.jobId, follower);
    });

    promise(open, "is passed on to the job that continues as new", async (rig) => {
      const first = await rig.running(REPLACE);
      const follower = await rig.submit({ ...REPLACE, payload: '"next"' });
      const settled = await rig.settle(first, { type: "continued", payload: '"more"' });
      assert.ok(settled.written === "written" && settled.successor !== undefined);
      const replaced = await rig.offer({ ...REPLACE, payload: '"last"' });
      assert.deepEqual([replaced.type === "accepted" && replaced.jobIds, wayOf(replaced)], [[follower], "replaced"]);
      const successor = await rig.claimOne();
      assert.deepEqual([successor.lease.jobId, successor.payload], [settled.successor, '"more"']);
      await rig.complete(successor);
      const job = await rig.claimOne();
      assert.deepEqual([job.lease.jobId, job.payload], [follower, '"last"']);
    });

    promise(open, "does not replace a job that continued as new and was not claimed yet", async (rig) => {
      const first = await rig.running(REPLACE);
      await rig.settle(first, { type: "continued", payload: '"more"' });
      assert.equal(wayOf(await rig.offer({ ...REPLACE, payload: '"next"' })), "follows");
      assert.equal((await rig.claimOne()).payload, '"more"');
    });

    promise(open, "waits for a job that takes the key over while it runs", async (rig) => {
      const job = await rig.running({});
      assert.equal(await rig.store.acquireUnique(job.lease, "u"), "taken");
      const follower = await rig.offer(REPLACE);
      assert.equal(wayOf(follower), "follows");
      await rig.complete(job);
      assert.deepEqual([(await rig.claimOne()).lease.jobId], follower.type === "accepted" && follower.jobIds);
    });

    promise(open, "is replaced by a job that the end of its leader submits", async (rig) => {
      const leader = await rig.running(REPLACE);
      const follower = await rig.submit({ ...REPLACE, payload: '"next"' });
      const jobs: NewJob[] = [{ kind: "mail", payload: '"last"', ...REPLACE }];
      const settled = await rig.store.settle(leader.lease, { type: "completed", result: "null" }, { jobs });
      assert.deepEqual(settled.written === "written" && settled.jobIds, [follower]);
      const job = await rig.claimOne();
      assert.deepEqual([job.lease.jobId, job.payload], [follower, '"last"']);
    });

    promise(open, "keeps the key from a job that the end of its leader submits", async (rig) => {
      const leader = await rig.running(REPLACE);
      await rig.submit({ ...REPLACE, delayMs: 1_000 });
      const jobs: NewJob[] = [{ kind: "mail", payload: "{}", uniqueKey: "u" }];
      const settled = await rig.store.settle(leader.lease, { type: "completed", result: "null" }, { jobs });
      assert.equal(settled.written, "refused");
      await rig.complete(leader);
    });

    promise(
      open,
      "has the key of a job that a submission at its end wants to replace, once that is free",
      async (rig) => {
        const leader = await rig.running(REPLACE);
        const jobs: NewJob[] = [{ kind: "mail", payload: '"again"', ...REPLACE }];
        const settled = await rig.store.settle(leader.lease, { type: "completed", result: "null" }, { jobs });
        assert.ok(settled.written === "written");
        const job = await rig.claimOne();
        assert.deepEqual([[job.lease.jobId], job.payload], [settled.jobIds, '"again"']);
      },
    );

    promise(open, "starts in another process, which hears of it", async (rig) => {
      const other = await rig.another();
      const leader = await rig.running(REPLACE, other);
      const follower = await rig.submit(REPLACE);
      await rig.complete(leader, "null", other);
      assert.equal((await rig.claimOne()).lease.jobId, follower);
    });
  });
}

async function ids(rig: Rig, waitsFor: string): Promise<string[]> {
  return (await rig.store.list({ waitsFor, limit: 10 })).map(({ id }) => id);
}
