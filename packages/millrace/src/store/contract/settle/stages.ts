import assert from "node:assert/strict";
import { describe } from "node:test";
import { large, type OpenData, planOf, promise, REPORT, type Rig } from "../rig.ts";

export function describeStages(open: OpenData): void {
  describe("stages", () => {
    promise(open, "what a stage returned is the next one's input, and the last one's the result", async (rig) => {
      const jobId = await rig.submit({ kind: "report", payload: '"p"' });
      const fetch = await stage(rig, "fetch");
      assert.equal(fetch.input, undefined);
      const settled = await rig.complete(fetch, '"fetched"');
      assert.deepEqual(settled, { written: "written", standing: "ready", nextStage: "form", runAt: rig.clock.now() });
      assert.deepEqual(await rig.claim(1, { kind: "report", stage: "fetch" }), []);
      const form = await stage(rig, "form");
      assert.equal(form.input, '"fetched"');
      assert.equal(form.payload, '"p"');
      await rig.complete(form, '"formed"');
      const judge = await stage(rig, "judge");
      assert.equal(judge.input, '"formed"');
      assert.deepEqual(await rig.complete(judge, '"judged"'), { written: "written", standing: "completed" });
      const found = await rig.find(jobId);
      assert.equal(found.result, '"judged"');
      assert.equal(found.stage, "judge");
      assert.deepEqual(found.stages, ["fetch", "form", "judge"]);
      assert.deepEqual(await rig.history(jobId), ["fetch#1 completed", "form#1 completed", "judge#1 completed"]);
    });

    promise(open, "attempts and failures are counted per stage, and all failures beside", async (rig) => {
      const jobId = await rig.submit({ kind: "report" });
      await rig.fail(await stage(rig, "fetch"));
      rig.clock.advance(1_000);
      await rig.complete(await stage(rig, "fetch"));
      const between = await rig.find(jobId);
      assert.equal(between.failure, undefined);
      assert.deepEqual([between.attempt, between.failures, between.failuresTotal], [0, 0, 1]);
      for (let i = 0; i < 3; i++) {
        await rig.fail(await stage(rig, "form"));
        rig.clock.advance(10_000);
      }
      const dead = await rig.find(jobId);
      assert.deepEqual([dead.standing, dead.stage], ["failed", "form"]);
      assert.deepEqual([dead.attempt, dead.failures, dead.failuresTotal], [3, 3, 4]);
    });

    promise(open, "a crash behind a job is forgiven once the stage is done", async (rig) => {
      await rig.submit({ kind: "report" });
      await rig.crash(await stage(rig, "fetch"));
      await rig.complete(await stage(rig, "fetch"));
      const [form] = await rig.claim(1, { kind: "report", stage: "form", suspects: 0 });
      assert.equal(form?.crashes, 0);
      assert.equal(form?.attempt, 1);
    });

    promise(
      open,
      "each stage may have its own attempts",
      async (rig) => {
        await rig.submit({ kind: "two" });
        await rig.complete(await rig.claimOne({ kind: "two", stage: "first" }));
        const job = await rig.claimOne({ kind: "two", stage: "second" });
        assert.equal((await rig.find(job.lease.jobId)).maxAttempts, 1);
        const settled = await rig.fail(job);
        assert.equal(settled.written === "written" && settled.standing, "failed");
      },
      {
        plans: [
          planOf("two", [], {
            stages: [
              { name: "first", maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1, maxMs: 1 } },
              { name: "second", maxAttempts: 1, maxCrashes: 3, retry: { baseMs: 1, maxMs: 1 } },
            ],
          }),
        ],
      },
    );

    promise(open, "results large and small go through the stages and leave nothing behind", async (rig) => {
      for (const results of [
        [large("a"), "1", "2"],
        ["1", large("b"), "2"],
        ["1", "2", large("c")],
        [large("d"), large("e"), large("f")],
        [large("g"), large("h"), "3"],
      ]) {
        const jobId = await rig.submit({ kind: "report", payload: large("p") });
        for (const [i, name] of ["fetch", "form", "judge"].entries()) {
          const job = await stage(rig, name);
          assert.equal(job.input, i === 0 ? undefined : results[i - 1]);
          await rig.complete(job, results[i] as string);
        }
        assert.equal((await rig.find(jobId)).result, results[2]);
        await rig.checkSound();
        assert.deepEqual(await rig.store.forget([jobId]), ["done"]);
        await rig.checkSound();
      }
    });

    promise(open, "a tenant waits its turn in every stage anew", async (rig) => {
      for (const tenant of ["a", "a", "a", "b"]) await rig.submit({ kind: "report", tenant });
      for (const job of await rig.claim(4, { kind: "report" })) await rig.complete(job);
      const forms = await rig.claim(2, { kind: "report", stage: "form" });
      assert.deepEqual(forms.map((job) => job.tenant).sort(), ["a", "b"]);
    });

    promise(open, "a stage its kind no longer has keeps its jobs, counted and visible", async (rig) => {
      const jobId = await rig.submit({ kind: "report" });
      await rig.complete(await stage(rig, "fetch"));
      await rig.store.register([planOf("report", ["fetch", "judge"])]);
      assert.equal((await rig.find(jobId)).stage, "form");
      assert.deepEqual(await rig.claim(1, { kind: "report", stage: "judge" }), []);
      const kinds = await rig.store.kinds();
      assert.equal(
        kinds.find(({ kind }) => kind === "report")?.stages.find((each) => each.stage === "form")?.counts.ready,
        1,
      );
      await rig.store.register([REPORT]);
      assert.equal((await stage(rig, "form")).lease.jobId, jobId);
    });

    promise(
      open,
      "a stage stops claiming while the queue of the next one is full; nothing accepted is dropped",
      async (rig) => {
        for (let i = 0; i < 2; i++) await rig.submit({ kind: "report" });
        for (const job of await rig.claim(2, { kind: "report" })) await rig.complete(job);
        await rig.submit({ kind: "report" });
        assert.deepEqual(await rig.claim(2, { kind: "report" }), []);
        await stage(rig, "form");
        assert.equal((await rig.claim(2, { kind: "report" })).length, 1);
      },
      { limits: { queueMax: 2 } },
    );
  });
}

function stage(rig: Rig, name: string) {
  return rig.claimOne({ kind: "report", stage: name });
}
