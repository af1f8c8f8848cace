import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { MAIL, type OpenData, promise, REPORT } from "../rig.ts";
import { CHILD_KIND, claimChildren, start, waitingParent } from "./support.ts";

const PLANS = { plans: [MAIL, REPORT, CHILD_KIND] };
const NONE = { open: 0, completed: 0, failed: 0, cancelled: 0, forgotten: 0 };

export function describeLinks(open: OpenData): void {
  describe("links", () => {
    promise(
      open,
      "give a job's calls with their jobs by state, and who waits for a job",
      async (rig) => {
        const parent = await waitingParent(rig, 3, { mode: "collect" });
        const owner = parent.lease.jobId;
        const [first, second] = (await claimChildren(rig, 2)) as [ClaimedJob, ClaimedJob];
        await rig.complete(first);
        await rig.kill(second);

        const { jobs, calls, owners } = await rig.store.links([owner, first.lease.jobId], { maxJobs: 10 });
        assert.deepEqual(
          jobs.map(({ jobId, kind, stage, standing }) => [jobId, kind, stage, standing]),
          [
            [owner, "mail", "running", "scheduled"],
            [first.lease.jobId, "child", "running", "completed"],
          ],
        );
        assert.equal(calls.length, 1);
        const [call] = calls;
        assert.deepEqual([call?.owner, call?.type, call?.name], [owner, "children", "parts"]);
        assert.deepEqual(call?.counts, { ...NONE, open: 1, completed: 1, failed: 1 });
        assert.deepEqual(
          call?.jobs?.map(({ key }) => key),
          ["c0", "c1", "c2"],
        );
        assert.deepEqual(owners, [
          { jobId: first.lease.jobId, owner, type: "children", name: "parts", key: keyOf(first) },
        ]);
      },
      PLANS,
    );

    promise(
      open,
      "list the jobs of the smallest calls only, within the limit",
      async (rig) => {
        const parent = await rig.running();
        await start(rig, parent, 4, { name: "many" });
        await start(rig, parent, 2, { name: "few" });
        const { calls } = await rig.store.links([parent.lease.jobId], { maxJobs: 5 });
        assert.deepEqual(
          calls.map(({ name, jobs, counts }) => [name, jobs?.length, counts.open]),
          [
            ["many", undefined, 4],
            ["few", 2, 2],
          ],
        );
      },
      PLANS,
    );

    promise(
      open,
      "count a detached job by its own state, also after it was deleted",
      async (rig) => {
        const parent = await rig.running();
        const wait = await rig.store.startChildren(parent.lease, {
          type: "submitted",
          name: "report",
          mode: "collect",
          jobs: [{ kind: "child", payload: "1" }],
          keys: ["a"],
        });
        assert.ok(wait !== "lease-lost");
        const counts = async () =>
          (await rig.store.links([parent.lease.jobId], { maxJobs: 5 })).calls.map((call) => call.counts);
        assert.deepEqual(await counts(), [{ ...NONE, open: 1 }]);
        const [detached] = (await claimChildren(rig, 1)) as [ClaimedJob];
        await rig.complete(detached);
        assert.deepEqual(await counts(), [{ ...NONE, completed: 1 }]);
        assert.deepEqual(await rig.store.forget([detached.lease.jobId]), ["done"]);
        assert.deepEqual(await counts(), [{ ...NONE, forgotten: 1 }]);
      },
      PLANS,
    );

    promise(
      open,
      "filter lists by the parent and by the batch, and name the batch of a member",
      async (rig) => {
        const parent = await waitingParent(rig, 3);
        await rig.submit({ kind: "child" });
        const filter = { parent: parent.lease.jobId };
        assert.equal(await rig.store.count(filter), 3);
        const [child] = (await claimChildren(rig, 1)) as [ClaimedJob];
        await rig.complete(child);
        assert.deepEqual(
          (await rig.store.list({ ...filter, standings: ["completed"] })).map(({ id }) => id),
          [child.lease.jobId],
        );
        assert.equal((await rig.store.listIds({ ...filter, beforeId: child.lease.jobId }, 5)).length, 0);
        assert.deepEqual(await rig.store.list({ parent: child.lease.jobId }), []);

        const batch = await rig.store.createBatch({ tenant: "default" });
        const other = await rig.store.createBatch({ tenant: "default" });
        const answer = await rig.store.addToBatch(batch, {
          tenant: "default",
          jobs: [
            { kind: "report", payload: "1" },
            { kind: "child", payload: "2" },
          ],
        });
        assert.ok(answer.type === "accepted");
        assert.deepEqual(
          (await rig.store.list({ batch })).map(({ id }) => id),
          answer.jobIds.toReversed(),
        );
        assert.deepEqual(
          (await rig.store.links(answer.jobIds, { maxJobs: 0 })).batches,
          answer.jobIds.map((jobId) => ({ jobId, batchId: batch })),
        );
        assert.deepEqual((await rig.store.links([parent.lease.jobId], { maxJobs: 0 })).batches, []);
        assert.equal(await rig.store.count({ batch, kind: "report" }), 1);
        assert.equal(await rig.store.count({ batch: other }), 0);
        assert.equal(await rig.store.count({ batch: "batch_unknown" }), 0);
      },
      PLANS,
    );

    promise(open, "of an unknown job are empty", async (rig) => {
      assert.deepEqual(await rig.store.links(["job_unknown"], { maxJobs: 5 }), {
        jobs: [],
        calls: [],
        owners: [],
        batches: [],
      });
    });
  });
}

/** A child's payload is its key. */
function keyOf({ payload }: ClaimedJob): string {
  return JSON.parse(payload) as string;
}
