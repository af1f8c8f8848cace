import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { StoredBatch } from "../../verbs/batches.ts";
import type { NewJob } from "../../verbs/submission.ts";
import { MAIL, type OpenData, promise, REPORT, type Rig } from "../rig.ts";
import { DAY_MS } from "../waits/support.ts";
import { CHILD_KIND, claimChildren, completeAll } from "./support.ts";

const PLANS = { plans: [MAIL, REPORT, CHILD_KIND] };
const REPORT_JOB: NewJob = { kind: "mail", payload: '"report"' };

function openBatch(rig: Rig, onEnd: NewJob | undefined = REPORT_JOB): Promise<string> {
  return rig.store.createBatch({ tenant: "default", ...(onEnd && { onEnd }) });
}

async function add(rig: Rig, batchId: string, count: number, key?: string): Promise<string> {
  const jobs = Array.from({ length: count }, (_, i) => ({ kind: "child", payload: String(i) }));
  const answer = await rig.store.addToBatch(batchId, {
    tenant: "default",
    jobs,
    ...(key !== undefined && { idempotency: { key, fingerprint: "f" } }),
  });
  return answer.type;
}

async function found(rig: Rig, batchId: string): Promise<StoredBatch> {
  const batch = await rig.store.findBatch(batchId);
  assert.ok(batch);
  return batch;
}

export function describeBatches(open: OpenData): void {
  describe("a batch", () => {
    promise(
      open,
      "submits its callback once, when it is sealed and all members have ended, however they ended",
      async (rig) => {
        const batchId = await openBatch(rig);
        assert.equal(await add(rig, batchId, 2), "accepted");
        const [first, second] = await claimChildren(rig, 2);
        await rig.kill(first as ClaimedJob);
        await rig.complete(second as ClaimedJob);
        assert.deepEqual(await rig.claimIds(), [], "it is not sealed");
        assert.equal(await add(rig, batchId, 1), "accepted");
        assert.equal(await rig.store.sealBatch(batchId), "done");
        assert.equal(await add(rig, batchId, 1), "conflict");
        const [third] = await rig.store.list({ kind: "child", standings: ["ready"] });
        await rig.store.cancel([third?.id as string], "No.");
        const callback = await rig.claimOne();
        const counts = { total: 3, completed: 1, failed: 1, cancelled: 1 };
        assert.deepEqual(callback.workflow?.batch, { id: batchId, ...counts });
        const batch = await found(rig, batchId);
        assert.deepEqual([batch.counts, batch.callback], [counts, callback.lease.jobId]);
        assert.ok(batch.endedAt !== undefined && batch.sealedAt !== undefined);
        await rig.complete(callback);
      },
      PLANS,
    );

    promise(
      open,
      "ends at once when it is sealed empty, and a second seal changes nothing",
      async (rig) => {
        const batchId = await openBatch(rig);
        await rig.store.sealBatch(batchId);
        await rig.store.sealBatch(batchId);
        const callback = await rig.claimOne();
        assert.equal(callback.workflow?.batch?.total, 0);
        assert.deepEqual(await rig.claimIds(), []);
        await rig.complete(callback);
      },
      PLANS,
    );

    promise(
      open,
      "counts a member that is retried later, and does not repeat its callback",
      async (rig) => {
        const batchId = await openBatch(rig);
        await add(rig, batchId, 1);
        await rig.store.sealBatch(batchId);
        const [member] = await claimChildren(rig, 1);
        await rig.kill(member as ClaimedJob);
        await rig.complete(await rig.claimOne());
        assert.deepEqual(await rig.store.failedMembers(batchId, 10), [member?.lease.jobId]);
        await rig.store.revive(member?.lease.jobId as string, { from: "failed-stage" });
        assert.deepEqual((await found(rig, batchId)).counts, { total: 1, completed: 0, failed: 0, cancelled: 0 });
        await completeAll(rig, await claimChildren(rig, 1));
        assert.deepEqual((await found(rig, batchId)).counts, { total: 1, completed: 1, failed: 0, cancelled: 0 });
        assert.deepEqual(await rig.claimIds(), []);
      },
      PLANS,
    );

    promise(
      open,
      "adds nothing twice under the same key, and is subject to limits",
      async (rig) => {
        const batchId = await openBatch(rig, undefined);
        assert.equal(await add(rig, batchId, 2, "piece"), "accepted");
        assert.equal(await add(rig, batchId, 2, "piece"), "replayed");
        assert.equal(await add(rig, batchId, 2), "refused");
        assert.equal((await found(rig, batchId)).counts.total, 2);
        assert.equal(await add(rig, "batch_00000000", 1), "not-found");
      },
      { ...PLANS, limits: { queueMax: 3 } },
    );

    promise(
      open,
      "cancels its members, and ends then",
      async (rig) => {
        const batchId = await openBatch(rig);
        await add(rig, batchId, 3);
        const [running] = await claimChildren(rig, 1);
        assert.equal(await rig.store.cancelBatch(batchId), "done");
        await rig.store.beat();
        assert.deepEqual(await rig.complete(running as ClaimedJob), { written: "lease-lost" });
        const callback = await rig.claimOne();
        assert.equal(callback.workflow?.batch?.cancelled, 3);
        await rig.complete(callback);
        assert.ok(typeof (await rig.store.cancelBatch(batchId)) === "object");
      },
      PLANS,
    );

    promise(
      open,
      "is deleted a week after its end, while an open one stays",
      async (rig) => {
        const open = await openBatch(rig, undefined);
        const ended = await openBatch(rig, undefined);
        await add(rig, ended, 3);
        await add(rig, open, 1);
        await rig.store.cancelBatch(ended);
        rig.clock.advance(8 * DAY_MS);
        while ((await rig.store.prune({ limit: 2 })).more);
        assert.equal(await rig.store.findBatch(ended), undefined);
        assert.equal((await found(rig, open)).counts.total, 1);
      },
      PLANS,
    );

    promise(
      open,
      "is listed, newest first, and those never sealed can be found",
      async (rig) => {
        const first = await openBatch(rig, undefined);
        rig.clock.advance(1_000);
        const second = await openBatch(rig, undefined);
        await rig.store.sealBatch(second);
        const ids = async (more: object) => (await rig.store.batches({ limit: 10, ...more })).map(({ id }) => id);
        assert.deepEqual(await ids({}), [second, first]);
        assert.deepEqual(await ids({ beforeId: second }), [first]);
        assert.deepEqual(await ids({ unsealedBefore: rig.clock.now() }), [first]);
        assert.deepEqual(await ids({ tenant: "other" }), []);
      },
      PLANS,
    );

    promise(
      open,
      "is refused above the limit of open ones, and an ended one makes room",
      async (rig) => {
        const first = await rig.store.createBatch({ tenant: "default" });
        await assert.rejects(rig.store.createBatch({ tenant: "default" }), { code: "too-many-batches" });
        await rig.store.createBatch({ tenant: "other" });
        assert.equal(await rig.store.sealBatch(first), "done");
        assert.ok((await found(rig, first)).endedAt);
        await rig.store.createBatch({ tenant: "default" });
      },
      { limits: { maxOpenBatchesPerTenant: 1 } },
    );
  });
}
