import assert from "node:assert/strict";
import { describe } from "node:test";
import { HOUR_MS, large, type OpenData, planOf, promise, type Rig } from "./rig.ts";

export function describeUpkeep(open: OpenData): void {
  describe("prune", () => {
    promise(
      open,
      "finished jobs and faults of the input go when their time is over, dead letters much later",
      async (rig) => {
        const done = await rig.running({ payload: large("p") });
        await rig.complete(done, large("o"));
        const input = await rig.running();
        await rig.fail(input, { permanent: true, input: true });
        const dead = await rig.running();
        await rig.kill(dead);
        const cancelled = await rig.submit();
        await rig.store.cancel([cancelled], "x");
        const pending = await rig.submit();
        rig.clock.advance(HOUR_MS - 1);
        assert.deepEqual(await rig.store.prune({ limit: 100 }), { deleted: 0, more: false });
        rig.clock.advance(1);
        assert.deepEqual(await rig.store.prune({ limit: 100 }), { deleted: 3, more: false });
        assert.deepEqual(await left(rig), [pending, dead.lease.jobId]);
        rig.clock.advance(6 * 24 * HOUR_MS);
        assert.equal((await rig.store.prune({ limit: 100 })).deleted, 0);
        rig.clock.advance(24 * HOUR_MS);
        assert.equal((await rig.store.prune({ limit: 100 })).deleted, 1);
        assert.deepEqual(await left(rig), [pending]);
      },
    );

    promise(open, "time counts from the end of a job, not from its submission", async (rig) => {
      const job = await rig.running();
      rig.clock.advance(10 * HOUR_MS);
      await rig.complete(job);
      assert.equal((await rig.store.prune({ limit: 9 })).deleted, 0);
    });

    promise(open, "a prune takes a small batch, oldest first, and says whether there is more", async (rig) => {
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) {
        const job = await rig.running();
        await rig.complete(job);
        ids.push(job.lease.jobId);
        rig.clock.advance(1);
      }
      rig.clock.advance(HOUR_MS);
      assert.deepEqual(await rig.store.prune({ limit: 2 }), { deleted: 2, more: true });
      assert.deepEqual(await left(rig), ids.slice(2).reverse());
      assert.deepEqual(await rig.store.prune({ limit: 2 }), { deleted: 2, more: true });
      assert.deepEqual(await rig.store.prune({ limit: 2 }), { deleted: 1, more: false });
    });

    promise(
      open,
      "a kind may keep its jobs longer or shorter than others",
      async (rig) => {
        for (const kind of ["short", "long"]) await rig.complete(await rig.running({ kind }));
        rig.clock.advance(1_000);
        await rig.store.prune({ limit: 9 });
        assert.deepEqual(
          (await rig.store.list({})).map((job) => job.kind),
          ["long"],
        );
      },
      {
        plans: [
          planOf("short", ["fetch"], { retention: { finishedMs: 1_000, deadLetterMs: 1 } }),
          planOf("long", ["fetch"], { retention: { finishedMs: 90 * 24 * HOUR_MS, deadLetterMs: 1 } }),
        ],
      },
    );

    promise(
      open,
      "bounds by count keep the newest",
      async (rig) => {
        const done: string[] = [];
        const dead: string[] = [];
        for (let i = 0; i < 4; i++) {
          const one = await rig.running();
          await rig.complete(one);
          done.push(one.lease.jobId);
          const two = await rig.running();
          await rig.kill(two);
          dead.push(two.lease.jobId);
          rig.clock.advance(1);
        }
        assert.equal((await rig.store.prune({ limit: 100 })).deleted, 5);
        assert.deepEqual((await left(rig)).sort(), [...done.slice(2), ...dead.slice(3)].sort());
      },
      { limits: { jobKeepMax: 2, dlqKeepMax: 1 } },
    );

    promise(
      open,
      "beyond a bound by count, the jobs go first whose own time would be over first",
      async (rig) => {
        const kinds = ["long", "short", "short", "short"];
        for (const kind of kinds) {
          await rig.complete(await rig.running({ kind }));
          rig.clock.advance(1);
        }
        const newest = (await rig.store.list({ limit: 1 }))[0]?.id;
        assert.deepEqual(await rig.store.prune({ limit: 1 }), { deleted: 1, more: true });
        assert.deepEqual(await rig.store.prune({ limit: 9 }), { deleted: 1, more: false });
        const kept = await rig.store.list({});
        assert.deepEqual(
          kept.map(({ kind }) => kind),
          ["short", "long"],
          "the oldest of all is kept by its own kind for 90 days",
        );
        assert.equal(kept[0]?.id, newest);
        assert.equal((await rig.store.prune({ limit: 9 })).deleted, 0);
      },
      {
        limits: { jobKeepMax: 2 },
        plans: [
          planOf("short", ["fetch"], { retention: { finishedMs: HOUR_MS, deadLetterMs: 1 } }),
          planOf("long", ["fetch"], { retention: { finishedMs: 90 * 24 * HOUR_MS, deadLetterMs: 1 } }),
        ],
      },
    );

    promise(open, "a revived dead letter is kept no longer than a finished job", async (rig) => {
      const job = await rig.running();
      await rig.kill(job);
      rig.clock.advance(48 * HOUR_MS);
      await rig.store.revive(job.lease.jobId, { from: "start" });
      assert.equal((await rig.store.prune({ limit: 9 })).deleted, 0);
      rig.clock.advance(HOUR_MS);
      assert.equal((await rig.store.prune({ limit: 9 })).deleted, 1);
      assert.deepEqual(await rig.store.find([job.lease.jobId]), []);
    });
  });

  describe("lead", () => {
    promise(open, "one instance leads at a time, and the lead moves when its term is over", async (rig) => {
      const b = await rig.another();
      assert.equal(await rig.store.lead(10_000), true);
      assert.equal(await b.lead(10_000), false);
      rig.clock.advance(6_000);
      assert.equal(await rig.store.lead(10_000), true);
      rig.clock.advance(9_999);
      assert.equal(await b.lead(10_000), false);
      rig.clock.advance(1);
      assert.equal(await b.lead(10_000), true);
      assert.equal(await rig.store.lead(10_000), false);
    });

    promise(open, "a clock set back does not leave everybody without a leader", async (rig) => {
      const b = await rig.another();
      await rig.store.lead(10_000);
      rig.clock.jump(-HOUR_MS);
      assert.equal(await b.lead(10_000), true);
    });
  });

  describe("backup", () => {
    promise(open, "a copy of the live store opens as a store with everything in it", async (rig) => {
      const done = await rig.running({ payload: large("p"), tenant: "t", tags: ["x"] });
      await rig.store.saveStep(done.lease, "s", "1");
      await rig.store.keepArtifact(done.lease, { name: "a", contentType: "c", bytes: new Uint8Array([7, 8]) });
      await rig.complete(done, large("o"));
      const waiting = await rig.submit({ uniqueKey: "u" });
      const running = await rig.running({ kind: "report" });
      const { path, open: openCopy } = rig.data.backup();
      await rig.store.backup(path);
      const after = await rig.submit();
      const copy = await openCopy(rig.instanceOptions());
      try {
        assert.deepEqual(await copy.find([done.lease.jobId]), await rig.store.find([done.lease.jobId]));
        assert.deepEqual((await copy.artifact(done.lease.jobId, "a"))?.bytes.length, 2);
        assert.equal((await copy.steps(done.lease.jobId)).length, 1);
        assert.deepEqual(await copy.find([after]), []);
        assert.equal((await rig.offer({ uniqueKey: "u" }, copy)).type, "refused");
        assert.equal((await rig.claimOne({}, copy)).lease.jobId, waiting);
        rig.clock.advance(rig.leaseMs + 1);
        assert.deepEqual(
          (await copy.beat()).expired.map(({ jobId }) => jobId),
          [running.lease.jobId],
        );
      } finally {
        await copy.close();
      }
      assert.equal(await rig.standing(waiting), "ready", "the original is untouched");
    });

    promise(open, "a backup never overwrites a file", async (rig) => {
      const { path } = rig.data.backup();
      await rig.store.backup(path);
      await assert.rejects(rig.store.backup(path), { code: "backup-exists" });
    });
  });
}

async function left(rig: Rig): Promise<string[]> {
  return (await rig.store.list({})).map((job) => job.id);
}
