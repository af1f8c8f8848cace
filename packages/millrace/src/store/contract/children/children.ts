import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { HOUR_MS, MAIL, type OpenData, planOf, promise, REPORT } from "../rig.ts";
import { DAY_MS } from "../waits/support.ts";
import { CHILD_KIND, claimChildren, completeAll, endsOf, endWords, start, suspend, waitingParent } from "./support.ts";

const FLEETING = planOf("fleeting", ["running"], { retention: { finishedMs: "none", deadLetterMs: HOUR_MS } });
const PLANS = { plans: [MAIL, REPORT, CHILD_KIND, FLEETING] };

export function describeChildren(open: OpenData): void {
  describe("a job with children", () => {
    promise(
      open,
      "waits for all of them, holds nothing meanwhile, and gets their results in its order",
      async (rig) => {
        const parent = await waitingParent(rig, 3);
        assert.equal(await rig.standing(parent.lease.jobId), "scheduled");
        const children = await claimChildren(rig, 5);
        assert.deepEqual(
          children.map(({ payload }) => payload),
          ['"c0"', '"c1"', '"c2"'],
        );
        await completeAll(rig, children.slice(1).reverse());
        assert.deepEqual(await rig.claimIds(), [], "one child runs yet");
        await completeAll(rig, children.slice(0, 1));
        const again = await rig.claimOne();
        assert.equal(again.lease.jobId, parent.lease.jobId);
        assert.deepEqual(endWords(await endsOf(rig, again)), [
          'c0 completed "c0"',
          'c1 completed "c1"',
          'c2 completed "c2"',
        ]);
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      "never submits a child twice: a stored list is used again, also after a crash",
      async (rig) => {
        const parent = await rig.running();
        await start(rig, parent, 2);
        await start(rig, parent, 2);
        await rig.crash(parent);
        const again = await rig.claimOne();
        assert.equal(again.workflow?.hasWaits, true);
        const wait = await start(rig, again, 5);
        assert.equal(wait.state, "open");
        assert.equal(await rig.store.count({ kind: "child" }), 2);
        await suspend(rig, again);
        await completeAll(rig, await claimChildren(rig, 5));
        assert.equal((await rig.claimOne()).lease.jobId, parent.lease.jobId);
      },
      PLANS,
    );

    promise(
      open,
      "starts none with a stale lease",
      async (rig) => {
        const parent = await rig.running();
        await rig.store.cancel([parent.lease.jobId], "No.");
        const answer = await rig.store.startChildren(parent.lease, {
          type: "children",
          name: "parts",
          mode: "fail",
          jobs: [{ kind: "child", payload: "1" }],
          keys: ["a"],
        });
        assert.equal(answer, "lease-lost");
        assert.equal(await rig.store.count({ kind: "child" }), 0);
      },
      PLANS,
    );

    promise(
      open,
      "that end while it runs is ready at once when it waits",
      async (rig) => {
        const parent = await rig.running();
        await start(rig, parent, 1);
        await completeAll(rig, await claimChildren(rig, 1));
        const settled = await rig.settle(parent, { type: "waiting", waits: [{ type: "children", name: "parts" }] });
        assert.equal(settled.written === "written" && settled.standing, "ready");
      },
      PLANS,
    );

    promise(
      open,
      "is over at once without any child",
      async (rig) => {
        const parent = await rig.running();
        assert.equal((await start(rig, parent, 0)).state, "answered");
        assert.deepEqual((await endsOf(rig, parent)).children, []);
        await rig.complete(parent);
      },
      PLANS,
    );

    promise(
      open,
      "fails at the first failure, which stays the same, and its other children are cancelled",
      async (rig) => {
        const parent = await waitingParent(rig, 3);
        const [first, second] = await claimChildren(rig, 2);
        await rig.kill(first as ClaimedJob);
        const again = await rig.claimOne();
        const { failed } = await endsOf(rig, again);
        assert.deepEqual([failed?.jobId, failed?.failure?.code], [first?.lease.jobId, "broken"]);
        await rig.store.beat();
        assert.equal(await rig.standing(second?.lease.jobId as string), "cancelled");
        assert.deepEqual(await rig.complete(second as ClaimedJob), { written: "lease-lost" });
        const ends = await endsOf(rig, again);
        assert.deepEqual(endWords(ends), ["c0 failed broken", "c1 cancelled cancelled", "c2 cancelled cancelled"]);
        assert.equal(ends.failed?.jobId, first?.lease.jobId);
        assert.equal(again.lease.jobId, parent.lease.jobId);
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      'gets all ends with "collect", and a retried child does not count as failed',
      async (rig) => {
        await waitingParent(rig, 2, { mode: "collect" });
        const [first, second] = await claimChildren(rig, 2);
        await rig.kill(first as ClaimedJob);
        await rig.fail(second as ClaimedJob);
        assert.deepEqual(await rig.claimIds(), []);
        rig.clock.advance(DAY_MS);
        await completeAll(rig, await claimChildren(rig, 1));
        const again = await rig.claimOne();
        assert.deepEqual(endWords(await endsOf(rig, again)), ["c0 failed broken", 'c1 completed "c1"']);
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      'waits with "wait" until a failed child is revived and completes',
      async (rig) => {
        const parent = await waitingParent(rig, 1, { mode: "wait" });
        const [child] = await claimChildren(rig, 1);
        await rig.kill(child as ClaimedJob);
        assert.deepEqual(await rig.claimIds(), []);
        const revived = await rig.store.revive(child?.lease.jobId as string, { from: "failed-stage" });
        assert.ok(typeof revived === "object" && "revived" in revived);
        await completeAll(rig, await claimChildren(rig, 1));
        const again = await rig.claimOne();
        assert.equal(again.lease.jobId, parent.lease.jobId);
        const { children } = await endsOf(rig, again);
        assert.deepEqual([children[0]?.jobId, children[0]?.result], [revived.revived, '"c0"']);
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      'waits with "wait" until a failed child is forgotten, which is a failure',
      async (rig) => {
        await waitingParent(rig, 1, { mode: "wait" });
        const [child] = await claimChildren(rig, 1);
        await rig.kill(child as ClaimedJob);
        assert.deepEqual(await rig.store.forget([child?.lease.jobId as string]), ["done"]);
        const again = await rig.claimOne();
        const { failed } = await endsOf(rig, again);
        assert.deepEqual([failed?.jobId, failed?.failure?.code], [child?.lease.jobId, "forgotten"]);
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      "changes nothing that was answered: a child revived later stands beside",
      async (rig) => {
        await waitingParent(rig, 1, { mode: "collect" });
        const [child] = await claimChildren(rig, 1);
        await rig.kill(child as ClaimedJob);
        const again = await rig.claimOne();
        await rig.store.revive(child?.lease.jobId as string, { from: "failed-stage" });
        await completeAll(rig, await claimChildren(rig, 1));
        assert.deepEqual(endWords(await endsOf(rig, again)), ["c0 failed broken"]);
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      "starts children where the queue, the rate and the tenant have no room, and they count",
      async (rig) => {
        const parent = await rig.running();
        await start(rig, parent, 3);
        assert.equal(await rig.store.count({ kind: "child" }), 3);
        const answer = await rig.offer({ kind: "child" });
        assert.ok(answer.type === "refused");
      },
      { ...PLANS, limits: { queueMax: 2, maxNewJobsPerMinute: 2, maxConcurrentPerTenant: 1 } },
    );

    promise(
      open,
      "is bounded in depth, breadth and total",
      async (rig) => {
        const parent = await rig.running();
        await assert.rejects(start(rig, parent, 4), { code: "child-limit" });
        await start(rig, parent, 3);
        await assert.rejects(start(rig, parent, 1, { name: "more" }), /4 children; the limit is 3/);
        const [child] = await claimChildren(rig, 1);
        await start(rig, child as ClaimedJob, 1);
        await assert.rejects(start(rig, child as ClaimedJob, 2, { name: "more" }), /6 jobs; the limit is 5/);
        const grandchild = (await claimChildren(rig, 9)).find(({ payload }) => payload === '"c0"');
        await assert.rejects(start(rig, grandchild as ClaimedJob, 1), /3 ancestors; the limit is 2/);
        assert.equal(await rig.store.count({ kind: "child" }), 4);
      },
      { ...PLANS, limits: { maxChildDepth: 2, maxChildren: 3, maxTreeJobs: 5 } },
    );

    promise(
      open,
      "keeps their results until it has ended, also of kinds kept for no time",
      async (rig) => {
        await waitingParent(rig, 2, { kind: "fleeting" });
        await completeAll(rig, await rig.claim(2, { kind: "fleeting", stage: "running" }));
        rig.clock.advance(30 * DAY_MS);
        await rig.store.prune({ limit: 100 });
        const again = await rig.claimOne();
        assert.deepEqual(endWords(await endsOf(rig, again)), ['c0 completed "c0"', 'c1 completed "c1"']);
        const [child] = (await endsOf(rig, again)).children;
        const [refusal] = await rig.store.forget([child?.jobId as string]);
        assert.match((refusal as { conflict: string }).conflict, /has not ended and needs the result/);
        await rig.complete(again);
        await rig.store.prune({ limit: 100 });
        assert.equal(await rig.store.count({ kind: "fleeting" }), 0);
      },
      PLANS,
    );

    promise(
      open,
      "gets no results above the bound, but ids and states",
      async (rig) => {
        await waitingParent(rig, 2);
        for (const job of await claimChildren(rig, 2)) await rig.complete(job, JSON.stringify("x".repeat(3_000)));
        const { lease } = await rig.claimOne();
        const wait = { type: "children", name: "parts" } as const;
        const ends = await rig.store.childEnds(lease, wait, { results: true, maxBytes: 5_000 });
        assert.ok(ends !== "lease-lost" && ends.tooLarge === 6_004);
        const ids = await rig.store.childEnds(lease, wait, { results: false, maxBytes: 5_000 });
        assert.deepEqual(ids !== "lease-lost" && endWords(ids), ["c0 completed", "c1 completed"]);
        const all = await rig.store.childEnds(lease, wait, { results: true, maxBytes: 10_000 });
        assert.equal(all !== "lease-lost" && all.children[1]?.result?.length, 3_002);
        await rig.complete({ lease });
      },
      PLANS,
    );

    promise(
      open,
      "wakes only once, however its last children end",
      async (rig) => {
        const parent = await waitingParent(rig, 2);
        const children = await claimChildren(rig, 2);
        await Promise.all(children.map((child) => rig.complete(child, child.payload)));
        assert.deepEqual(await rig.claimIds(5), [parent.lease.jobId]);
      },
      PLANS,
    );

    promise(
      open,
      "hears of a child whose process died for good",
      async (rig) => {
        await waitingParent(rig, 1);
        for (let i = 0; i < 9; i++) {
          const dying = await rig.another();
          const [child] = await claimChildren(rig, 1, dying);
          if (!child) break;
          await rig.outlive();
        }
        const again = await rig.claimOne();
        const { failed } = await endsOf(rig, again);
        assert.equal(failed?.failure?.code, "crashed");
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      "has children that processes of an older release leave alone",
      async (rig) => {
        const parent = await waitingParent(rig, 1);
        const [child] = await rig.store.list({ kind: "child" });
        assert.equal((await rig.store.circumstances(child?.id as string))?.needs, 2);
        assert.equal((await rig.store.circumstances(parent.lease.jobId))?.needs, 2);
      },
      PLANS,
    );
  });
}
