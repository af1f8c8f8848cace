import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise } from "../rig.ts";
import { resumed, SECOND_MS, send, signalNamed, sleepFor, stored, waiting, wordsOf } from "./support.ts";

export function describeSignals(open: OpenData): void {
  describe("a signal", () => {
    promise(open, "wakes the job that waits for it, with its value", async (rig) => {
      const jobId = await waiting(rig, [signalNamed("paid")]);
      rig.clock.advance(365 * 24 * 3_600_000);
      assert.deepEqual(await rig.claimIds(), [], "without a limit it waits for ever");
      assert.equal(await send(rig, jobId, "paid", { amount: 10 }), "kept");
      const { waits, job } = await resumed(rig, jobId);
      assert.deepEqual(waits, ['signal paid answered {"amount":10}']);
      await rig.complete(job);
    });

    promise(open, "that comes before its wait is kept for it, also over stages", async (rig) => {
      const jobId = await rig.submit({ kind: "report" });
      assert.equal(await send(rig, jobId, "paid", 1), "kept");
      await rig.complete(await rig.claimOne({ kind: "report" }));
      const job = await rig.claimOne({ kind: "report", stage: "form" });
      assert.equal(await send(rig, jobId, "paid", 2), "kept");
      await rig.settle(job, { type: "waiting", waits: [signalNamed("paid")] });
      const again = await rig.claimOne({ kind: "report", stage: "form" });
      assert.deepEqual((await stored(rig, again)).map(wordsOf), ["signal paid answered 1"]);
      await rig.settle(again, { type: "waiting", waits: [signalNamed("paid#2")] });
      const last = await rig.claimOne({ kind: "report", stage: "form" });
      assert.deepEqual((await stored(rig, last)).map(wordsOf), ["signal paid answered 1", "signal paid#2 answered 2"]);
    });

    promise(open, "serves one wait, in the order in which the signals came", async (rig) => {
      const jobId = await waiting(rig, [signalNamed("item")]);
      for (const n of [1, 2, 3]) await send(rig, jobId, "item", n);
      let { job } = await resumed(rig, jobId);
      for (const name of ["item#2", "item#3"]) {
        await rig.settle(job, { type: "waiting", waits: [signalNamed(name)] });
        ({ job } = await resumed(rig, jobId));
      }
      const values = (await stored(rig, job)).map(({ value }) => value);
      assert.deepEqual(values, ["1", "2", "3"]);
      await rig.settle(job, { type: "waiting", waits: [signalNamed("item#4")] });
      assert.deepEqual(await rig.claimIds(), []);
    });

    promise(open, "that comes while the job runs is found when the job would wait", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await send(rig, jobId, "paid", "now");
      const settled = await rig.settle(job, { type: "waiting", waits: [signalNamed("paid")] });
      assert.equal(settled.written === "written" && settled.standing, "ready");
      assert.deepEqual((await resumed(rig, jobId)).waits, ['signal paid answered "now"']);
    });

    promise(open, "that comes too late changes nothing: the wait stays timed out and the signal stays", async (rig) => {
      const jobId = await waiting(rig, [signalNamed("paid", SECOND_MS)]);
      rig.clock.advance(SECOND_MS);
      await send(rig, jobId, "paid", "late");
      const { job, waits } = await resumed(rig, jobId);
      assert.deepEqual(waits, ["signal paid timed-out"]);
      await rig.settle(job, { type: "waiting", waits: [signalNamed("paid#2")] });
      assert.deepEqual((await resumed(rig, jobId)).waits, ["signal paid timed-out", 'signal paid#2 answered "late"']);
    });

    promise(open, "is refused by a job that has ended and one that never was", async (rig) => {
      const job = await rig.running();
      await rig.complete(job);
      const { jobId } = job.lease;
      const sent = (id: string) => rig.store.signal({ target: { jobId: id }, name: "paid", value: "1" });
      assert.deepEqual(await sent(jobId), { type: "finished", jobId, state: "completed" });
      assert.deepEqual(await sent("job_00000000"), { type: "not-found" });
    });

    promise(open, "with a key that came before changes nothing", async (rig) => {
      const jobId = await waiting(rig, [signalNamed("paid")]);
      const sent = () => rig.store.signal({ target: { jobId }, name: "paid", value: "1", key: "webhook-7" });
      assert.deepEqual(await sent(), { type: "kept", jobId });
      assert.deepEqual(await sent(), { type: "kept", jobId, repeated: true });
      const { job } = await resumed(rig, jobId);
      await rig.settle(job, { type: "waiting", waits: [signalNamed("paid#2")] });
      assert.deepEqual(await rig.claimIds(), []);
    });

    promise(open, "finds its job by the unique key, or submits it in the same commit", async (rig) => {
      const target = { kind: "mail", tenant: "default", uniqueKey: "order-1" };
      const signal = { name: "paid", value: "1" };
      assert.deepEqual(await rig.store.signal({ target, ...signal }), { type: "not-found" });
      const orSubmit = { tenant: "default", jobs: [{ kind: "mail", payload: "{}", uniqueKey: "order-1" }] };
      const answer = await rig.store.signal({ target: { ...target, orSubmit }, ...signal });
      assert.ok(answer.type === "kept" && answer.submitted);
      const again = await rig.store.signal({ target: { ...target, orSubmit }, ...signal });
      assert.deepEqual(again, { type: "kept", jobId: answer.jobId });
      const job = await rig.claimOne();
      assert.equal(job.lease.jobId, answer.jobId);
      await rig.settle(job, { type: "waiting", waits: [signalNamed("paid")] });
      assert.deepEqual((await resumed(rig, answer.jobId)).waits, ["signal paid answered 1"]);
    });

    promise(open, "that cannot be stored leaves no job that was submitted for it", async (rig) => {
      const orSubmit = { tenant: "default", jobs: [{ kind: "mail", payload: "{}", uniqueKey: "order-1" }] };
      const target = { kind: "mail", tenant: "default", uniqueKey: "order-1", orSubmit };
      // No column of a signal's value takes NULL, so the store fails after it has submitted the job.
      await assert.rejects(rig.store.signal({ target, name: "paid", value: null as never }));
      assert.deepEqual(await rig.claimIds(), []);
      assert.deepEqual((await rig.store.signal({ target, name: "paid", value: "1" })).type, "kept");
    });

    promise(open, "that does not fit is set aside with the reason, and the next one is taken", async (rig) => {
      const jobId = await waiting(rig, [signalNamed("paid", 60 * SECOND_MS)]);
      await send(rig, jobId, "paid", "wrong");
      const { job } = await resumed(rig, jobId);
      const reopened = await rig.store.setAside(job.lease, "paid", "not a number");
      assert.ok(reopened !== "lease-lost");
      assert.equal(wordsOf(reopened), "signal paid open");
      await rig.settle(job, { type: "waiting", waits: [signalNamed("paid")] });
      await send(rig, jobId, "paid", 5);
      assert.deepEqual((await resumed(rig, jobId)).waits, ["signal paid answered 5"]);
      const kept = await rig.store.signals(jobId);
      assert.deepEqual(
        kept.map(({ state, reason }) => [state, reason]),
        [
          ["set-aside", "not a number"],
          ["taken", undefined],
        ],
      );
    });

    promise(open, "is refused beyond a thousand that no wait has taken", async (rig) => {
      const jobId = await rig.submit({ delayMs: SECOND_MS });
      for (let n = 0; n < 1_000; n++) await send(rig, jobId, "paid", n);
      const answer = await rig.store.signal({ target: { jobId }, name: "paid", value: "1" });
      assert.equal(answer.type === "refused" && answer.code, "too-many-signals");
    });

    promise(
      open,
      "goes along with a revival from the failed stage, with all waits, and not with one from the start",
      async (rig) => {
        const jobId = await waiting(rig, [signalNamed("a"), signalNamed("b", 60 * SECOND_MS)]);
        await send(rig, jobId, "a", 1);
        await send(rig, jobId, "c", 3);
        const { job } = await resumed(rig, jobId);
        await rig.kill(job);
        const answer = await rig.store.revive(jobId, { from: "failed-stage" });
        assert.ok(typeof answer === "object" && "revived" in answer);
        const again = await resumed(rig, answer.revived);
        assert.deepEqual(again.waits, ["signal a answered 1", "signal b open"]);
        await rig.settle(again.job, { type: "waiting", waits: [signalNamed("b"), signalNamed("c")] });
        const third = await resumed(rig, answer.revived);
        assert.deepEqual(third.waits, ["signal a answered 1", "signal b open", "signal c answered 3"]);
        await rig.kill(third.job);
        const fresh = await rig.store.revive(answer.revived, { from: "start" });
        assert.ok(typeof fresh === "object" && "revived" in fresh);
        assert.deepEqual((await resumed(rig, fresh.revived)).waits, []);
      },
    );

    promise(open, "is presented by nobody with a stale lease: waits are read under the lease alone", async (rig) => {
      const job = await rig.running({}, await rig.another());
      await rig.outlive();
      assert.equal(await rig.store.resume(job.lease), "lease-lost");
      assert.equal(await rig.store.setAside(job.lease, "x", "y"), "lease-lost");
      assert.equal(await rig.store.decideRace(job.lease, { name: "r", value: "{}", closes: [] }), "lease-lost");
      assert.deepEqual(await rig.settle(job, { type: "waiting", waits: [sleepFor(1)] }), { written: "lease-lost" });
    });
  });

  describe("a race", () => {
    promise(open, "closes the losers: a closed wait takes no signal and wakes nothing", async (rig) => {
      const waits = [signalNamed("paid"), sleepFor(SECOND_MS, "limit")];
      const jobId = await waiting(rig, waits);
      rig.clock.advance(SECOND_MS);
      const { job } = await resumed(rig, jobId);
      const value = JSON.stringify({ winner: "late" });
      const closes = [{ type: "signal" as const, name: "paid" }];
      assert.equal(await rig.store.decideRace(job.lease, { name: "payment", value, closes }), "written");
      await rig.settle(job, { type: "waiting", waits: [sleepFor(SECOND_MS, "more")] });
      await send(rig, jobId, "paid", 1);
      assert.deepEqual(await rig.claimIds(), [], "nothing waits for the signal any more");
      rig.clock.advance(SECOND_MS);
      const { waits: all } = await resumed(rig, jobId);
      assert.deepEqual(all, [
        "signal paid closed",
        "sleep limit timed-out",
        `race payment answered ${value}`,
        "sleep more timed-out",
      ]);
    });

    promise(open, "gives a signal back that a loser had taken", async (rig) => {
      const jobId = await waiting(rig, [signalNamed("a"), signalNamed("b")]);
      await send(rig, jobId, "b", "B");
      await send(rig, jobId, "a", "A");
      const { job, waits } = await resumed(rig, jobId);
      assert.deepEqual(waits, ['signal a answered "A"', 'signal b answered "B"']);
      const closes = [{ type: "signal" as const, name: "b" }];
      await rig.store.decideRace(job.lease, { name: "r", value: "{}", closes });
      await rig.settle(job, { type: "waiting", waits: [signalNamed("b#2")] });
      const again = await resumed(rig, jobId);
      assert.equal(again.waits.at(-1), 'signal b#2 answered "B"');
    });

    promise(open, "that is decided twice keeps its first winner, and closes waits that never began", async (rig) => {
      const job = await rig.running();
      const closes = [{ type: "sleep" as const, name: "never" }];
      await rig.store.decideRace(job.lease, { name: "r", value: '"first"', closes });
      await rig.store.decideRace(job.lease, { name: "r", value: '"second"', closes });
      assert.deepEqual((await stored(rig, job)).map(wordsOf), ['race r answered "first"', "sleep never closed"]);
    });
  });
}
