import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise } from "../rig.ts";
import { DAY_MS, resumed, SECOND_MS, send, signalNamed, sleepFor, stored, waiting, wordsOf } from "./support.ts";

export function describeSleep(open: OpenData): void {
  describe("a job that sleeps", () => {
    promise(open, "holds nothing, is not claimed before its time, and is claimed then", async (rig) => {
      const jobId = await waiting(rig, [sleepFor(3 * DAY_MS)]);
      assert.equal(await rig.standing(jobId), "scheduled");
      assert.deepEqual(await rig.store.renew([]), []);
      rig.clock.advance(3 * DAY_MS - 1);
      assert.deepEqual(await rig.claimIds(), []);
      rig.clock.advance(1);
      const { waits } = await resumed(rig, jobId);
      assert.deepEqual(waits, ["sleep nap timed-out"]);
    });

    promise(open, "never sleeps twice: the end of a stored sleep stays where it was", async (rig) => {
      const jobId = await waiting(rig, [sleepFor(10 * SECOND_MS)]);
      rig.clock.advance(4 * SECOND_MS);
      await rig.store.signal({ target: { jobId }, name: "unasked", value: "1" });
      assert.deepEqual(await rig.claimIds(), [], "a signal that no wait asks for wakes nothing");
      rig.clock.advance(6 * SECOND_MS);
      const { job } = await resumed(rig, jobId);
      await rig.crash(job);
      const again = await rig.claimOne();
      assert.deepEqual((await stored(rig, again)).map(wordsOf), ["sleep nap timed-out"]);
    });

    promise(open, "until the earliest of several waits, and keeps the others' ends", async (rig) => {
      const waits = [sleepFor(10 * SECOND_MS, "long"), sleepFor(2 * SECOND_MS, "short")];
      const jobId = await waiting(rig, waits);
      rig.clock.advance(2 * SECOND_MS);
      const first = await resumed(rig, jobId);
      assert.deepEqual(first.waits, ["sleep long open", "sleep short timed-out"]);
      await rig.settle(first.job, { type: "waiting", waits: [waits[0] as (typeof waits)[0]] });
      rig.clock.advance(8 * SECOND_MS - 1);
      assert.deepEqual(await rig.claimIds(), []);
      rig.clock.advance(1);
      assert.deepEqual((await resumed(rig, jobId)).waits, ["sleep long timed-out", "sleep short timed-out"]);
    });

    promise(open, "burns no attempt, and its failures count from the last wait on", async (rig) => {
      const first = await rig.running();
      await rig.fail(first);
      rig.clock.advance(DAY_MS);
      const second = await rig.claimOne();
      await rig.settle(second, { type: "waiting", waits: [sleepFor(1)] });
      const found = await rig.find(second.lease.jobId);
      assert.deepEqual([found.failures, found.failuresTotal], [0, 1]);
      rig.clock.advance(1);
      assert.equal((await rig.claimOne()).attempt, 1);
    });

    promise(open, "goes before jobs that have not started, once it is woken", async (rig) => {
      const jobId = await waiting(rig, [signalNamed("go")]);
      const others = [await rig.submit(), await rig.submit()];
      rig.clock.advance(SECOND_MS);
      await rig.store.signal({ target: { jobId }, name: "go", value: "1" });
      assert.deepEqual(await rig.claimIds(3), [jobId, ...others]);
      assert.equal((await rig.find(jobId)).runAt, rig.clock.now(), "people see when it was woken");
    });

    promise(open, "goes before them after its sleep, too, and equal ones by their order", async (rig) => {
      const first = await waiting(rig, [sleepFor(2 * SECOND_MS)]);
      const second = await waiting(rig, [sleepFor(SECOND_MS)]);
      const fresh = await rig.submit();
      rig.clock.advance(5 * SECOND_MS);
      assert.deepEqual((await rig.claimIds(3)).slice(0, 2).sort(), [first, second].sort());
      assert.equal((await rig.find(fresh)).standing, "running");
    });

    promise(open, "is not counted again by the pace of its stage when it was woken", async (rig) => {
      const pace = { count: 2, perMs: SECOND_MS };
      const jobId = await rig.submit();
      const job = await rig.claimOne({ pace });
      await rig.settle(job, { type: "waiting", waits: [signalNamed("go")] });
      await send(rig, jobId, "go");
      assert.deepEqual(await rig.claimIds(1, { pace }), [jobId]);
      const fresh = [await rig.submit(), await rig.submit()];
      assert.deepEqual(await rig.claimIds(2, { pace }), fresh.slice(0, 1), "one start of two is left");
    });

    promise(open, "is woken by a late call of the attempt that was suspended, and of no other", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      const call = 'ctx.step("late")';
      assert.equal(await rig.store.wakeLate(job.lease, call), "running");
      await rig.settle(job, { type: "waiting", waits: [sleepFor(DAY_MS)] });
      const stale = { ...job.lease, token: job.lease.token - 1 };
      assert.equal(await rig.store.wakeLate(stale, call), "lease-lost");
      assert.equal(await rig.store.wakeLate(job.lease, call), "written");
      assert.equal(await rig.store.wakeLate(job.lease, call), "lease-lost", "it does not wait any more");
      const { job: again, waits } = await resumed(rig, jobId);
      assert.deepEqual(waits, ["sleep nap open", `call ${call} answered`]);
      assert.deepEqual((await stored(rig, again)).map(wordsOf), ["sleep nap open"], "it is told once");
      assert.deepEqual(
        (await rig.store.waits(jobId)).map(({ name }) => name),
        ["nap"],
      );
      await rig.settle(again, { type: "waiting", waits: [sleepFor(DAY_MS)] });
      assert.equal(await rig.store.wakeLate(job.lease, call), "lease-lost");
    });

    promise(open, "can be cancelled, and is then woken by nothing", async (rig) => {
      const jobId = await waiting(rig, [sleepFor(SECOND_MS), signalNamed("go")]);
      assert.deepEqual(await rig.store.cancel([jobId], "No."), ["done"]);
      rig.clock.advance(DAY_MS);
      assert.deepEqual(await rig.claimIds(), []);
      const answer = await rig.store.signal({ target: { jobId }, name: "go", value: "1" });
      assert.deepEqual(answer, { type: "finished", jobId, state: "cancelled" });
    });

    promise(open, "is left alone by processes of an older release", async (rig) => {
      const jobId = await waiting(rig, [sleepFor(SECOND_MS)]);
      const steps = await rig.store.steps(jobId);
      assert.deepEqual(steps, []);
      assert.equal((await rig.store.circumstances(jobId))?.needs, 2);
    });

    promise(open, "keeps the steps that it stored before", async (rig) => {
      const job = await rig.running();
      await rig.store.saveStep(job.lease, "charge", '"receipt"');
      await rig.settle(job, { type: "waiting", waits: [sleepFor(1)] });
      rig.clock.advance(1);
      const again = await rig.claimOne();
      assert.equal(again.hasSteps, true);
      const steps = await rig.store.storedSteps(again.lease);
      assert.deepEqual(steps !== "lease-lost" && steps.map(({ name, value }) => [name, value]), [
        ["charge", '"receipt"'],
      ]);
      await rig.complete(again);
    });

    promise(open, "of several stages goes on with its plan", async (rig) => {
      const job = await rig.running({ kind: "report" });
      await rig.settle(job, { type: "waiting", waits: [sleepFor(1)] });
      rig.clock.advance(1);
      for (const stage of ["fetch", "form", "judge"]) await rig.complete(await rig.claimOne({ kind: "report", stage }));
      assert.equal(await rig.standing(job.lease.jobId), "completed");
    });

    promise(open, "says what it waits for, and is listed by that", async (rig) => {
      const since = rig.clock.now();
      const both = await waiting(rig, [sleepFor(SECOND_MS), signalNamed("paid#2")]);
      const approval = await waiting(rig, [{ type: "approval", name: "ship", details: "{}" }]);
      const held = await rig.running();
      await rig.settle(held, { type: "held", reason: "Look.", timeoutMs: SECOND_MS });
      await rig.submit({ runAt: rig.clock.now() + SECOND_MS });
      assert.deepEqual((await rig.find(both)).waitsFor, [
        { type: "sleep", name: "nap", since, until: since + SECOND_MS },
        { type: "signal", name: "paid#2", since },
      ]);
      assert.deepEqual((await rig.find(held.lease.jobId)).waitsFor, [
        { type: "hold", since, until: since + SECOND_MS },
      ]);
      const listed = async (waitsFor: string) => (await rig.store.list({ waitsFor })).map(({ id }) => id);
      assert.deepEqual(await listed("sleep"), [both]);
      assert.deepEqual(await listed("sleep:other"), []);
      assert.deepEqual(await listed("signal:paid"), [both]);
      assert.deepEqual(await listed("approval:ship"), [approval]);
      assert.deepEqual(await listed("hold"), [held.lease.jobId]);
      assert.equal(await rig.store.count({ waitsFor: "signal" }), 1);
      assert.deepEqual(await rig.store.listIds({ waitsFor: "approval" }, 5), [approval]);
      await send(rig, both, "paid");
      assert.equal((await rig.find(both)).waitsFor, undefined);
      assert.deepEqual(await listed("signal"), []);
    });

    promise(open, "leaves no wait behind when it is forgotten", async (rig) => {
      const jobId = await waiting(rig, [sleepFor(SECOND_MS), signalNamed("go")]);
      await rig.store.signal({ target: { jobId }, name: "other", value: "1" });
      await rig.store.cancel([jobId], "No.");
      assert.deepEqual(await rig.store.forget([jobId]), ["done"]);
      assert.deepEqual([await rig.store.waits(jobId), await rig.store.signals(jobId)], [[], []]);
    });
  });
}
