import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { large, type OpenData, promise } from "../rig.ts";

export function describeBelongings(open: OpenData): void {
  describe("steps, notes, limiters, artifacts", () => {
    promise(open, "a stored step is there for the next attempt of its stage, and only for that stage", async (rig) => {
      const first = await rig.running({ kind: "report" });
      assert.deepEqual(await rig.store.storedSteps(first.lease), []);
      assert.notEqual(await rig.store.saveStep(first.lease, "call", '{"cost":1}'), "lease-lost");
      rig.clock.advance(5);
      assert.notEqual(await rig.store.saveStep(first.lease, "large", large("s")), "lease-lost");
      const saved = await rig.store.storedSteps(first.lease);
      await rig.fail(first);
      rig.clock.advance(1_000);
      const second = await rig.claimOne({ kind: "report" });
      assert.equal(second.hasSteps, true);
      assert.deepEqual(await rig.store.storedSteps(second.lease), saved);
      assert.deepEqual(
        saved === "lease-lost" ? [] : saved.map(({ name, value, stage }) => [stage, name, value]).sort(),
        [
          ["fetch", "call", '{"cost":1}'],
          ["fetch", "large", large("s")],
        ],
      );
      await rig.complete(second);
      const form = await rig.claimOne({ kind: "report", stage: "form" });
      assert.deepEqual(await rig.store.storedSteps(form.lease), []);
      assert.notEqual(await rig.store.saveStep(form.lease, "call", "2"), "lease-lost");
      const steps = await rig.store.steps(form.lease.jobId);
      assert.deepEqual(
        steps.map(({ stage, name }) => `${stage}/${name}`),
        ["fetch/call", "fetch/large", "form/call"],
      );
    });

    promise(open, "a step survives the death of the process that stored it", async (rig) => {
      const b = await rig.another();
      const job = await rig.running({}, b);
      await b.saveStep(job.lease, "paid", "1");
      await rig.outlive();
      const again = await rig.claimOne();
      assert.equal(again.hasSteps, true);
      assert.equal(((await rig.store.storedSteps(again.lease)) as { name: string }[])[0]?.name, "paid");
      await rig.complete(again);
    });

    promise(open, "a step is stored once: the first value stays", async (rig) => {
      const job = await rig.running();
      await rig.store.saveStep(job.lease, "s", "1");
      await assert.rejects(rig.store.saveStep(job.lease, "s", "2"));
      assert.equal((await rig.store.steps(job.lease.jobId))[0]?.value, "1");
      assert.equal((await rig.complete(job)).written, "written");
    });

    promise(open, "steps that are stored together are stored each by itself", async (rig) => {
      const [one, two, over] = [await rig.running(), await rig.running(), await rig.running()];
      await rig.store.saveStep(two.lease, "used", "1");
      await rig.store.cancel([over.lease.jobId], "x");
      const { store } = rig;
      const answers = await Promise.allSettled([
        store.saveStep(one.lease, "a", "1"),
        store.saveStep(one.lease, "b", large("b")),
        store.saveStep(two.lease, "a", "2"),
        store.saveStep(two.lease, "used", "another value"),
        store.saveStep(over.lease, "a", "3"),
        store.saveStep(one.lease, "b", large("b")),
        store.saveStep({ ...one.lease, token: one.lease.token + 1 }, "c", "1"),
      ]);
      const outcomes = answers.map((answer) => {
        if (answer.status === "rejected") return answer.reason.code;
        return answer.value === "lease-lost" ? answer.value : "stored";
      });
      assert.deepEqual(outcomes, [
        ...["stored", "stored", "stored", "step-name-reused"],
        ...["lease-lost", "stored", "lease-lost"],
      ]);
      const stored = async ({ lease }: ClaimedJob) =>
        (await store.steps(lease.jobId)).map(({ name, value }) => `${name} ${value.length}`).sort();
      assert.deepEqual(await stored(one), ["a 1", `b ${large("b").length}`]);
      assert.deepEqual(await stored(two), ["a 1", "used 1"]);
      assert.deepEqual(await stored(over), []);
      await rig.fail(one);
      rig.clock.advance(1_000);
      assert.equal((await rig.claimOne()).hasSteps, true);
    });

    promise(open, "progress is seen while the job runs and starts anew with the next attempt", async (rig) => {
      const job = await rig.running();
      await rig.store.note(job.lease, { progress: { value: 0.25, message: "page 1 of 4" } });
      await rig.store.note(job.lease, { progress: { value: 0.5 } });
      assert.deepEqual((await rig.find(job.lease.jobId)).progress, { value: 0.5 });
      await rig.fail(job);
      rig.clock.advance(1_000);
      await rig.claimOne();
      assert.equal((await rig.find(job.lease.jobId)).progress, undefined);
    });

    promise(open, "log lines are kept in order and read in pages", async (rig) => {
      const job = await rig.running();
      const line = (message: string, data?: string) => ({
        at: rig.clock.now(),
        level: "info" as const,
        message,
        ...(data && { data }),
      });
      await rig.store.note(job.lease, { logs: [line("one"), line("two", '{"a":1}')] });
      await rig.store.note(job.lease, { logs: [line("three")] });
      const page = await rig.store.logs(job.lease.jobId, { limit: 2 });
      assert.deepEqual(
        page.map(({ id: _id, ...rest }) => rest),
        [line("one"), line("two", '{"a":1}')],
      );
      const rest = await rig.store.logs(job.lease.jobId, { limit: 2, afterId: page[1]?.id as number });
      assert.deepEqual(
        rest.map(({ message }) => message),
        ["three"],
      );
      await rig.complete(job);
      assert.equal((await rig.store.logs(job.lease.jobId, { limit: 9 })).length, 3);
    });

    promise(open, "log lines and progress that are sent right before the end of a job are kept", async (rig) => {
      const line = { at: 1, level: "info" as const, message: "last words" };
      let job: ClaimedJob;
      for (const end of [() => rig.complete(job), () => rig.fail(job)]) {
        job = await rig.running();
        const noted = rig.store.note(job.lease, { logs: [line], progress: { value: 1 } });
        const settled = end();
        assert.deepEqual([await noted, (await settled).written], ["written", "written"]);
        const [kept] = await rig.store.logs(job.lease.jobId, { limit: 9 });
        assert.equal(kept?.message, "last words");
      }
    });

    promise(open, "after a thousand log lines a job is told that no more are kept", async (rig) => {
      const job = await rig.running();
      const logs = Array.from({ length: 700 }, (_, i) => ({ at: i, level: "debug" as const, message: String(i) }));
      for (let i = 0; i < 3; i++) assert.equal(await rig.store.note(job.lease, { logs }), "written");
      const kept = await rig.store.logs(job.lease.jobId, { limit: 5_000 });
      assert.equal(kept.length, 1_001);
      assert.match(kept.at(-1)?.message ?? "", /not kept/);
    });

    promise(open, "a limiter gives what it has, then says when to come back, and fills evenly", async (rig) => {
      await rig.store.setLimiters([{ name: "api", count: 4, perMs: 1_000 }]);
      const { lease } = await rig.running();
      rig.chance = 0;
      assert.equal(await rig.store.take(lease, "api", 3), "taken");
      assert.equal(await rig.store.take(lease, "api", 1), "taken");
      assert.deepEqual(await rig.store.take(lease, "api", 2), { retryAt: rig.clock.now() + 500 });
      rig.clock.advance(499);
      assert.notEqual(await rig.store.take(lease, "api", 2), "taken");
      rig.clock.advance(1);
      assert.equal(await rig.store.take(lease, "api", 2), "taken");
      rig.clock.advance(60_000);
      assert.equal(await rig.store.take(lease, "api", 4), "taken");
      assert.notEqual(await rig.store.take(lease, "api", 1), "taken");
    });

    promise(open, "a limiter is shared by all instances and survives a restart with what was taken", async (rig) => {
      const rule = [{ name: "api", count: 2, perMs: 1_000 }];
      await rig.store.setLimiters(rule);
      const b = await rig.another();
      await b.setLimiters(rule);
      const one = await rig.running();
      const two = await rig.running({}, b);
      assert.equal(await rig.store.take(one.lease, "api", 1), "taken");
      assert.equal(await b.take(two.lease, "api", 1), "taken");
      const c = await rig.another();
      await c.setLimiters(rule);
      assert.notEqual(await c.take(one.lease, "api", 1), "taken");
      await c.setLimiters([{ name: "api", count: 3, perMs: 1_000 }]);
      assert.equal(await c.take(one.lease, "api", 3), "taken");
    });

    promise(open, "a limiter told to wait gives nothing until then, to nobody", async (rig) => {
      await rig.store.setLimiters([{ name: "api", count: 9, perMs: 9 }]);
      const b = await rig.another();
      const { lease } = await rig.running();
      assert.equal(await rig.store.blockLimiter(lease, "api", 5_000), "written");
      assert.equal(await rig.store.blockLimiter(lease, "api", 1_000), "written");
      assert.deepEqual(await b.take(lease, "api", 1), { retryAt: rig.clock.now() + 5_000 });
      rig.clock.advance(5_000);
      assert.equal(await b.take(lease, "api", 1), "taken");
    });

    promise(open, "a limiter nobody defined, or a cost that never fits, is an error that says so", async (rig) => {
      await rig.store.setLimiters([{ name: "api", count: 2, perMs: 9 }]);
      const { lease } = await rig.running();
      await assert.rejects(rig.store.take(lease, "nope", 1), { code: "limiter-unknown" });
      await assert.rejects(rig.store.take(lease, "api", 3), { code: "limiter-too-small" });
    });

    promise(
      open,
      "an artifact is kept beside its job, replaced under the same name and deleted with it",
      async (rig) => {
        const job = await rig.running();
        const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
        await rig.store.keepArtifact(job.lease, {
          name: "page.png",
          contentType: "image/png",
          bytes: new Uint8Array([1]),
        });
        await rig.store.keepArtifact(job.lease, { name: "page.png", contentType: "image/png", bytes });
        await rig.complete(job);
        const kept = await rig.store.artifact(job.lease.jobId, "page.png");
        assert.equal(kept?.contentType, "image/png");
        assert.deepEqual(new Uint8Array(kept?.bytes ?? []), bytes);
        assert.equal(await rig.store.artifact(job.lease.jobId, "other"), undefined);
        assert.deepEqual(await rig.store.artifacts(job.lease.jobId), [
          { name: "page.png", contentType: "image/png", size: 300_000 },
        ]);
        await rig.store.forget([job.lease.jobId]);
        assert.equal(await rig.store.artifact(job.lease.jobId, "page.png"), undefined);
        assert.deepEqual(await rig.store.artifacts(job.lease.jobId), []);
      },
    );

    promise(open, "the artifacts of a job are listed by name, without those of other jobs", async (rig) => {
      const [job, other] = [await rig.running(), await rig.running()];
      const keep = (lease: typeof job.lease, name: string) =>
        rig.store.keepArtifact(lease, { name, contentType: "text/plain", bytes: new Uint8Array(name.length) });
      for (const name of ["b", "a/ü", "B", "a"]) await keep(job.lease, name);
      await keep(other.lease, "c");
      const listed = await rig.store.artifacts(job.lease.jobId);
      assert.deepEqual(
        listed.map(({ name, size }) => [name, size]),
        [
          ["B", 1],
          ["a", 1],
          ["a/ü", 3],
          ["b", 1],
        ],
      );
      assert.deepEqual(await rig.store.artifacts("job_00000000"), []);
    });
  });
}
