import assert from "node:assert/strict";
import { describe } from "node:test";
import type { KindPlan } from "../../job/plan.ts";
import type { Registration, Store } from "../store.ts";
import { type OpenData, planOf, promise, REPORT, type Rig } from "./rig.ts";

const OLD = planOf("report", ["fetch", "judge"]);
const RENAMED = planOf("report", [], {
  stages: [{ ...stageOf("fetch") }, { ...stageOf("shape"), renamedFrom: ["form"] }, { ...stageOf("judge") }],
});
const CONTRACT = planOf("report", []);
const PINNED = { ...REPORT, pinned: true };

export function describePlans(open: OpenData): void {
  describe("a plan", () => {
    promise(open, "is kept by a job whatever is registered while the job is under way", async (rig) => {
      const jobId = await rig.submit({ kind: "report" });
      for (const name of ["fetch", "form", "judge"]) {
        const job = await rig.claimOne({ kind: "report", stage: name });
        // An old process restarts in the middle of the stage.
        await worker(rig, OLD);
        await rig.complete(job);
      }
      const done = await rig.find(jobId);
      assert.deepEqual([done.standing, done.stages], ["completed", ["fetch", "form", "judge"]]);
      assert.deepEqual(await rig.history(jobId), ["fetch#1 completed", "form#1 completed", "judge#1 completed"]);
    });

    promise(open, "of an old process that opens last does not rule over the newer one that lives", async (rig) => {
      await worker(rig, OLD, "v1");
      await worker(rig, REPORT, "v2");
      await worker(rig, OLD, "v1");
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
      await worker(rig, OLD, "v9");
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
        const other = await worker(rig, planOf("other", ["a"]), "v1");
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
      const old = await worker(rig, OLD, "v0");
      await rig.store.register([]);
      for (let i = 0; i < 4; i++) await rig.submit({ kind: "report" }, old);
      await worker(rig, REPORT, "v1");
      for (let i = 0; i < 4; i++) await rig.submit({ kind: "report" });
      const claimed = await rig.claim(4, { kind: "report" }, old);
      const plans = await Promise.all(claimed.map(async ({ lease }) => (await rig.find(lease.jobId)).stages.length));
      assert.deepEqual(plans.sort(), [2, 2, 3, 3]);
      assert.equal((await rig.claim(8, { kind: "report" }, old)).length, 4, "what one does not need the other gets");
    });

    promise(open, "has the retries of the newest worker that has it, not those of another stage", async (rig) => {
      const once = { ...stageOf("charge"), maxAttempts: 1 };
      await worker(rig, planOf("order", [], { stages: [once, stageOf("ship")] }), "v1");
      const jobId = await rig.submit({ kind: "order" });
      await worker(rig, planOf("order", [], { stages: [{ ...stageOf("ship"), maxAttempts: 5 }] }), "v2");
      await rig.fail(await rig.claimOne({ kind: "order", stage: "charge" }));
      assert.equal(await rig.standing(jobId), "failed");
    });

    promise(open, "shares its turns between plans that have jobs, however many old plans have none", async (rig) => {
      for (let i = 0; i < 6; i++) await (await worker(rig, planOf("report", ["fetch", `old-${i}`]), `v${i}`)).close();
      const a = await worker(rig, OLD, "va");
      for (let i = 0; i < 6; i++) await rig.submit({ kind: "report" }, a);
      const b = await worker(rig, planOf("report", ["fetch", "other", "judge"]), "vb");
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
      const newer = await worker(rig, renamed, "v2");
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
      const renamed = await worker(rig, RENAMED, "v2");
      const job = await rig.claimOne({ kind: "report", stage: "shape", renamedFrom: ["form"] }, renamed);
      assert.equal(job.lease.jobId, jobId);
      const steps = await renamed.storedSteps(job.lease);
      assert.deepEqual(steps !== "lease-lost" && steps.map(({ name }) => name), ["paid"]);
      const settled = await rig.complete(job, "2", renamed);
      assert.equal(settled.written === "written" && settled.nextStage, "judge");
      const fresh = await rig.submit({ kind: "report" }, renamed);
      assert.deepEqual((await rig.find(fresh)).stages, ["fetch", "shape", "judge"]);
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
        const newer = await worker(rig, planOf("report", ["fetch", "form", "judge"]), "v2");
        await rig.store.register([REPORT], { deployment: "v2" });
        await rig.claimOne({ kind: "report", stage: "judge" });
        await rig.complete(await rig.claimOne({ kind: "report" }));
        await rig.submit({ kind: "report" }, newer);
        assert.equal((await rig.claim(1, { kind: "report" })).length, 1, '"form" has room, which is next for that one');
      },
      { limits: { queueMax: 1 } },
    );
  });

  describe("a deployment", () => {
    promise(open, "keeps its number over restarts, and gets a new one when it is rolled back to", async (rig) => {
      const v1 = await worker(rig, OLD, "v1");
      const v2 = await worker(rig, REPORT, "v2");
      assert.deepEqual(await numbers(rig), { v1: 2, v2: 3 });
      await v1.close();
      const again = await worker(rig, OLD, "v1");
      assert.deepEqual(await numbers(rig), { v1: 2, v2: 3 });
      await again.close();
      await pass(rig, [v2], 59_000);
      const early = await worker(rig, OLD, "v1");
      assert.deepEqual(await numbers(rig), { v1: 2, v2: 3 });
      await early.close();
      await pass(rig, [v2], 60_000);
      await worker(rig, OLD, "v1");
      assert.deepEqual(await numbers(rig), { v1: 4, v2: 3 });
      assert.deepEqual((await rig.find(await rig.submit({ kind: "report" }))).stages, ["fetch", "judge"]);
    });

    promise(open, "that comes back after another was announced is the newest", async (rig) => {
      await (await worker(rig, OLD, "v1")).close();
      rig.clock.advance(1);
      await (await worker(rig, REPORT, "v2")).close();
      rig.clock.advance(1);
      await worker(rig, OLD, "v1");
      assert.deepEqual(await numbers(rig), { v1: 4, v2: 3 });
    });

    promise(open, "of a process that was taken for dead and goes on keeps its number", async (rig) => {
      const v1 = await worker(rig, OLD, "v1");
      await rig.outlive();
      await worker(rig, REPORT, "v2");
      await v1.beat("[]");
      assert.deepEqual(await numbers(rig), { v1: 2, v2: 3 });
      assert.equal((await rig.store.deployments()).workers.length, 4);
    });

    promise(open, "has one plan of a kind: a second one is refused while the first lives", async (rig) => {
      const first = await worker(rig, OLD, "v1");
      const second = await rig.another();
      await assert.rejects(second.register([REPORT], { deployment: "v1" }), { code: "deployment-conflict" });
      await first.close();
      await second.register([REPORT], { deployment: "v1" });
    });

    promise(open, "that drains does not give its plan to new jobs", async (rig) => {
      await worker(rig, OLD, "v1");
      const v2 = await worker(rig, REPORT, "v2");
      await rig.store.register([]);
      await v2.drain();
      assert.deepEqual((await rig.find(await rig.submit({ kind: "report" }))).stages, ["fetch", "judge"]);
    });

    promise(
      open,
      "of a process that was killed has ended with its last sign of life, and its label is free",
      async (rig) => {
        await worker(rig, OLD, "v1");
        rig.clock.advance(rig.leaseMs + 1);
        await rig.store.beat("[]");
        rig.clock.advance(1);
        await (await worker(rig, REPORT, "v2")).close();
        await worker(rig, REPORT, "v1");
        assert.deepEqual(await numbers(rig), { v1: 4, v2: 3 });
      },
    );

    promise(open, "is announced by workers alone", async (rig) => {
      const web = await rig.another();
      await web.register([OLD], { work: false, deployment: "web" });
      assert.deepEqual(await numbers(rig), {});
    });

    promise(open, "alone takes the jobs that are pinned to it, until they are unpinned", async (rig) => {
      const v1 = await worker(rig, PINNED, "v1");
      const jobId = await rig.submit({ kind: "report" });
      const v2 = await worker(rig, PINNED, "v2");
      const newer = await rig.submit({ kind: "report" });
      assert.deepEqual(await ids(rig.claim(4, { kind: "report" })), []);
      assert.deepEqual(await ids(rig.claim(4, { kind: "report" }, v2)), [newer]);
      const [job] = await rig.claim(4, { kind: "report" }, v1);
      assert.equal(job?.lease.jobId, jobId);
      await rig.complete(job as never, "1", v1);
      assert.deepEqual(await ids(rig.claim(4, { kind: "report", stage: "form" }, v2)), []);
      assert.deepEqual(await rig.store.unpin("v1"), { conflict: 'Deployment "v1" still has workers.' });
      await v1.close();
      assert.equal(await rig.store.unpin("v1"), "done");
      assert.equal(await rig.store.unpin("v7"), "not-found");
      const form = await rig.claimOne({ kind: "report", stage: "form" }, v2);
      assert.equal(form.lease.jobId, jobId);
      await rig.complete(form, "2", v2);
      assert.deepEqual(await ids(rig.claim(4, { kind: "report", stage: "judge" }, v2)), [jobId]);
    });

    promise(open, "is listed with its plans, its processes and what waits for them", async (rig) => {
      await worker(rig, OLD, "v1");
      await rig.submit({ kind: "report" });
      const facts = await rig.store.deployments();
      assert.deepEqual(
        facts.deployments.find(({ label }) => label === "v1"),
        {
          id: facts.deployments.find(({ label }) => label === "v1")?.id,
          label: "v1",
          number: 2,
          plans: [{ kind: "report", stages: ["fetch", "judge"] }],
        },
      );
      assert.deepEqual(facts.stages, [
        { kind: "report", stage: "fetch", later: ["judge"], pin: 0, needs: 1, pending: 1, running: 0 },
      ]);
      await rig.claimOne({ kind: "report" });
      const { workers } = await rig.store.deployments();
      assert.equal(
        workers.reduce((sum, each) => sum + each.running, 0),
        1,
      );
    });
  });
}

function stageOf(name: string) {
  return { name, maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 300_000 } };
}

/** One more process, which works on the plan under a label. */
async function worker(rig: Rig, plan: KindPlan, deployment?: string): Promise<Store> {
  const store = await rig.another();
  const registration: Registration = deployment === undefined ? {} : { deployment };
  await store.register([plan], registration);
  return store;
}

/** Time passes for living processes. */
async function pass(rig: Rig, living: Store[], ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    rig.clock.advance(Math.min(left, 10_000));
    for (const store of [rig.store, ...living]) await store.beat("[]");
  }
}

async function numbers(rig: Rig): Promise<Record<string, number>> {
  const { deployments } = await rig.store.deployments();
  const labelled = deployments.filter(({ label, number }) => number !== undefined && /^v\d$|^web$/.test(label));
  return Object.fromEntries(labelled.map(({ label, number }) => [label, number as number]));
}

async function ids(claimed: ReturnType<Rig["claim"]>): Promise<string[]> {
  return (await claimed).map(({ lease }) => lease.jobId);
}
