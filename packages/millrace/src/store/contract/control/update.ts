// A pending job can be changed from outside; its payload only while no attempt has seen it.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { JobUpdate, UpdateAnswer } from "../../verbs/jobs.ts";
import { large, type OpenData, promise } from "../rig.ts";

export function describeUpdate(open: OpenData): void {
  describe("a change of a pending job", () => {
    promise(open, "sets payload, time, priority and tags, and answers with the job", async (rig) => {
      const jobId = await rig.submit({ payload: '"old"', tags: ["a"], uniqueKey: "u" });
      const runAt = rig.clock.now() + 500;
      const answer = await rig.store.update(jobId, { payload: large("x"), runAt, priority: -3, tags: ["b", "c"] });
      const job = await rig.find(jobId);
      assert.deepEqual(answer, { updated: job });
      assert.deepEqual(
        [job.payload, job.runAt, job.priority, job.tags, job.standing],
        [large("x"), runAt, -3, ["b", "c"], "scheduled"],
      );
      assert.equal((await rig.claim(1)).length, 0);
      rig.clock.advance(500);
      assert.equal((await rig.claimOne()).payload, large("x"));
    });

    promise(open, "leaves what it does not name", async (rig) => {
      const jobId = await rig.submit({ payload: '"old"', tags: ["a"], priority: 4, delayMs: 1_000 });
      const before = await rig.find(jobId);
      assert.ok(isUpdated(await rig.store.update(jobId, { tags: [] })));
      assert.deepEqual(await rig.find(jobId), { ...before, tags: [] });
    });

    promise(open, "makes a scheduled job due, and a job of lower priority first", async (rig) => {
      await rig.submit({});
      const later = await rig.submit({ delayMs: 60_000 });
      await rig.store.update(later, { runAt: rig.clock.now(), priority: -1 });
      assert.deepEqual(await rig.claimIds(2), [later, ...(await othersOf(rig, later))]);
    });

    promise(open, "takes no payload once the job was claimed, but everything else while it is pending", async (rig) => {
      const job = await rig.running({ payload: '"seen"' });
      const { jobId } = job.lease;
      await rig.fail(job);
      assert.match(conflictOf(await rig.store.update(jobId, { payload: "1" })), /has started before/);
      const now = rig.clock.now();
      assert.ok(isUpdated(await rig.store.update(jobId, { runAt: now, priority: 2, tags: ["again"] })));
      assert.deepEqual(await rig.claimIds(1), [jobId], "the retry comes at once");
    });

    promise(open, "refuses running and finished jobs, and ids that it does not know", async (rig) => {
      const job = await rig.running({});
      const { jobId } = job.lease;
      const change: JobUpdate = { priority: 1 };
      assert.match(conflictOf(await rig.store.update(jobId, change)), /is running/);
      await rig.complete(job);
      assert.match(conflictOf(await rig.store.update(jobId, change)), /already completed/);
      assert.equal(await rig.store.update("job_00000000", change), "not-found");
    });

    promise(open, "gives no time to a job that is held or asleep", async (rig) => {
      const held = await rig.running({});
      await rig.settle(held, { type: "held", reason: "look" });
      const asleep = await rig.running({});
      await rig.settle(asleep, { type: "waiting", waits: [{ type: "sleep", name: "nap", timeoutMs: 60_000 }] });
      const runAt = rig.clock.now();
      assert.match(conflictOf(await rig.store.update(held.lease.jobId, { runAt })), /is held/);
      assert.match(conflictOf(await rig.store.update(asleep.lease.jobId, { runAt })), /other than a time/);
      for (const { lease } of [held, asleep]) {
        assert.ok(isUpdated(await rig.store.update(lease.jobId, { priority: -1 })));
      }
    });

    promise(open, "changes the own time and the payload of a follower", async (rig) => {
      const key = { uniqueKey: "u", ifUnique: "replace" } as const;
      const leader = await rig.running(key);
      const follower = await rig.submit({ ...key, expiresInMs: 100 });
      const runAt = rig.clock.now() + 500;
      assert.ok(isUpdated(await rig.store.update(follower, { runAt, payload: '"changed"' })));
      await rig.complete(leader);
      const job = await rig.find(follower);
      assert.deepEqual([job.runAt, job.expiresAt, job.standing], [runAt, runAt + 100, "scheduled"]);
      rig.clock.advance(500);
      assert.equal((await rig.claimOne()).payload, '"changed"');
    });

    promise(open, "moves the time by which the job must start along", async (rig) => {
      const jobId = await rig.submit({ expiresInMs: 100 });
      await rig.store.update(jobId, { runAt: rig.clock.now() + 1_000 });
      rig.clock.advance(1_050);
      await rig.store.beat();
      assert.equal((await rig.claimOne()).lease.jobId, jobId);
    });

    promise(open, "leaves a suspect a suspect", async (rig) => {
      const [jobId] = (await rig.suspects(1)) as [string];
      await rig.store.update(jobId, { runAt: rig.clock.now(), priority: -1 });
      assert.equal(await rig.standing(jobId), "suspect");
    });
  });
}

async function othersOf(rig: Parameters<Parameters<typeof promise>[2]>[0], jobId: string): Promise<string[]> {
  return (await rig.store.list({ limit: 10 })).map(({ id }) => id).filter((id) => id !== jobId);
}

function isUpdated(answer: UpdateAnswer): boolean {
  assert.ok(typeof answer === "object" && "updated" in answer, JSON.stringify(answer));
  return true;
}

function conflictOf(answer: UpdateAnswer): string {
  assert.ok(typeof answer === "object" && "conflict" in answer, JSON.stringify(answer));
  return answer.conflict;
}
