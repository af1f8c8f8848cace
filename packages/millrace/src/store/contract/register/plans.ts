import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, planOf, promise, REPORT } from "../rig.ts";

const OLD = planOf("report", ["fetch", "judge"]);
const RENAMED = planOf("report", [], {
  stages: [{ ...stageOf("fetch") }, { ...stageOf("shape"), renamedFrom: ["form"] }, { ...stageOf("judge") }],
});
const CONTRACT = planOf("report", []);

export function describePlans(open: OpenData): void {
  describe("a plan", () => {
    promise(open, "is kept by a job whatever is registered while the job is under way", async (rig) => {
      const jobId = await rig.submit({ kind: "report" });
      for (const name of ["fetch", "form", "judge"]) {
        const job = await rig.claimOne({ kind: "report", stage: name });
        // An old process restarts in the middle of the stage.
        await rig.worker(OLD);
        await rig.complete(job);
      }
      const done = await rig.find(jobId);
      assert.deepEqual([done.standing, done.stages], ["completed", ["fetch", "form", "judge"]]);
      assert.deepEqual(await rig.history(jobId), ["fetch#1 completed", "form#1 completed", "judge#1 completed"]);
    });

    promise(open, "of an old process that opens last does not rule over the newer one that lives", async (rig) => {
      await rig.worker(OLD, "v1");
      await rig.worker(REPORT, "v2");
      await rig.worker(OLD, "v1");
      const jobId = await rig.submit({ kind: "report" });
      assert.deepEqual((await rig.find(jobId)).stages, ["fetch", "form", "judge"]);
    });

    promise(open, "of a process that does not work counts only where no worker lives", async (rig) => {
      const web = await rig.another();
      await web.register([OLD], { work: false });
      assert.deepEqual((await rig.find(await rig.submit({ kind: "report" }, web))).stages, ["fetch", "form", "judge"]);
      await rig.store.register([]);
      assert.deepEqual((await rig.find(await rig.submit({ kind: "report" }, web))).stages, ["fetch", "judge"]);
    });

    promise(open, "of the process that fires a schedule is that of its job where no worker lives", async (rig) => {
      await rig.store.register([]);
      const [at, web] = [rig.clock.now(), await rig.another()];
      await web.register([OLD], { work: false });
      const rule = { name: "nightly", tenant: "default", cron: "0 3 * * *", timeZone: "UTC" };
      const more = {
        kind: "report",
        payload: "1",
        overlap: "skip",
        missed: "once",
        paused: false,
        nextAt: at,
      } as const;
      await web.putSchedule({ ...rule, ...more }, 0);
      const submission = { tenant: "default", jobs: [{ kind: "report", payload: "1" }] };
      const fired = await web.fire({ tenant: "default", name: "nightly" }, at, at + 1_000, submission);
      assert.ok(fired.fired && fired.jobId);
      assert.deepEqual((await rig.find(fired.jobId)).stages, ["fetch", "judge"]);
    });

    promise(
      open,
      "of the newest worker says how long jobs are kept, and one that does not work never does",
      async (rig) => {
        const keepsFor = (finishedMs: number) => ({ retention: { finishedMs, deadLetterMs: finishedMs } });
        await rig.store.register([]);
        const v1 = await rig.worker(planOf("mail", ["running"], keepsFor(1_000)), "v1");
        const v2 = await rig.worker(planOf("mail", ["running"], keepsFor(10_000)), "v2");
        const web = await rig.another();
        await web.register([planOf("mail", ["running"], keepsFor(1_000))], { work: false });
        await rig.complete(await rig.running({}, v1), "1", v1);
        rig.clock.advance(9_999);
        for (const store of [v1, v2, web]) assert.equal((await store.prune({ limit: 9 })).deleted, 0);
        await v2.close();
        await v1.close();
        assert.equal(
          (await web.prune({ limit: 9 })).deleted,
          0,
          "the last worker's policy counts, not the submitter's",
        );
        rig.clock.advance(1);
        assert.equal((await web.prune({ limit: 9 })).deleted, 1);
      },
    );

    promise(open, "of the last worker is what a contract alone submits under", async (rig) => {
      await rig.store.register([]);
      const web = await rig.another();
      await web.register([CONTRACT], { work: false });
      const job = await rig.find(await rig.submit({ kind: "report" }, web));
      assert.deepEqual([job.stage, job.stages], ["fetch", ["fetch", "form", "judge"]]);
    });

    promise(
      open,
      "is given to jobs that came before any, in the commit of the first worker",
      async (rig) => {
        const web = await rig.another();
        await web.register([CONTRACT], { work: false });
        const jobs = [
          await rig.submit({ kind: "report" }, web),
          await rig.submit({ kind: "report", tenant: "b" }, web),
        ];
        const later = await rig.submit({ kind: "report", delayMs: 5_000 }, web);
        for (const jobId of jobs) {
          const { stage, stages, standing } = await rig.find(jobId);
          assert.deepEqual([stage, stages, standing], ["", [], "ready"]);
        }
        await rig.store.register([REPORT]);
        const claimed = await rig.claim(4, { kind: "report" });
        assert.deepEqual(claimed.map(({ lease }) => lease.jobId).sort(), jobs.sort());
        assert.deepEqual((await rig.find(later)).stages, ["fetch", "form", "judge"]);
        rig.clock.advance(5_000);
        assert.equal((await rig.claimOne({ kind: "report" })).lease.jobId, later);
      },
      { plans: [] },
    );

    promise(open, "is kept by a revived job", async (rig) => {
      const jobId = await rig.submit({ kind: "report" });
      await rig.complete(await rig.claimOne({ kind: "report" }));
      await rig.kill(await rig.claimOne({ kind: "report", stage: "form" }));
      await rig.worker(OLD, "v9");
      for (const from of ["failed-stage", "start"] as const) {
        const answer = await rig.store.revive(jobId, { from });
        if (from === "start") break;
        assert.ok(typeof answer === "object" && "revived" in answer);
        assert.deepEqual((await rig.find(answer.revived)).stages, ["fetch", "form", "judge"]);
      }
    });

    promise(open, "above the level of this engine is left alone", async (rig) => {
      const jobId = await rig.submit({ kind: "report" });
      await rig.data.raiseNeeds("report");
      const later = await rig.another();
      await later.register([planOf("report", ["fetch"])], { deployment: "low" });
      assert.deepEqual(await rig.claim(1, { kind: "report" }, later), []);
      assert.deepEqual((await rig.find(await rig.submit({ kind: "report" }, later), later)).stages, ["fetch"]);
      assert.equal((await rig.find(jobId, later)).standing, "ready");
    });

    promise(
      open,
      "above the level of this engine stays with its dead worker, for a newer one to take back",
      async (rig) => {
        const other = await rig.worker(planOf("other", ["a"]), "v1");
        await rig.submit({ kind: "other" }, other);
        const ordinary = await rig.claimOne({ kind: "other", stage: "a" }, other);
        const newer = await rig.another();
        await newer.register([REPORT, planOf("other", ["a"])], { deployment: "v1" });
        const jobId = await rig.submit({ kind: "report" }, newer);
        await rig.claimOne({ kind: "report" }, newer);
        await rig.data.raiseNeeds("report");
        await rig.store.register([]);
        assert.deepEqual(await rig.outlive(), [ordinary.lease.jobId]);
        assert.equal((await rig.find(jobId)).standing, "running");
      },
    );
  });

  describe("a stage", () => {
    promise(open, "takes the jobs of every plan that has its name, each plan its share", async (rig) => {
      const old = await rig.worker(OLD, "v0");
      await rig.store.register([]);
      for (let i = 0; i < 4; i++) await rig.submit({ kind: "report" }, old);
      await rig.worker(REPORT, "v1");
      for (let i = 0; i < 4; i++) await rig.submit({ kind: "report" });
      const claimed = await rig.claim(4, { kind: "report" }, old);
      const plans = await Promise.all(claimed.map(async ({ lease }) => (await rig.find(lease.jobId)).stages.length));
      assert.deepEqual(plans.sort(), [2, 2, 3, 3]);
      assert.equal((await rig.claim(8, { kind: "report" }, old)).length, 4, "what one does not need the other gets");
    });

    promise(open, "has the retries of the newest worker that has it, not those of another stage", async (rig) => {
      const once = { ...stageOf("charge"), maxAttempts: 1 };
      await rig.worker(planOf("order", [], { stages: [once, stageOf("ship")] }), "v1");
      const jobId = await rig.submit({ kind: "order" });
      await rig.worker(planOf("order", [], { stages: [{ ...stageOf("ship"), maxAttempts: 5 }] }), "v2");
      await rig.fail(await rig.claimOne({ kind: "order", stage: "charge" }));
      assert.equal(await rig.standing(jobId), "failed");
    });

    promise(open, "shares its turns between plans that have jobs, however many old plans have none", async (rig) => {
      for (let i = 0; i < 6; i++) await (await rig.worker(planOf("report", ["fetch", `old-${i}`]), `v${i}`)).close();
      const a = await rig.worker(OLD, "va");
      for (let i = 0; i < 6; i++) await rig.submit({ kind: "report" }, a);
      const b = await rig.worker(planOf("report", ["fetch", "other", "judge"]), "vb");
      for (let i = 0; i < 6; i++) await rig.submit({ kind: "report" }, b);
      const lengths: number[] = [];
      for (let i = 0; i < 6; i++) {
        const { lease } = await rig.claimOne({ kind: "report" });
        lengths.push((await rig.find(lease.jobId)).stages.length);
      }
      assert.deepEqual(lengths.sort(), [2, 2, 2, 3, 3, 3]);
    });

    promise(open, "keeps one pace over its current and its earlier name", async (rig) => {
      const pace = { count: 3, perMs: 2_000 };
      for (let i = 0; i < 3; i++) await rig.submit({ kind: "report" });
      const renamed = planOf("report", [], { stages: [{ ...stageOf("get"), renamedFrom: ["fetch"] }] });
      const newer = await rig.worker(renamed, "v2");
      for (let i = 0; i < 3; i++) await rig.submit({ kind: "report" }, newer);
      const claimed = await rig.claim(6, { kind: "report", stage: "get", renamedFrom: ["fetch"], pace }, newer);
      assert.equal(claimed.length, 3);
    });

    promise(open, "that was renamed takes jobs that stand at its old name, with their steps", async (rig) => {
      const jobId = await rig.submit({ kind: "report" });
      await rig.complete(await rig.claimOne({ kind: "report" }));
      const form = await rig.claimOne({ kind: "report", stage: "form" });
      await rig.store.saveStep(form.lease, "paid", "1");
      await rig.settle(form, { type: "released" });
      const renamed = await rig.worker(RENAMED, "v2");
      const job = await rig.claimOne({ kind: "report", stage: "shape", renamedFrom: ["form"] }, renamed);
      assert.equal(job.lease.jobId, jobId);
      const steps = await renamed.storedSteps(job.lease);
      assert.deepEqual(steps !== "lease-lost" && steps.map(({ name }) => name), ["paid"]);
      const settled = await rig.complete(job, "2", renamed);
      assert.equal(settled.written === "written" && settled.nextStage, "judge");
      const fresh = await rig.submit({ kind: "report" }, renamed);
      assert.deepEqual((await rig.find(fresh)).stages, ["fetch", "shape", "judge"]);
    });

    promise(open, "that was renamed releases jobs that were held at its old name, with their answers", async (rig) => {
      const jobId = await rig.submit({ kind: "report" });
      await rig.complete(await rig.claimOne({ kind: "report" }));
      const held = await rig.claimOne({ kind: "report", stage: "form" });
      await rig.settle(held, { type: "held", reason: "needs review" });
      const renamed = await rig.worker(RENAMED, "v2");
      assert.equal(await renamed.release(jobId, '{"raise":1}'), "done");
      const job = await rig.claimOne({ kind: "report", stage: "shape", renamedFrom: ["form"] }, renamed);
      const steps = await renamed.storedSteps(job.lease);
      assert.deepEqual(steps !== "lease-lost" && steps.map(({ name, value }) => [name, value]), [
        ["released:1", '{"raise":1}'],
      ]);
      const settled = await rig.complete(job, "2", renamed);
      assert.equal(settled.written === "written" && settled.nextStage, "judge");
    });

    promise(
      open,
      "looks at the room of the job's own next stage, over all plans",
      async (rig) => {
        await rig.store.register([OLD]);
        await rig.submit({ kind: "report" });
        await rig.complete(await rig.claimOne({ kind: "report" }));
        await rig.submit({ kind: "report" });
        assert.deepEqual(await rig.claim(1, { kind: "report" }), [], '"judge" is full, which is next for this plan');
        const newer = await rig.worker(planOf("report", ["fetch", "form", "judge"]), "v2");
        await rig.store.register([REPORT], { deployment: "v2" });
        await rig.claimOne({ kind: "report", stage: "judge" });
        await rig.complete(await rig.claimOne({ kind: "report" }));
        await rig.submit({ kind: "report" }, newer);
        assert.equal((await rig.claim(1, { kind: "report" })).length, 1, '"form" has room, which is next for that one');
      },
      { limits: { queueMax: 1 } },
    );
  });
}

function stageOf(name: string) {
  return { name, maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 300_000 } };
}
