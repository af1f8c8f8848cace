import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { MAIL, type OpenData, promise, REPORT } from "../rig.ts";
import { CHILD_KIND, claimChildren, completeAll, endsOf, endWords, start, suspend, waitingParent } from "./support.ts";

const PLANS = { plans: [MAIL, REPORT, CHILD_KIND] };

export function describeFamily(open: OpenData): void {
  describe("a job that ends before its children", () => {
    promise(
      open,
      "takes its children along when it is cancelled, down the tree",
      async (rig) => {
        const parent = await waitingParent(rig, 2);
        const [child, other] = await claimChildren(rig, 2);
        await start(rig, child as ClaimedJob, 2, { name: "deeper" });
        await suspend(rig, child as ClaimedJob, "deeper");
        assert.deepEqual(await rig.store.cancel([parent.lease.jobId], "No."), ["done"]);
        await rig.store.beat();
        assert.equal(await rig.store.count({ standings: ["cancelled"] }), 5);
        assert.deepEqual(await rig.complete(other as ClaimedJob), { written: "lease-lost" });
        assert.deepEqual(await claimChildren(rig, 5), []);
      },
      PLANS,
    );

    promise(
      open,
      "takes its children along when it fails, but none that it only submitted",
      async (rig) => {
        const parent = await rig.running();
        await start(rig, parent, 1);
        const detached = await rig.store.startChildren(parent.lease, {
          type: "submitted",
          name: "report",
          mode: "collect",
          jobs: [{ kind: "report", payload: "1" }],
          keys: ["a"],
        });
        assert.ok(detached !== "lease-lost" && detached.state === "answered");
        const [reportId] = JSON.parse(detached.value ?? "[]") as string[];
        await rig.kill(parent);
        await rig.store.beat();
        assert.equal(await rig.store.count({ kind: "child", standings: ["cancelled"] }), 1);
        assert.equal(await rig.standing(reportId as string), "ready");
      },
      PLANS,
    );

    promise(
      open,
      "does not cancel a job that it only joined by its unique key",
      async (rig) => {
        const existing = await rig.submit({ kind: "child", uniqueKey: "k", payload: '"k"' });
        const parent = await waitingParent(rig, 1, { job: { uniqueKey: "k", ifUnique: "join" } });
        assert.equal(await rig.store.count({ kind: "child" }), 1);
        await rig.store.cancel([parent.lease.jobId], "No.");
        await rig.store.beat();
        assert.equal(await rig.standing(existing), "ready");
      },
      PLANS,
    );

    promise(
      open,
      "waits for a job that it joined, whether that waits or runs",
      async (rig) => {
        const existing = await rig.submit({ kind: "child", uniqueKey: "k", payload: '"k"' });
        const [running] = await claimChildren(rig, 1);
        const parent = await waitingParent(rig, 1, { job: { uniqueKey: "k", ifUnique: "join" } });
        await rig.complete(running as ClaimedJob, '"done"');
        const again = await rig.claimOne();
        assert.equal(again.lease.jobId, parent.lease.jobId);
        const { children } = await endsOf(rig, again);
        assert.deepEqual([children[0]?.jobId, children[0]?.result], [existing, '"done"']);
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      "cannot join an ancestor, because each would wait for the other",
      async (rig) => {
        const parent = await rig.running({ uniqueKey: "k" });
        const join = { kind: "mail", job: { uniqueKey: "k", ifUnique: "join" as const } };
        await assert.rejects(start(rig, parent, 1, join), { code: "child-is-ancestor" });
        await start(rig, parent, 1);
        const [child] = await claimChildren(rig, 1);
        await assert.rejects(start(rig, child as ClaimedJob, 1, join), { code: "child-is-ancestor" });
        assert.equal(await rig.store.count({}), 2);
      },
      PLANS,
    );

    promise(
      open,
      "revived from the failed stage takes them along and revives those that failed",
      async (rig) => {
        const parent = await waitingParent(rig, 3);
        const [good, bad] = await claimChildren(rig, 2);
        await rig.complete(good as ClaimedJob, '"good"');
        await rig.kill(bad as ClaimedJob);
        await rig.kill(await rig.claimOne());
        await rig.store.beat();
        const revived = await rig.store.revive(parent.lease.jobId, { from: "failed-stage" });
        assert.ok(typeof revived === "object" && "revived" in revived);
        const again = await rig.claimOne();
        assert.equal((await start(rig, again, 3)).state, "open", "the list is stored and its failure forgotten");
        await suspend(rig, again);
        const children = await claimChildren(rig, 9);
        assert.deepEqual(children.map(({ payload }) => payload).sort(), ['"c1"', '"c2"']);
        await completeAll(rig, children);
        const last = await rig.claimOne();
        assert.equal(last.lease.jobId, revived.revived);
        assert.deepEqual(endWords(await endsOf(rig, last)), [
          'c0 completed "good"',
          'c1 completed "c1"',
          'c2 completed "c2"',
        ]);
        await rig.complete(last);
      },
      PLANS,
    );

    promise(
      open,
      "revived from the start takes none of them along",
      async (rig) => {
        const parent = await waitingParent(rig, 1);
        await rig.store.cancel([parent.lease.jobId], "No.");
        await rig.store.beat();
        await rig.store.revive(parent.lease.jobId, { from: "start" });
        const again = await rig.claimOne();
        assert.equal(again.workflow?.hasWaits, undefined);
        await start(rig, again, 1);
        assert.equal(await rig.store.count({ kind: "child", standings: ["ready"] }), 1);
      },
      PLANS,
    );
  });
}
