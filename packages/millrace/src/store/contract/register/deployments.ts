import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Store } from "../../store.ts";
import { failureOf, type OpenData, planOf, promise, REPORT, type Rig } from "../rig.ts";

const OLD = planOf("report", ["fetch", "judge"]);
const PINNED = { ...REPORT, pinned: true };

export function describeDeployments(open: OpenData): void {
  describe("a deployment", () => {
    promise(open, "keeps its number over restarts, and gets a new one when it is rolled back to", async (rig) => {
      const v1 = await rig.worker(OLD, "v1");
      const v2 = await rig.worker(REPORT, "v2");
      assert.deepEqual(await numbers(rig), { v1: 2, v2: 3 });
      await v1.close();
      const again = await rig.worker(OLD, "v1");
      assert.deepEqual(await numbers(rig), { v1: 2, v2: 3 });
      await again.close();
      await pass(rig, [v2], 59_000);
      const early = await rig.worker(OLD, "v1");
      assert.deepEqual(await numbers(rig), { v1: 2, v2: 3 });
      await early.close();
      await pass(rig, [v2], 60_000);
      await rig.worker(OLD, "v1");
      assert.deepEqual(await numbers(rig), { v1: 4, v2: 3 });
      assert.deepEqual((await rig.find(await rig.submit({ kind: "report" }))).stages, ["fetch", "judge"]);
    });

    promise(open, "that comes back after another was announced is the newest", async (rig) => {
      await (await rig.worker(OLD, "v1")).close();
      rig.clock.advance(1);
      await (await rig.worker(REPORT, "v2")).close();
      rig.clock.advance(1);
      await rig.worker(OLD, "v1");
      assert.deepEqual(await numbers(rig), { v1: 4, v2: 3 });
    });

    promise(open, "of a process that was taken for dead and goes on keeps its number", async (rig) => {
      const v1 = await rig.worker(OLD, "v1");
      await rig.outlive();
      await rig.worker(REPORT, "v2");
      await v1.beat("[]");
      assert.deepEqual(await numbers(rig), { v1: 2, v2: 3 });
      assert.equal((await rig.store.deployments()).workers.length, 4);
    });

    promise(open, "has one plan of a kind: a second one is refused while the first lives", async (rig) => {
      const first = await rig.worker(OLD, "v1");
      const second = await rig.another();
      await assert.rejects(second.register([REPORT], { deployment: "v1" }), { code: "deployment-conflict" });
      await first.close();
      await second.register([REPORT], { deployment: "v1" });
    });

    promise(open, "that drains does not give its plan to new jobs", async (rig) => {
      await rig.worker(OLD, "v1");
      const v2 = await rig.worker(REPORT, "v2");
      await rig.store.register([]);
      await v2.drain();
      assert.deepEqual((await rig.find(await rig.submit({ kind: "report" }))).stages, ["fetch", "judge"]);
    });

    promise(
      open,
      "of a process that was killed has ended with its last sign of life, and its label is free",
      async (rig) => {
        await rig.worker(OLD, "v1");
        rig.clock.advance(rig.leaseMs + 1);
        await rig.store.beat("[]");
        rig.clock.advance(1);
        await (await rig.worker(REPORT, "v2")).close();
        await rig.worker(REPORT, "v1");
        assert.deepEqual(await numbers(rig), { v1: 4, v2: 3 });
      },
    );

    promise(open, "is announced by workers alone", async (rig) => {
      const web = await rig.another();
      await web.register([OLD], { work: false, deployment: "web" });
      assert.deepEqual(await numbers(rig), {});
    });

    promise(open, "alone takes the jobs that are pinned to it, until they are unpinned", async (rig) => {
      const v1 = await rig.worker(PINNED, "v1");
      const jobId = await rig.submit({ kind: "report" });
      const v2 = await rig.worker(PINNED, "v2");
      const newer = await rig.submit({ kind: "report" });
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }), []);
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }, v2), [newer]);
      const [job] = await rig.claim(4, { kind: "report" }, v1);
      assert.equal(job?.lease.jobId, jobId);
      await rig.complete(job as never, "1", v1);
      assert.deepEqual(await rig.claimIds(4, { kind: "report", stage: "form" }, v2), []);
      assert.deepEqual(await rig.store.unpin("v1"), { conflict: 'Deployment "v1" still has workers.' });
      await v1.close();
      assert.equal(await rig.store.unpin("v1"), "done");
      assert.equal(await rig.store.unpin("v7"), "not-found");
      const form = await rig.claimOne({ kind: "report", stage: "form" }, v2);
      assert.equal(form.lease.jobId, jobId);
      await rig.complete(form, "2", v2);
      assert.deepEqual(await rig.claimIds(4, { kind: "report", stage: "judge" }, v2), [jobId]);
    });

    promise(open, "that is unpinned hands over what its jobs have stored", async (rig) => {
      const v1 = await rig.worker(PINNED, "v1");
      const jobId = await rig.submit({ kind: "report" });
      const fetch = await rig.claimOne({ kind: "report" }, v1);
      await v1.saveStep(fetch.lease, "loaded", "1");
      await rig.complete(fetch, "1", v1);
      const form = await rig.claimOne({ kind: "report", stage: "form" }, v1);
      await v1.saveStep(form.lease, "paid", '"receipt"');
      await rig.fail(form, {}, v1);
      await v1.close();
      rig.clock.advance(60_000);
      const v2 = await rig.worker(PINNED, "v2");
      assert.equal(await rig.store.unpin("v1"), "done");
      const again = await rig.claimOne({ kind: "report", stage: "form" }, v2);
      const steps = await v2.storedSteps(again.lease);
      assert.deepEqual(steps !== "lease-lost" && steps.map(({ name, value }) => [name, value]), [
        ["paid", '"receipt"'],
      ]);
      assert.deepEqual(await rig.history(jobId), ["fetch#1 completed", "form#1 failed", "form#2 runs"]);
      const all = (await rig.store.steps(jobId)).map(({ stage, name }) => `${stage}/${name}`);
      assert.deepEqual(all.sort(), ["fetch/loaded", "form/paid"]);
    });

    promise(open, "that was unpinned leaves the stored steps to a job that is revived", async (rig) => {
      const v1 = await rig.worker(PINNED, "v1");
      const job = await rig.running({ kind: "report" }, v1);
      await v1.saveStep(job.lease, "paid", '"receipt"');
      await rig.fail(job, { permanent: true }, v1);
      await v1.close();
      rig.clock.advance(1);
      const v2 = await rig.worker(PINNED, "v2");
      assert.equal(await rig.store.unpin("v1"), "done");
      await rig.store.revive(job.lease.jobId, { from: "failed-stage" });
      const again = await rig.claimOne({ kind: "report" }, v2);
      const steps = await v2.storedSteps(again.lease);
      assert.deepEqual(steps !== "lease-lost" && steps.map(({ name }) => name), ["paid"]);
    });

    promise(open, "of a process that does not work pins no job", async (rig) => {
      await rig.store.register([]);
      const web = await rig.another();
      await web.register([PINNED], { work: false, deployment: "web" });
      const jobId = await rig.submit({ kind: "report" }, web);
      const v2 = await rig.worker(REPORT, "v2");
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }, v2), [jobId]);
    });

    promise(open, "of the newest worker pins what a process submits that does not work", async (rig) => {
      await rig.store.register([]);
      const web = await rig.another();
      await web.register([PINNED], { work: false, deployment: "web" });
      const v1 = await rig.worker(PINNED, "v1");
      const jobId = await rig.submit({ kind: "report" }, web);
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }), []);
      const v2 = await rig.worker(PINNED, "v2");
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }, v2), []);
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }, v1), [jobId]);
      // By the plan of the last worker, and pinned to it, where the process itself has only a contract.
      for (const store of [v1, v2]) await store.close();
      await web.register([planOf("report", [], { pinned: true })], { work: false });
      const later = await rig.submit({ kind: "report" }, web);
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }), []);
      const again = await rig.worker(PINNED, "v2");
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }, again), [later]);
    });

    promise(open, "takes a revived job back that was pinned to it, unless it was unpinned", async (rig) => {
      const v1 = await rig.worker(PINNED, "v1");
      const jobId = await rig.submit({ kind: "report" });
      await rig.settle(
        await rig.claimOne({ kind: "report" }, v1),
        { type: "failed", failure: failureOf({ permanent: true }) },
        v1,
      );
      await v1.close();
      rig.clock.advance(1);
      const v2 = await rig.worker(PINNED, "v2");
      const revive = async (id: string) => {
        const answer = await rig.store.revive(id, { from: "failed-stage" });
        assert.ok(typeof answer === "object" && "revived" in answer);
        return answer.revived;
      };
      const kept = await revive(jobId);
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }, v2), [], "it is still pinned");
      await rig.store.cancel([kept], "again");
      assert.equal(await rig.store.unpin("v1"), "done");
      const freed = await revive(kept);
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }, v2), [freed]);
      await rig.store.cancel([freed], "again");
      const again = await rig.worker(PINNED, "v1");
      const own = await rig.submit({ kind: "report" }, again);
      await rig.store.cancel([own], "again");
      const back = await revive(own);
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }, v2), [], "its new workers take it back");
      assert.deepEqual(await rig.claimIds(4, { kind: "report" }, again), [back]);
    });

    promise(open, "lists no process that died, also before it is buried", async (rig) => {
      await rig.worker(OLD, "v1");
      rig.clock.advance(rig.leaseMs + 1);
      assert.deepEqual((await rig.store.deployments()).workers, []);
    });

    promise(open, "is listed with its plans, its processes and what waits for them", async (rig) => {
      await rig.worker(OLD, "v1");
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
