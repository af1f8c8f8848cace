import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise } from "../rig.ts";

export function describeIds(open: OpenData): void {
  describe("ids", () => {
    promise(open, "an id is job_ and eight base62 characters, all different", async (rig) => {
      const jobs = Array.from({ length: 200 }, () => ({ kind: "mail", payload: "{}" }));
      const [answer] = await rig.store.submit([{ tenant: "a", jobs }]);
      assert.equal(answer?.type, "accepted");
      const { jobIds } = answer as { jobIds: string[] };
      for (const jobId of jobIds) assert.match(jobId, /^job_[0-9A-Za-z]{8}$/);
      assert.equal(new Set(jobIds).size, 200);
    });

    promise(
      open,
      "an id tells nothing of its neighbours: they are not in order, nor a constant step apart",
      async (rig) => {
        const jobs = Array.from({ length: 50 }, () => ({ kind: "mail", payload: "{}" }));
        const [answer] = await rig.store.submit([{ tenant: "a", jobs }]);
        const { jobIds } = answer as { jobIds: string[] };
        assert.notDeepEqual([...jobIds].sort(), jobIds);
        const steps = jobIds.slice(1).map((jobId, i) => numberOf(jobId) - numberOf(jobIds[i] as string));
        assert.ok(new Set(steps).size > 45, "steps between neighbours differ");
        const sharedStarts = jobIds.slice(1).filter((jobId, i) => jobId.slice(0, 7) === jobIds[i]?.slice(0, 7));
        assert.equal(sharedStarts.length, 0);
      },
    );

    promise(open, "two stores give their first jobs different ids", async (rig) => {
      const other = await open();
      const store = await other.open(rig.instanceOptions());
      try {
        await store.register([{ name: "mail", stages: [STAGE], retention: { finishedMs: 1, deadLetterMs: 1 } }]);
        assert.notEqual(await rig.submit({}, store), await rig.submit());
      } finally {
        await store.close();
        await other.remove();
      }
    });

    promise(open, "a string that is no id of ours is nobody's, whatever it looks like", async (rig) => {
      await rig.submit();
      for (const foreign of [
        "",
        "job_",
        "job_1",
        "1",
        "job_00000000",
        "job_zzzzzzzz",
        "job_!!!!!!!!",
        "JOB_00000000",
        "tsk_00000000",
        "job_000000000",
        "🙂",
        "job_\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000",
      ]) {
        assert.deepEqual(await rig.store.find([foreign]), [], foreign);
        assert.deepEqual(await rig.store.cancel([foreign], "x"), ["not-found"]);
        assert.deepEqual(await rig.store.forget([foreign]), ["not-found"]);
        assert.equal(await rig.store.release(foreign), "not-found");
        assert.equal(await rig.store.revive(foreign, { from: "start" }), "not-found");
        assert.deepEqual(await rig.store.attempts(foreign), []);
        assert.deepEqual(await rig.store.steps(foreign), []);
        assert.deepEqual(await rig.store.logs(foreign, { limit: 10 }), []);
        assert.equal(await rig.store.artifact(foreign, "a"), undefined);
        const lease = { jobId: foreign, token: 1, slot: 0 };
        assert.deepEqual(await rig.complete({ lease }), { written: "lease-lost" });
      }
    });

    promise(open, "an id is never given again, not even when its job is gone", async (rig) => {
      const seen = new Set<string>();
      for (let i = 0; i < 5; i++) {
        const job = await rig.running();
        seen.add(job.lease.jobId);
        await rig.complete(job);
        await rig.store.forget([job.lease.jobId]);
      }
      assert.equal(seen.size, 5);
    });
  });
}

const STAGE = { name: "running", maxAttempts: 1, maxCrashes: 1, retry: { baseMs: 1, maxMs: 1 } };
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function numberOf(jobId: string): number {
  return [...jobId.slice(4)].reduce((sum, digit) => sum * 62 + ALPHABET.indexOf(digit), 0);
}
