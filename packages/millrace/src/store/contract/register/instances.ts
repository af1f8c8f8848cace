import assert from "node:assert/strict";
import { describe } from "node:test";
import { HOUR_MS, type OpenData, promise } from "../rig.ts";

export function describeInstances(open: OpenData): void {
  describe("instances and clocks", () => {
    promise(open, "an instance is listed from opening to closing, with what it last said of its pools", async (rig) => {
      assert.equal((await rig.store.instances()).length, 1);
      const b = await rig.another();
      await b.beat('[{"pool":"mail/running"}]');
      const [first, second] = await rig.store.instances();
      assert.equal(first?.pools, undefined);
      assert.equal(second?.pools, '[{"pool":"mail/running"}]');
      assert.equal(second?.expiresAt, rig.clock.now() + rig.leaseMs);
      rig.clock.advance(rig.leaseMs / 2);
      await b.beat();
      assert.equal((await rig.store.instances())[1]?.pools, '[{"pool":"mail/running"}]');
      await b.close();
      assert.equal((await rig.store.instances()).length, 1);
      await b.close();
    });

    promise(open, "the jobs of a dead instance are taken back, all of them, and nobody else's", async (rig) => {
      const [dead, alive] = [await rig.another(), await rig.another()];
      for (let i = 0; i < 6; i++) await rig.submit();
      const lost = await rig.claim(3, {}, dead);
      const kept = await rig.claim(2, {}, alive);
      const own = await rig.claimOne();
      rig.clock.advance(rig.leaseMs - 1);
      await alive.beat();
      rig.clock.advance(1);
      const { expired } = await rig.store.beat();
      assert.deepEqual(expired.map(({ jobId }) => jobId).sort(), lost.map((job) => job.lease.jobId).sort());
      assert.deepEqual((await alive.beat()).expired, [], "taken back once");
      for (const job of kept) assert.equal((await rig.complete(job, "1", alive)).written, "written");
      assert.equal((await rig.complete(own)).written, "written");
      assert.equal((await rig.store.instances()).length, 2);
    });

    promise(open, "an instance taken for dead works on when it comes back", async (rig) => {
      const b = await rig.another();
      const old = await rig.running({}, b);
      await rig.outlive();
      await b.beat();
      assert.equal((await rig.store.instances()).length, 2);
      assert.deepEqual(await b.renew([old.lease]), []);
      const again = await rig.claimOne({}, b);
      assert.ok(again.lease.token > old.lease.token);
      rig.clock.advance(rig.leaseMs - 1);
      assert.deepEqual((await rig.store.beat()).expired, []);
      assert.equal((await rig.complete(again, "1", b)).written, "written");
    });

    promise(open, "an instance that closes with jobs in hand gives them back, with no attempt burned", async (rig) => {
      const b = await rig.another();
      const job = await rig.running({ maxAttempts: 1 }, b);
      await b.close();
      const again = await rig.claimOne();
      assert.equal(again.lease.jobId, job.lease.jobId);
      assert.deepEqual(await rig.history(job.lease.jobId), ["running#1 released", "running#1 runs"]);
      assert.equal((await rig.complete(job)).written, "lease-lost");
    });

    for (const hours of [1, -1]) {
      const way = hours > 0 ? "forward" : "back";
      promise(
        open,
        `when the clock is set ${way} an hour nobody living loses a lease, whoever looks first`,
        async (rig) => {
          for (const bFirst of [true, false]) {
            const b = await rig.another();
            const [mine, yours] = [await rig.running(), await rig.running({}, b)];
            rig.clock.advance(1_000);
            rig.clock.jump(hours * HOUR_MS);
            for (const store of bFirst ? [b, rig.store] : [rig.store, b])
              assert.deepEqual((await store.beat()).expired, []);
            for (let i = 0; i < 6; i++) {
              rig.clock.advance(rig.leaseMs / 3);
              for (const store of [rig.store, b]) assert.deepEqual((await store.beat()).expired, []);
            }
            assert.equal((await rig.complete(mine)).written, "written");
            assert.equal((await rig.complete(yours, "1", b)).written, "written");
          }
        },
      );

      promise(
        open,
        `an instance that opens right after the clock was set ${way} takes nobody for dead`,
        async (rig) => {
          const job = await rig.running();
          rig.clock.advance(5_000);
          rig.clock.jump(hours * HOUR_MS);
          const late = await rig.another();
          assert.deepEqual((await late.beat()).expired, []);
          rig.clock.advance(1_000);
          assert.deepEqual((await late.beat()).expired, []);
          await rig.store.beat();
          rig.clock.advance(rig.leaseMs - 1);
          assert.deepEqual((await late.beat()).expired, []);
          assert.equal((await rig.complete(job)).written, "written");
        },
      );

      promise(
        open,
        `an instance that died before the clock was set ${way} is still found dead, two leases later at most`,
        async (rig) => {
          const b = await rig.another();
          const job = await rig.running({}, b);
          rig.clock.jump(hours * HOUR_MS);
          await rig.store.beat();
          const expired: { jobId: string }[] = [];
          for (let i = 0; i < 6; i++) {
            rig.clock.advance(rig.leaseMs / 3);
            expired.push(...(await rig.store.beat()).expired);
          }
          assert.deepEqual(
            expired.map(({ jobId }) => jobId),
            [job.lease.jobId],
          );
        },
      );
    }

    promise(open, "a scheduled job waits for wall time, also when the clock is set", async (rig) => {
      await rig.submit({ delayMs: 2 * HOUR_MS });
      rig.clock.jump(HOUR_MS);
      assert.deepEqual(await rig.claim(), []);
      rig.clock.jump(HOUR_MS);
      assert.equal((await rig.claim()).length, 1);
    });

    promise(open, "a deadline is not moved by setting the clock", async (rig) => {
      await rig.submit();
      const job = await rig.claimOne({ timeoutMs: 10_000 });
      rig.clock.jump(HOUR_MS);
      assert.deepEqual((await rig.store.beat()).overdue, []);
      rig.clock.jump(-2 * HOUR_MS);
      rig.clock.advance(11_000);
      assert.deepEqual((await rig.store.beat()).overdue, [job.lease.jobId]);
    });

    promise(open, "a closed store says so", async (rig) => {
      const b = await rig.another();
      await b.close();
      await assert.rejects(async () => b.find(["job_00000000"]), { code: "store-closed" });
    });

    promise(open, "everything is there again after a restart", async (rig) => {
      const [done, dead, held] = [await rig.running(), await rig.running(), await rig.running()];
      await rig.complete(done, '"result"');
      await rig.kill(dead);
      await rig.settle(held, { type: "held", reason: "r" });
      const waiting = [await rig.submit({ payload: '"kept"' }), await rig.submit({ delayMs: 5_000 })];
      const ids = [...waiting, ...[done, dead, held].map((job) => job.lease.jobId)];
      const before = await rig.store.find(ids);
      await rig.store.close();
      rig.store = await rig.another();
      assert.deepEqual(await rig.store.find(ids), before);
      assert.equal((await rig.claimOne()).payload, '"kept"');
    });
  });
}
