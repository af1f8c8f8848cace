import assert from "node:assert/strict";
import { describe } from "node:test";
import { large, type OpenData, promise, type Rig } from "../rig.ts";

export function describeRevive(open: OpenData): void {
  describe("revive and forget", () => {
    promise(
      open,
      "a dead letter is revived as a new job, linked both ways, with no attempts behind it",
      async (rig) => {
        const job = await rig.running({
          tenant: "t",
          payload: '"p"',
          priority: 3,
          tags: ["x"],
          traceId: "tr",
          maxAttempts: 2,
          timeoutMs: 9,
        });
        await rig.kill(job);
        rig.clock.advance(1_000);
        const revived = await reviveOf(rig, job.lease.jobId);
        const { createdAt, updatedAt, runAt, ...rest } = await rig.find(revived);
        assert.deepEqual([createdAt, updatedAt, runAt], Array(3).fill(rig.clock.now()));
        assert.deepEqual(rest, {
          id: revived,
          kind: "mail",
          stage: "running",
          stages: ["running"],
          tenant: "t",
          standing: "ready",
          payload: '"p"',
          priority: 3,
          tags: ["x"],
          traceId: "tr",
          attempt: 0,
          maxAttempts: 2,
          failures: 0,
          failuresTotal: 0,
          crashes: 0,
          retryOf: job.lease.jobId,
        });
        const old = await rig.find(job.lease.jobId);
        assert.equal(old.retriedAs, revived);
        assert.equal(await rig.store.count({ standings: ["failed"] }), 0, "it has left the dead letters");
        assert.deepEqual(await rig.history(old.id), ["running#1 failed"]);
        assert.equal((await rig.claimOne()).timeoutMs, 9);
      },
    );

    promise(
      open,
      "a second revive is refused and names the first one's job, also from another instance",
      async (rig) => {
        const job = await rig.running();
        await rig.kill(job);
        const revived = await reviveOf(rig, job.lease.jobId);
        for (const by of [rig.store, await rig.another()]) {
          const again = await by.revive(job.lease.jobId, { from: "start" });
          assert.ok(typeof again === "object" && "conflict" in again);
          assert.equal(again.code, "conflict");
          assert.equal(again.jobId, revived);
        }
        await rig.kill(await rig.claimOne());
        assert.equal((await rig.find(await reviveOf(rig, revived))).retryOf, revived);
      },
    );

    promise(open, "only failed and cancelled jobs can be revived", async (rig) => {
      const ready = await rig.submit();
      const refused = async (jobId: string) => {
        const answer = await rig.store.revive(jobId, { from: "failed-stage" });
        assert.ok(typeof answer === "object" && "conflict" in answer, JSON.stringify(answer));
      };
      await refused(ready);
      const job = await rig.claimOne();
      await refused(ready);
      await rig.complete(job);
      await refused(ready);
      const cancelled = await rig.submit();
      await rig.store.cancel([cancelled], "x");
      assert.equal((await rig.find(await reviveOf(rig, cancelled))).standing, "ready");
      assert.equal((await rig.find(cancelled)).standing, "cancelled");
      const input = await rig.running({ priority: -1 });
      await rig.fail(input, { permanent: true, input: true });
      await reviveOf(rig, input.lease.jobId);
    });

    for (const size of ["small", "large"] as const) {
      promise(
        open,
        `a revived job keeps the finished stages and steps and starts at the one that failed (${size} values)`,
        async (rig) => {
          const value = (letter: string) => (size === "large" ? large(letter) : JSON.stringify(letter));
          const jobId = await failInForm(rig, value);
          const revived = await reviveOf(rig, jobId);
          assert.equal((await rig.find(revived)).stage, "form");
          assert.deepEqual(await rig.claim(1, { kind: "report", stage: "fetch" }), []);
          const form = await rig.claimOne({ kind: "report", stage: "form" });
          assert.equal(form.input, value("f"));
          assert.equal(form.payload, value("p"));
          assert.equal(form.hasSteps, true);
          const steps = await rig.store.storedSteps(form.lease);
          assert.deepEqual(steps === "lease-lost" ? steps : steps.map((step) => [step.name, step.value]), [
            ["s2", value("2")],
          ]);
          assert.equal((await rig.store.steps(revived)).length, 2);
          assert.equal((await rig.store.steps(jobId)).length, 2);
          await rig.store.forget([jobId]);
          assert.equal((await rig.store.steps(revived)).length, 2);
          await rig.complete(form, value("o"));
        },
      );
    }

    promise(
      open,
      "a job revived from its failed stage names the first job of its chain, for the keys of steps",
      async (rig) => {
        const first = await failInForm(rig, JSON.stringify);
        const second = await reviveOf(rig, first);
        const form = { kind: "report", stage: "form" };
        const again = await rig.claimOne(form);
        assert.deepEqual([again.workflow?.isContinued, await rig.store.firstJob(again.lease)], [true, first]);
        await rig.fail(again, { permanent: true });
        await rig.store.forget([first]);
        const third = await reviveOf(rig, second);
        const last = await rig.claimOne(form);
        assert.equal(last.lease.jobId, third);
        assert.equal(await rig.store.firstJob(last.lease), first);
        assert.equal(await rig.store.firstJob(again.lease), "lease-lost");
        await rig.fail(last, { permanent: true });
        await reviveOf(rig, third, { from: "start" });
        const fresh = await rig.claimOne({ kind: "report" });
        assert.deepEqual([fresh.workflow, await rig.store.firstJob(fresh.lease)], [undefined, fresh.lease.jobId]);
      },
    );

    promise(open, "from the start means from the start: no stage, step or result is kept", async (rig) => {
      const revived = await reviveOf(rig, await failInForm(rig, large), { from: "start" });
      const fetch = await rig.claimOne({ kind: "report" });
      assert.equal(fetch.lease.jobId, revived);
      assert.equal(fetch.input, undefined);
      assert.equal(fetch.hasSteps, false);
      assert.equal(fetch.payload, large("p"));
      assert.deepEqual(await rig.store.steps(revived), []);
    });

    promise(open, "an edited payload takes the place of the old one", async (rig) => {
      for (const payload of ['"edited"', large("e")]) {
        const job = await rig.running({ payload: large("p") });
        await rig.kill(job);
        const revived = await reviveOf(rig, job.lease.jobId, { payload });
        assert.equal((await rig.claimOne()).payload, payload);
        assert.equal((await rig.find(job.lease.jobId)).payload, large("p"));
        await rig.store.cancel([revived], "done");
      }
    });

    promise(open, "reviving respects the unique key and takes it", async (rig) => {
      const job = await rig.running({ uniqueKey: "u" });
      await rig.kill(job);
      const inTheWay = await rig.submit({ uniqueKey: "u" });
      const answer = await rig.store.revive(job.lease.jobId, { from: "failed-stage", uniqueKey: "u" });
      assert.deepEqual(answer, {
        conflict: 'A job with the unique key "u" is already waiting.',
        code: "already-queued",
        jobId: inTheWay,
      });
      assert.equal((await rig.find(job.lease.jobId)).standing, "failed");
      await rig.store.cancel([inTheWay], "x");
      const revived = await reviveOf(rig, job.lease.jobId, { uniqueKey: "u" });
      const second = await rig.offer({ uniqueKey: "u" });
      assert.equal(second.type === "refused" && second.jobId, revived);
      await rig.complete(await rig.claimOne());
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "accepted");
    });

    promise(open, "a finished job is forgotten with all that belongs to it; an unfinished one is not", async (rig) => {
      const job = await rig.running({ payload: large("p"), uniqueKey: "u" });
      const { jobId } = job.lease;
      await rig.store.saveStep(job.lease, "s", large("s"));
      await rig.store.note(job.lease, { logs: [{ at: 1, level: "warn", message: "m" }], progress: { value: 1 } });
      await rig.store.keepArtifact(job.lease, { name: "a", contentType: "c", bytes: new Uint8Array(9) });
      assert.deepEqual(await rig.store.forget([jobId]), [{ conflict: "The job is running; cancel it first." }]);
      await rig.fail(job);
      assert.deepEqual(await rig.store.forget([jobId]), [{ conflict: "The job is pending; cancel it first." }]);
      rig.clock.advance(1_000);
      await rig.complete(await rig.claimOne(), large("o"));
      assert.deepEqual(await rig.store.forget([jobId, jobId]), ["done", "not-found"]);
      assert.deepEqual(await rig.store.find([jobId]), []);
      assert.deepEqual(await rig.store.attempts(jobId), []);
      assert.deepEqual(await rig.store.steps(jobId), []);
      assert.deepEqual(await rig.store.logs(jobId, { limit: 9 }), []);
      assert.equal(await rig.store.artifact(jobId, "a"), undefined);
    });
  });
}

async function reviveOf(
  rig: Rig,
  jobId: string,
  more: { from?: "start"; payload?: string; uniqueKey?: string } = {},
): Promise<string> {
  const answer = await rig.store.revive(jobId, { from: "failed-stage", ...more });
  assert.ok(typeof answer === "object" && "revived" in answer, JSON.stringify(answer));
  assert.deepEqual(answer.accepted, await rig.find(answer.revived), "the answer is the job as it is stored");
  return answer.revived;
}

/** A report that died in its second stage, with a step in each. */
async function failInForm(rig: Rig, value: (letter: string) => string): Promise<string> {
  const fetch = await rig.running({ kind: "report", payload: value("p") });
  await rig.store.saveStep(fetch.lease, "s1", value("1"));
  await rig.complete(fetch, value("f"));
  const form = await rig.claimOne({ kind: "report", stage: "form" });
  await rig.store.saveStep(form.lease, "s2", value("2"));
  await rig.kill(form);
  return form.lease.jobId;
}
