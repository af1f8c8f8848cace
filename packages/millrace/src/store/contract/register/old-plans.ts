import assert from "node:assert/strict";
import { describe } from "node:test";
import type { KindPlan } from "../../../job/kind/plan.ts";
import type { Store } from "../../store.ts";
import { HOUR_MS, type OpenData, planOf, promise, type Rig } from "../rig.ts";

const HALF_MS = HOUR_MS / 2;
/** Dead letters are kept the longest. */
const LONGEST_MS = 7 * 24 * HOUR_MS;
const V1 = planOf("letter", ["write", "send"]);
const V2 = planOf("letter", ["write", "check", "send"]);
const V3 = planOf("letter", ["send"]);

export function describeOldPlans(open: OpenData): void {
  describe("rows of old plans and deployments", () => {
    promise(open, "are deleted after the longest retention and an hour more", async (rig) => {
      await ended(rig, V1, "v1");
      const living = [await rig.worker(V2, "v2"), await rig.worker(V3, "v3")];
      await pass(rig, LONGEST_MS - HOUR_MS, living);
      assert.deepEqual(await listed(rig), ["v1", "v2", "v3"]);
      await pass(rig, HOUR_MS, living);
      assert.deepEqual(await listed(rig), ["v2", "v3"]);
      assert.deepEqual(await plansOf(rig), ["send", "write, check, send", "write, send"]);
      await pass(rig, 2 * HOUR_MS, living);
      assert.deepEqual(await plansOf(rig), ["send", "write, check, send"]);
      // The label comes back, and its plan with it.
      await rig.worker(V1, "v1");
      assert.deepEqual((await rig.find(await rig.submit({ kind: "letter" }))).stages, ["write", "send"]);
      assert.ok((await numberOf(rig, "v1")) > (await numberOf(rig, "v3")));
    });

    promise(open, "stay while a job refers to them, live or finished", async (rig) => {
      const v1 = await rig.worker(V1, "v1");
      const pending = await rig.submit({ kind: "letter" });
      const failed = await rig.submit({ kind: "letter" });
      await v1.close();
      rig.clock.advance(1);
      const living = [await rig.worker(V2, "v2"), await rig.worker(V3, "v3")];
      await pass(rig, LONGEST_MS + 3 * HOUR_MS, living);
      assert.deepEqual(await listed(rig), ["v1", "v2", "v3"], "two jobs wait");
      await rig.store.cancel([pending], "not needed");
      const job = await rig.claimOne({ kind: "letter", stage: "write" });
      assert.equal(job.lease.jobId, failed);
      await rig.kill(job);
      await pass(rig, LONGEST_MS - HOUR_MS, living);
      assert.deepEqual(await listed(rig), ["v1", "v2", "v3"], "a dead letter can be revived");
      await pass(rig, 4 * HOUR_MS, living);
      assert.deepEqual(await listed(rig), ["v2", "v3"]);
      assert.deepEqual(await plansOf(rig), ["send", "write, check, send"]);
    });

    promise(open, "stay while a job is pinned to the deployment", async (rig) => {
      const v1 = await rig.worker({ ...V1, pinned: true }, "v1");
      const jobId = await rig.submit({ kind: "letter" });
      await v1.close();
      rig.clock.advance(1);
      const v2 = await rig.worker({ ...V1, pinned: true }, "v2");
      await pass(rig, LONGEST_MS + 3 * HOUR_MS, [v2]);
      assert.deepEqual(await listed(rig), ["v1", "v2"]);
      assert.equal(await rig.store.unpin("v1"), "done");
      await pass(rig, HOUR_MS, [v2]);
      assert.deepEqual(await listed(rig), ["v2"], "the job is the newest deployment's");
      assert.deepEqual(await rig.claimIds(1, { kind: "letter", stage: "write" }, v2), [jobId]);
    });

    promise(open, "stay while a process that only submits has registered the plan", async (rig) => {
      const web = await rig.another();
      await web.register([V1], { work: false });
      await ended(rig, V3, "v3");
      await pass(rig, LONGEST_MS + 3 * HOUR_MS, [web]);
      assert.deepEqual(await plansOf(rig), ["send", "write, send"]);
      assert.deepEqual((await rig.find(await rig.submit({ kind: "letter" }, web))).stages, ["write", "send"]);
    });

    promise(open, "stay while a process of an older release lives, which does not say what it uses", async (rig) => {
      await ended(rig, V1, "v1");
      const living = [await rig.worker(V2, "v2"), await rig.worker(V3, "v3")];
      await pass(rig, HOUR_MS, living);
      for (let hours = 0; hours < 7 * 24 + 3; hours += 12) {
        await rig.data.forgetRegisteredPlans();
        rig.clock.advance(12 * HOUR_MS);
        await rig.store.prune({ limit: 100 });
        for (const store of [rig.store, ...living]) await store.beat("[]");
      }
      assert.deepEqual(await listed(rig), ["v1", "v2", "v3"]);
    });

    promise(open, "of a plan and its workflow twin go together", async (rig) => {
      const v1 = await rig.worker(V1, "v1");
      const jobId = await rig.submit({ kind: "letter" });
      const job = await rig.claimOne({ kind: "letter", stage: "write" }, v1);
      await rig.settle(job, { type: "waiting", waits: [{ type: "signal", name: "go" }] }, v1);
      await v1.close();
      rig.clock.advance(1);
      const living = [await rig.worker(V2, "v2"), await rig.worker(V3, "v3")];
      await pass(rig, LONGEST_MS + 3 * HOUR_MS, living);
      const twins = async () => (await rig.data.plans("letter")).filter((stages) => stages.join() === "write,send");
      assert.equal((await twins()).length, 2);
      await rig.store.cancel([jobId], "not needed");
      await pass(rig, LONGEST_MS + 4 * HOUR_MS, living);
      assert.equal((await twins()).length, 0);
    });

    promise(open, "give their ids and numbers to no other", async (rig) => {
      await ended(rig, V1, "v1");
      await ended(rig, V2, "v2");
      await pass(rig, LONGEST_MS + 4 * HOUR_MS);
      assert.deepEqual(await listed(rig), ["v2"], "the newest stays");
      const number = await numberOf(rig, "v2");
      const v3 = await rig.worker(V3, "v3");
      assert.equal(await numberOf(rig, "v3"), number + 1);
      const jobId = await rig.submit({ kind: "letter" });
      assert.deepEqual(await rig.claimIds(1, { kind: "letter", stage: "send" }, v3), [jobId]);
    });
  });
}

async function ended(rig: Rig, plan: KindPlan, label: string): Promise<void> {
  await (await rig.worker(plan, label)).close();
  rig.clock.advance(1);
}

/** Time passes for living processes: most of it at once, and the last hours with a look every half hour. */
async function pass(rig: Rig, ms: number, living: Store[] = []): Promise<void> {
  const first = Math.max(0, ms - 4 * HOUR_MS);
  for (const step of [first, ...Array.from({ length: (ms - first) / HALF_MS }, () => HALF_MS)]) {
    rig.clock.advance(step);
    for (const store of [rig.store, ...living]) await store.beat("[]");
    await rig.store.prune({ limit: 100 });
  }
}

async function listed(rig: Rig): Promise<string[]> {
  const { deployments } = await rig.store.deployments();
  return deployments.flatMap(({ label }) => (/^v\d$/.test(label) ? [label] : [])).sort();
}

async function numberOf(rig: Rig, label: string): Promise<number> {
  const { deployments } = await rig.store.deployments();
  return deployments.find((each) => each.label === label)?.number ?? 0;
}

async function plansOf(rig: Rig): Promise<string[]> {
  const plans = await rig.data.plans("letter");
  return [...new Set(plans.map((stages) => stages.join(", ")))].sort();
}
