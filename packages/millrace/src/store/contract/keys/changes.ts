// A job with a concurrency key that is changed from outside, or by a later submission of its unique key.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { type OpenData, promise } from "../rig.ts";
import { assertStanding, keyed, ORDERED, submitKeyed, waitWords } from "./support.ts";

const LAST = { uniqueKey: "u", ifUnique: "replace", concurrencyKey: "a" } as const;

export function describeKeyChanges(open: OpenData): void {
  describe("a change of a job with a concurrency key", () => {
    promise(
      open,
      "lets a follower wait for its key when its leader has ended",
      async (rig) => {
        const leader = await rig.running({ ...LAST, concurrencyKey: "b" });
        const [holder] = await submitKeyed(rig, ["a"]);
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, holder);
        const follower = await rig.submit({ ...LAST, payload: '"next"' });
        assert.equal(await waitWords(rig, follower), "leader ");
        assert.equal(await rig.store.count({ waitsFor: "key" }), 0, "it waits for its leader alone");
        await rig.complete(leader);
        assert.deepEqual(await rig.claim(5), []);
        assert.equal(await waitWords(rig, follower), "key a");
        await rig.complete(job);
        assert.deepEqual(await rig.claimIds(5), [follower]);
        await assertStanding(rig, follower, "running");
      },
      keyed(),
    );

    promise(
      open,
      "starts a follower when its leader gives their key back",
      async (rig) => {
        const leader = await rig.running(LAST);
        const follower = await rig.submit(LAST);
        await rig.complete(leader);
        assert.deepEqual(await rig.claimIds(5), [follower]);
      },
      ORDERED,
    );

    promise(
      open,
      "refuses a priority of an ordered kind",
      async (rig) => {
        const [jobId] = (await submitKeyed(rig, ["a"])) as [string];
        assert.deepEqual(await rig.store.update(jobId, { priority: 1 }), {
          conflict: "Jobs of its kind run in order, so they cannot have a priority.",
        });
        assert.equal((await rig.find(jobId)).priority, 0);
        assert.ok("updated" in (await updated(rig.store.update(jobId, { priority: 0, tags: ["t"] }))));
      },
      ORDERED,
    );

    promise(
      open,
      "sets the priority of a job in the line of its key",
      async (rig) => {
        const [first, second, third] = (await submitKeyed(rig, ["a", "a", "a"])) as [string, string, string];
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, first);
        assert.equal(await waitWords(rig, third), "key a");
        await rig.store.update(third, { priority: -1 });
        await rig.complete(job);
        const [next] = (await rig.claim(5)) as [ClaimedJob];
        assert.equal(next.lease.jobId, third);
        await rig.complete(next);
        assert.deepEqual(await rig.claimIds(5), [second]);
      },
      keyed(),
    );

    promise(
      open,
      "gives the key to the next job when the one that holds it is to start later",
      async (rig) => {
        const [first, second] = (await submitKeyed(rig, ["a", "a"])) as [string, string];
        await rig.store.update(first, { runAt: rig.clock.now() + 1_000 });
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, second);
        rig.clock.advance(1_000);
        assert.deepEqual(await rig.claim(5), []);
        assert.equal(await waitWords(rig, first), "key a");
        await rig.store.update(first, { runAt: rig.clock.now() });
        assert.deepEqual(await rig.claim(5), [], "a new time does not get it past its key");
        await rig.complete(job);
        assert.deepEqual(await rig.claimIds(5), [first]);
      },
      keyed(),
    );

    promise(
      open,
      "moves a replaced job to the key of its new payload",
      async (rig) => {
        const [holder] = await submitKeyed(rig, ["a"]);
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, holder);
        const jobId = await rig.submit(LAST);
        assert.deepEqual(await rig.claim(5), []);
        assert.equal(await rig.submit({ ...LAST, concurrencyKey: "b", payload: '"b"' }), jobId);
        assert.equal((await rig.find(jobId)).concurrencyKey, "b");
        const [moved] = (await rig.claim(5)) as [ClaimedJob];
        assert.deepEqual([moved.lease.jobId, moved.payload], [jobId, '"b"']);
        const [behind] = await submitKeyed(rig, ["b"]);
        assert.deepEqual(await rig.claim(5), []);
        await rig.complete(moved);
        assert.deepEqual(await rig.claimIds(5), [behind]);
      },
      keyed(),
    );
  });
}

async function updated<T>(answer: Promise<T>): Promise<T & object> {
  const given = await answer;
  assert.ok(typeof given === "object" && given !== null);
  return given;
}
