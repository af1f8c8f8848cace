import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { FlowPlace } from "../../verbs/batches.ts";
import { MAIL, type OpenData, promise, REPORT, type Rig } from "../rig.ts";
import { CHILD_KIND, claimChildren } from "./support.ts";

const PLANS = { plans: [MAIL, REPORT, CHILD_KIND] };

/** Two jobs `a` and `b`, and `load` that waits for both. */
async function flow(rig: Rig, when: FlowPlace["when"] = "completed"): Promise<string[]> {
  const job = (kind: string) => ({ kind, payload: "1" });
  const answer = await rig.store.submitFlow({
    tenant: "default",
    jobs: [job("child"), job("child"), job("mail")],
    places: [
      { name: "a", after: [], when: "completed" },
      { name: "b", after: [], when: "completed" },
      { name: "load", after: [0, 1], when },
    ],
  });
  assert.ok(answer.type === "accepted");
  return answer.jobIds;
}

async function dependencies(rig: Rig, { lease }: ClaimedJob): Promise<string[]> {
  const ends = await rig.store.dependencies(lease, { results: true, maxBytes: 1_000 });
  assert.ok(ends !== "lease-lost");
  return ends.children.map(({ key, result, failure }) => `${key} ${result ?? failure?.code}`);
}

export function describeFlows(open: OpenData): void {
  describe("a flow", () => {
    promise(
      open,
      "runs a job when those before it have completed, and gives it their results by name",
      async (rig) => {
        const [, , load] = await flow(rig);
        assert.equal(await rig.standing(load as string), "scheduled");
        const [a, b] = await claimChildren(rig, 2);
        await rig.complete(b as ClaimedJob, '"b"');
        assert.deepEqual(await rig.claimIds(), []);
        await rig.complete(a as ClaimedJob, '"a"');
        const job = await rig.claimOne();
        assert.equal(job.lease.jobId, load);
        assert.deepEqual(await dependencies(rig, job), ['a "a"', 'b "b"']);
        await rig.complete(job);
      },
      PLANS,
    );

    promise(
      open,
      "waits while a dependency is a dead letter, and goes on when that is revived",
      async (rig) => {
        await flow(rig);
        const [a, b] = await claimChildren(rig, 2);
        await rig.complete(b as ClaimedJob, '"b"');
        await rig.kill(a as ClaimedJob);
        assert.deepEqual(await rig.claimIds(), []);
        await rig.store.revive(a?.lease.jobId as string, { from: "failed-stage" });
        const [again] = await claimChildren(rig, 1);
        await rig.complete(again as ClaimedJob, '"again"');
        const job = await rig.claimOne();
        assert.deepEqual(await dependencies(rig, job), ['a "again"', 'b "b"']);
        await rig.complete(job);
      },
      PLANS,
    );

    for (const how of ["cancelled", "forgotten"] as const) {
      promise(
        open,
        `cancels a job when a dependency is ${how}`,
        async (rig) => {
          const [, , load] = await flow(rig);
          const [a] = await claimChildren(rig, 2);
          const id = a?.lease.jobId as string;
          if (how === "cancelled") await rig.store.cancel([id], "No.");
          else {
            await rig.kill(a as ClaimedJob);
            await rig.store.forget([id]);
          }
          await rig.store.beat();
          assert.equal(await rig.standing(load as string), "cancelled");
        },
        PLANS,
      );
    }

    promise(
      open,
      'runs a job with "ended" however those before it ended',
      async (rig) => {
        await flow(rig, "ended");
        const [a, b] = await claimChildren(rig, 2);
        await rig.kill(a as ClaimedJob);
        await rig.store.cancel([b?.lease.jobId as string], "No.");
        const job = await rig.claimOne();
        assert.deepEqual(await dependencies(rig, job), ["a broken", "b cancelled"]);
        await rig.complete(job);
      },
      PLANS,
    );

    promise(
      open,
      "is stored whole or not at all",
      async (rig) => {
        const answer = await rig.store.submitFlow({
          tenant: "default",
          jobs: [
            { kind: "child", payload: "1" },
            { kind: "unknown", payload: "1" },
          ],
          places: [
            { name: "a", after: [], when: "completed" },
            { name: "b", after: [0], when: "completed" },
          ],
        });
        assert.equal(answer.type, "refused");
        assert.equal(await rig.store.count({}), 0);
      },
      PLANS,
    );
  });
}
