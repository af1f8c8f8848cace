import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { failureOf, large, MAIL, type OpenData, planOf, promise } from "../rig.ts";

export function describeSettle(open: OpenData): void {
  describe("settle", () => {
    promise(open, "a completed job has its result, and no failure of earlier attempts", async (rig) => {
      const first = await rig.running();
      await rig.fail(first);
      assert.equal((await rig.find(first.lease.jobId)).failure?.message, "It broke.");
      rig.clock.advance(500);
      const job = await rig.claimOne();
      assert.equal(job.failure?.message, "It broke.");
      rig.clock.advance(40);
      assert.deepEqual(await rig.complete(job, '{"ok":true}'), { written: "written", standing: "completed" });
      const found = await rig.find(job.lease.jobId);
      assert.equal(found.standing, "completed");
      assert.equal(found.result, '{"ok":true}');
      assert.equal(found.finishedAt, rig.clock.now());
      assert.equal(found.failure, undefined);
      assert.equal(found.failures, 1);
      assert.deepEqual(await rig.history(found.id), ["running#1 failed", "running#2 completed"]);
    });

    promise(
      open,
      "what ends at the same moment, in any order, has each its own result and its own right",
      async (rig) => {
        for (let i = 0; i < 12; i++) await rig.submit();
        const jobs = await rig.claim(12);
        const resultOf = (i: number) => `{"n":${i},"text":"${'quote \\\\" , '.repeat(i)}"}`;
        const isOutdated = (i: number) => i === 4 || i === 11;
        const shuffled = [7, 2, 11, 0, 9, 4, 1, 10, 3, 8, 6, 5];
        const answers = await Promise.all(
          shuffled.map((i) => {
            const { lease } = jobs[i] as ClaimedJob;
            const held = isOutdated(i) ? { ...lease, token: lease.token - 1 } : lease;
            return rig.store.settle(held, { type: "completed", result: resultOf(i) });
          }),
        );
        for (const [place, i] of shuffled.entries()) {
          assert.equal(answers[place]?.written, isOutdated(i) ? "lease-lost" : "written", `job ${i}`);
          const found = await rig.find((jobs[i] as ClaimedJob).lease.jobId);
          const expected = isOutdated(i) ? ["running", undefined] : ["completed", resultOf(i)];
          assert.deepEqual([found.standing, found.result], expected, `job ${i}`);
        }
      },
    );

    promise(open, "every attempt is kept with its start, end, processor, outcome and failure", async (rig) => {
      const startedAt = rig.clock.now();
      const job = await rig.running();
      rig.clock.advance(70);
      await rig.fail(job, { code: "dns", message: "No such host.", stack: "at x", line: 3, column: 4 });
      const [attempt] = await rig.store.attempts(job.lease.jobId);
      const { processor, ...rest } = attempt ?? {};
      assert.match(processor ?? "", /#0$/);
      assert.deepEqual(rest, {
        stage: "running",
        attempt: 1,
        startedAt,
        endedAt: startedAt + 70,
        outcome: "failed",
        failure: { code: "dns", message: "No such host.", permanent: false, stack: "at x", line: 3, column: 4 },
      });
    });

    promise(open, "the name, code, causes and inner errors of a failure are kept on its attempt", async (rig) => {
      const cause = { name: "Error", message: "refused", code: "ECONNREFUSED" };
      const told = { name: "TypeError", errorCode: "E1", cause, errors: [{ name: "Error", message: "inner" }] };
      const job = await rig.running();
      await rig.fail(job, told);
      const [attempt] = await rig.store.attempts(job.lease.jobId);
      assert.partialDeepStrictEqual(attempt?.failure, told);
      assert.partialDeepStrictEqual((await rig.find(job.lease.jobId)).failure, told);
    });

    promise(
      open,
      "a failure before the last attempt is tried again after a pause with full jitter that doubles",
      async (rig) => {
        const jobId = await rig.submit({ maxAttempts: 5 });
        for (const [chance, pauseMs] of [
          [0.5, 500],
          [1, 2_000],
          [0.25, 1_000],
          [0, 0],
        ] as const) {
          rig.chance = chance;
          const job = await rig.claimOne();
          const runAt = rig.clock.now() + pauseMs;
          assert.deepEqual(await rig.fail(job), { written: "written", standing: "scheduled", runAt });
          if (pauseMs > 0) {
            rig.clock.advance(pauseMs - 1);
            assert.deepEqual(await rig.claim(), []);
            rig.clock.advance(1);
          }
        }
        assert.equal((await rig.find(jobId)).failures, 4);
      },
    );

    promise(open, "no pause is longer than the kind's longest", async (rig) => {
      rig.chance = 1;
      const jobId = await rig.submit({ maxAttempts: 1_000 });
      for (let i = 0; i < 14; i++) {
        const settled = await rig.fail(await rig.claimOne());
        const pauseMs = (settled.written === "written" && settled.runAt ? settled.runAt : 0) - rig.clock.now();
        assert.equal(pauseMs, Math.min(300_000, 1_000 * 2 ** i));
        rig.clock.advance(pauseMs);
      }
      assert.equal((await rig.find(jobId)).attempt, 14);
    });

    promise(open, "the last failed attempt makes a dead letter, which nobody claims", async (rig) => {
      const jobId = await rig.submit();
      for (let attempt = 1; attempt <= 3; attempt++) {
        const job = await rig.claimOne();
        assert.equal(job.attempt, attempt);
        await rig.fail(job, { message: `No. ${attempt}` });
        rig.clock.advance(10_000);
      }
      const found = await rig.find(jobId);
      assert.equal(found.standing, "failed");
      assert.equal(found.failures, 3);
      assert.equal(found.failuresTotal, 3);
      assert.equal(found.attempt, 3);
      assert.equal(found.failure?.message, "No. 3");
      assert.deepEqual(await rig.history(jobId), ["running#1 failed", "running#2 failed", "running#3 failed"]);
      assert.deepEqual(await rig.claim(5), []);
    });

    promise(open, "a job's own bound on attempts goes before its kind's", async (rig) => {
      const once = await rig.running({ maxAttempts: 1 });
      assert.equal((await rig.find(once.lease.jobId)).maxAttempts, 1);
      const settled = await rig.fail(once);
      assert.equal(settled.written === "written" && settled.standing, "failed");
      await rig.submit({ maxAttempts: 5 });
      for (let i = 0; i < 4; i++) {
        const again = await rig.fail(await rig.claimOne());
        assert.equal(again.written === "written" && again.standing, "scheduled");
        rig.clock.advance(10_000);
      }
    });

    promise(open, "a permanent failure is not tried again", async (rig) => {
      const job = await rig.running();
      assert.deepEqual(await rig.fail(job, { permanent: true }), { written: "written", standing: "failed" });
      assert.equal((await rig.find(job.lease.jobId)).failures, 1);
    });

    promise(open, "a failure that says when to try again is tried then", async (rig) => {
      const job = await rig.running();
      await rig.settle(job, { type: "failed", failure: failureOf(), retryAfterMs: 77_777 });
      assert.equal((await rig.find(job.lease.jobId)).runAt, rig.clock.now() + 77_777);
      rig.clock.advance(77_776);
      assert.deepEqual(await rig.claim(), []);
      rig.clock.advance(1);
      assert.equal((await rig.claimOne()).attempt, 2);
    });

    promise(open, "when to try again is no reason to try more often", async (rig) => {
      const job = await rig.running({ maxAttempts: 1 });
      const settled = await rig.settle(job, { type: "failed", failure: failureOf(), retryAfterMs: 5 });
      assert.equal(settled.written === "written" && settled.standing, "failed");
    });

    promise(open, "a fault of the input is a failure that is not among the dead letters", async (rig) => {
      const job = await rig.running();
      const settled = await rig.fail(job, { permanent: true, input: true });
      assert.equal(settled.written === "written" && settled.standing, "rejected");
      assert.equal(await rig.store.count({ standings: ["failed"] }), 0);
    });

    promise(open, "a deferred job comes back at its time, with no attempt burned", async (rig) => {
      const jobId = await rig.submit({ maxAttempts: 1 });
      for (let i = 0; i < 3; i++) {
        const job = await rig.claimOne();
        assert.equal(job.attempt, 1);
        await rig.settle(job, { type: "deferred", delayMs: 1_000 });
        assert.equal(await rig.standing(jobId), "scheduled");
        rig.clock.advance(999);
        assert.deepEqual(await rig.claim(), []);
        rig.clock.advance(1);
      }
      const job = await rig.claimOne();
      const runAt = rig.clock.now() + 123;
      assert.deepEqual(await rig.settle(job, { type: "deferred", runAt }), {
        written: "written",
        standing: "scheduled",
        runAt,
      });
      const found = await rig.find(jobId);
      assert.equal(found.failures, 0);
      assert.deepEqual(await rig.history(jobId), Array(4).fill("running#1 deferred"));
    });

    promise(open, "a job deferred a thousand times keeps the record of a hundred", async (rig) => {
      const jobId = await rig.submit();
      for (let i = 0; i < 120; i++) {
        await rig.settle(await rig.claimOne(), { type: "deferred", delayMs: 100 });
        rig.clock.advance(100);
      }
      assert.equal((await rig.store.attempts(jobId)).length, 100);
      await rig.fail(await rig.claimOne(), { permanent: true });
      assert.equal((await rig.store.attempts(jobId)).at(-1)?.outcome, "failed");
    });

    promise(open, "a held job waits with its reason until it is released", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      assert.deepEqual(await rig.settle(job, { type: "held", reason: "needs budget" }), {
        written: "written",
        standing: "held",
      });
      assert.equal((await rig.find(jobId)).heldFor, "needs budget");
      rig.clock.advance(30 * 24 * 3_600_000);
      await rig.store.beat();
      assert.deepEqual(await rig.claim(), []);
      assert.equal(await rig.store.release(jobId), "done");
      const found = await rig.find(jobId);
      assert.equal(found.standing, "ready");
      assert.equal(found.heldFor, undefined);
      assert.equal(found.runAt, rig.clock.now());
      assert.deepEqual(await rig.store.release(jobId), { conflict: "The job is pending, not held." });
      assert.equal((await rig.claimOne()).attempt, 1);
    });

    promise(open, "answers given at a release are steps of the held stage, in their order", async (rig) => {
      const job = await rig.running({ kind: "report" });
      const { jobId } = job.lease;
      await rig.settle(job, { type: "held", reason: "needs review" });
      assert.equal(await rig.store.release(jobId, '{"raise":1}'), "done");
      assert.deepEqual(await rig.store.release(jobId, '{"raise":2}'), { conflict: "The job is pending, not held." });
      const again = await rig.claimOne({ kind: "report" });
      await rig.settle(again, { type: "held", reason: "needs more" });
      assert.equal(await rig.store.release(jobId), "done");
      await rig.settle(await rig.claimOne({ kind: "report" }), { type: "held", reason: "needs more" });
      assert.equal(await rig.store.release(jobId, '{"raise":3}'), "done");
      const last = await rig.claimOne({ kind: "report" });
      assert.equal(last.hasSteps, true);
      const steps = await rig.store.storedSteps(last.lease);
      assert.deepEqual(steps === "lease-lost" ? [] : steps.map(({ name, value }) => [name, value]).sort(), [
        ["released:1", '{"raise":1}'],
        ["released:2", '{"raise":3}'],
      ]);
      await rig.complete(last);
    });

    promise(open, "a job that is handed back may run at once, with no attempt burned", async (rig) => {
      const job = await rig.running({ maxAttempts: 1 });
      await rig.settle(job, { type: "released" });
      const again = await rig.claimOne();
      assert.equal(again.lease.jobId, job.lease.jobId);
      assert.equal(again.attempt, 1);
      assert.deepEqual(await rig.history(job.lease.jobId), ["running#1 released", "running#1 runs"]);
    });

    promise(open, "a result comes back to the letter, whatever its size", async (rig) => {
      for (const result of [
        "null",
        large("r"),
        '"🙂"',
        JSON.stringify("x".repeat(998)),
        JSON.stringify("x".repeat(999)),
      ]) {
        const job = await rig.running({ payload: large("p") });
        await rig.complete(job, result);
        const found = await rig.find(job.lease.jobId);
        assert.equal(found.result, result);
        assert.equal(found.payload, large("p"));
        assert.deepEqual(await rig.store.forget([job.lease.jobId]), ["done"]);
      }
    });

    promise(
      open,
      "a kind that keeps nothing has its jobs deleted as they settle, but not its dead letters",
      async (rig) => {
        for (const result of ["1", large("r")]) {
          const done = await rig.running({ payload: large("p") });
          await rig.store.saveStep(done.lease, "s", "1");
          await rig.store.note(done.lease, { logs: [{ at: 1, level: "info", message: "m" }] });
          await rig.store.keepArtifact(done.lease, { name: "a", contentType: "b", bytes: new Uint8Array(3) });
          const settled = { written: "written", standing: "completed", forgotten: true };
          assert.deepEqual(await rig.complete(done, result), settled);
          assert.deepEqual(await rig.store.find([done.lease.jobId]), []);
          assert.equal(await rig.store.artifact(done.lease.jobId, "a"), undefined);
        }
        const input = await rig.running({ uniqueKey: "u" });
        await rig.fail(input, { permanent: true, input: true });
        const cancelled = await rig.submit();
        await rig.store.cancel([cancelled], "x");
        const dead = await rig.running();
        await rig.kill(dead);
        assert.deepEqual(
          (await rig.store.list({})).map((job) => job.id),
          [dead.lease.jobId],
        );
      },
      { plans: [planOf("mail", ["running"], { retention: { ...MAIL.retention, finishedMs: "none" } })] },
    );
  });
}
