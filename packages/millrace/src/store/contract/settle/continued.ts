import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { Outcome } from "../../../job/lifecycle.ts";
import { CHILD_KIND, claimChildren, endsOf, endWords, suspend, waitingParent } from "../children/support.ts";
import { HOUR_MS, large, MAIL, type OpenData, planOf, promise, REPORT, type Rig } from "../rig.ts";
import { send, signalNamed, stored, wordsOf } from "../waits/support.ts";

const PLANS = { plans: [MAIL, REPORT, CHILD_KIND] };
const FORGETFUL = planOf("mail", ["running"], { retention: { finishedMs: "none", deadLetterMs: HOUR_MS } });

function continued(payload: unknown = "again"): Outcome {
  return { type: "continued", payload: JSON.stringify(payload) };
}

/** Ends the job and gives the id of its successor. */
async function goOn(rig: Rig, job: ClaimedJob, payload?: unknown): Promise<string> {
  const answer = await rig.settle(job, continued(payload));
  assert.ok(answer.written === "written" && answer.successor !== undefined, JSON.stringify(answer));
  assert.equal(answer.standing, "completed");
  return answer.successor;
}

/** Ends the job, and claims its successor. */
async function claimNext(rig: Rig, job: ClaimedJob, claim: () => Promise<ClaimedJob[]> = () => rig.claim(1)) {
  const successor = await goOn(rig, job);
  const [next] = await claim();
  assert.equal(next?.lease.jobId, successor);
  return next as ClaimedJob;
}

/** PostgreSQL cancels children after the commit that cancels their parent. */
async function untilNoChildIsLive(rig: Rig): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const live = await rig.store.count({
      kind: "child",
      standings: ["scheduled", "ready", "suspect", "held", "running"],
    });
    if (live === 0) return;
    await rig.store.beat();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail("a child outlived its parent");
}

export function describeContinued(open: OpenData): void {
  describe("a job that continues as new", () => {
    promise(open, "completes, and its successor with the same options is stored in the same commit", async (rig) => {
      const options = { tenant: "acme", priority: 3, tags: ["a"], maxAttempts: 7, deadlineMs: HOUR_MS };
      const job = await rig.running(options);
      rig.clock.advance(60_000);
      const successor = await goOn(rig, job, { turn: 2 });
      const [old, next] = [await rig.find(job.lease.jobId), await rig.find(successor)];
      assert.deepEqual([old.standing, old.result, old.continuedAs], ["completed", "null", successor]);
      assert.deepEqual([next.continuationOf, next.retryOf, old.retriedAs], [old.id, undefined, undefined]);
      assert.deepEqual([next.payload, next.tenant, next.standing], ['{"turn":2}', "acme", "ready"]);
      assert.deepEqual([next.priority, next.tags, next.maxAttempts], [3, ["a"], 7]);
      assert.equal(next.deadlineAt, rig.clock.now() + HOUR_MS, "its deadline starts again");
      assert.deepEqual(await rig.claimIds(5), [successor]);
    });

    promise(open, "has no successor if its lease is lost, and one only if it is settled twice", async (rig) => {
      const lost = await rig.running();
      await rig.store.cancel([lost.lease.jobId], "No.");
      assert.deepEqual(await rig.settle(lost, continued()), { written: "lease-lost" });
      const job = await rig.running();
      const [first, second] = await Promise.all([rig.settle(job, continued()), rig.settle(job, continued())]);
      assert.deepEqual(
        [first, second].map(({ written }) => written),
        ["written", "lease-lost"],
      );
      assert.equal(await rig.store.count({}), 3);
    });

    promise(open, "has no successor if it was cancelled while a step ran: it undoes its steps", async (rig) => {
      const job = await rig.running();
      await rig.store.beginUndoable(job.lease);
      await rig.store.saveStep(job.lease, "charge", "1", { undo: "refund" });
      await rig.store.cancel([job.lease.jobId], "No.");
      const answer = await rig.settle(job, continued());
      assert.ok(answer.written === "written" && answer.successor === undefined, JSON.stringify(answer));
      const again = await rig.claimOne();
      assert.equal(again.workflow?.undoing, "cancelled");
      await rig.store.saveStep(again.lease, "undo:charge", "null");
      await rig.settle(again, { type: "undone" });
      assert.equal(await rig.standing(job.lease.jobId), "cancelled");
      assert.equal(await rig.store.count({}), 1);
    });

    promise(open, "drops its undos, for it has completed", async (rig) => {
      const job = await rig.running();
      await rig.store.beginUndoable(job.lease);
      await rig.store.saveStep(job.lease, "charge", "1", { undo: "refund" });
      const next = await claimNext(rig, job);
      await rig.kill(next);
      assert.equal(await rig.standing(next.lease.jobId), "failed");
      assert.deepEqual(await rig.claimIds(), []);
    });

    promise(open, "starts at the first stage with nothing stored, from whichever stage", async (rig) => {
      const job = await rig.running({ kind: "report" });
      await rig.store.saveStep(job.lease, "sum", "1");
      await rig.complete(job, '"form"');
      const successor = await goOn(rig, await rig.claimOne({ kind: "report", stage: "form" }), large("a"));
      const next = await rig.claimOne({ kind: "report" });
      assert.deepEqual([next.lease.jobId, next.input, next.attempt], [successor, undefined, 1]);
      assert.equal(next.payload, JSON.stringify(large("a")));
      assert.deepEqual(await rig.store.storedSteps(next.lease), []);
      await rig.complete(next);
    });

    promise(open, "keeps its unique key without a gap, also while others try to take it", async (rig) => {
      const other = await rig.another();
      let job = await rig.running({ uniqueKey: "tenant-1" });
      for (let turn = 0; turn < 5; turn++) {
        const tries = Array.from({ length: 4 }, () => rig.offer({ uniqueKey: "tenant-1" }, other));
        const [next, ...answers] = await Promise.all([claimNext(rig, job), ...tries]);
        for (const answer of answers) assert.equal(answer.type, "refused", JSON.stringify(answer));
        job = next;
      }
      const refused = await rig.offer({ uniqueKey: "tenant-1" });
      assert.ok(refused.type === "refused" && refused.jobId === job.lease.jobId, JSON.stringify(refused));
      await rig.complete(job);
      assert.equal((await rig.offer({ uniqueKey: "tenant-1" })).type, "accepted");
    });

    promise(open, "hands over unread signals, each once and in order", async (rig) => {
      const job = await rig.running({ uniqueKey: "cart" });
      const { jobId } = job.lease;
      for (const n of [1, 2, 3]) await send(rig, jobId, "item", n);
      await rig.settle(job, { type: "waiting", waits: [signalNamed("item")] });
      const again = await rig.claimOne();
      assert.deepEqual((await stored(rig, again)).map(wordsOf), ["signal item answered 1"]);
      const next = await claimNext(rig, again);
      assert.equal(await send(rig, next.lease.jobId, "item", 4), "kept");
      let last = next;
      for (const [i, name] of ["item", "item#2", "item#3"].entries()) {
        await rig.settle(last, { type: "waiting", waits: [signalNamed(name)] });
        last = await rig.claimOne();
        assert.equal((await stored(rig, last))[i]?.value, String(i + 2));
      }
      const state = async (id: string) => (await rig.store.signals(id)).map(({ value, state }) => `${value} ${state}`);
      assert.deepEqual(await state(jobId), ["1 taken"]);
      assert.deepEqual(await state(last.lease.jobId), ["2 taken", "3 taken", "4 taken"]);
      assert.equal(await send(rig, jobId, "item", 5), "finished");
      const target = { kind: "mail", tenant: "default", uniqueKey: "cart" };
      const kept = await rig.store.signal({ target, name: "item", value: "5" });
      assert.ok(kept.type === "kept" && kept.jobId === last.lease.jobId);
    });

    promise(open, "recognises a repeated signal after it was taken before the border", async (rig) => {
      const job = await rig.running({ uniqueKey: "cart" });
      const { jobId } = job.lease;
      const sent = { name: "item", value: "1", key: "webhook-1" };
      await rig.store.signal({ target: { jobId }, ...sent });
      await rig.settle(job, { type: "waiting", waits: [signalNamed("item")] });
      const next = await claimNext(rig, await rig.claimOne());
      for (const target of [{ jobId }, { jobId: next.lease.jobId }]) {
        const answer = await rig.store.signal({ target, ...sent });
        assert.ok(answer.type === "kept" && answer.repeated, JSON.stringify(answer));
      }
    });

    promise(
      open,
      "is followed by its parent, which gets the result of the last successor",
      async (rig) => {
        const parent = await waitingParent(rig, 2);
        const [a, b] = (await claimChildren(rig, 2)) as [ClaimedJob, ClaimedJob];
        await rig.complete(b, '"b"');
        const next = await claimNext(rig, a, () => claimChildren(rig, 1));
        const last = await claimNext(rig, next, () => claimChildren(rig, 1));
        assert.deepEqual(await rig.claimIds(), [], "the parent waits on");
        await rig.complete(last, '"last"');
        const again = await rig.claimOne();
        assert.equal(again.lease.jobId, parent.lease.jobId);
        assert.deepEqual(endWords(await endsOf(rig, again)), ['c0 completed "last"', 'c1 completed "b"']);
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      "is cancelled as its successor when its parent fails",
      async (rig) => {
        const parent = await waitingParent(rig, 1);
        const [child] = (await claimChildren(rig, 1)) as [ClaimedJob];
        const successor = await goOn(rig, child);
        await rig.store.cancel([parent.lease.jobId], "No.");
        assert.equal(await rig.standing(successor), "cancelled");
      },
      PLANS,
    );

    promise(
      open,
      "leaves no job behind that its parent's cancellation in the same moment should have ended",
      async (rig) => {
        const other = await rig.another();
        for (let round = 0; round < 10; round++) {
          const parent = await waitingParent(rig, 1);
          const [child] = (await claimChildren(rig, 1)) as [ClaimedJob];
          const cancel = other.cancel([parent.lease.jobId], "No.");
          await Promise.all([cancel, rig.settle(child, continued())]);
          await untilNoChildIsLive(rig);
        }
      },
      PLANS,
    );

    promise(
      open,
      "as a parent leaves its running children to themselves, as a job that completes does",
      async (rig) => {
        const parent = await waitingParent(rig, 1, { mode: "collect" });
        await rig.store.wakeLate(parent.lease, "ctx.step");
        const again = await rig.claimOne();
        const next = await claimNext(rig, again);
        const [child] = (await claimChildren(rig, 1)) as [ClaimedJob];
        await rig.complete(child);
        assert.deepEqual(await rig.store.resume(next.lease), []);
        await rig.complete(next);
      },
      PLANS,
    );

    promise(
      open,
      "is joined by other parents under its unique key, as its successor",
      async (rig) => {
        const [child] = await Promise.all([rig.submit({ kind: "child", uniqueKey: "shared" })]);
        const [held] = (await claimChildren(rig, 1)) as [ClaimedJob];
        assert.equal(held.lease.jobId, child);
        const parent = await rig.running();
        const job = { uniqueKey: "shared", ifUnique: "join" as const };
        const starts = rig.store.startChildren(parent.lease, {
          type: "children",
          name: "parts",
          mode: "fail",
          jobs: [{ kind: "child", payload: "1", ...job }],
          keys: ["c0"],
        });
        const [successor] = await Promise.all([goOn(rig, held), starts]);
        await suspend(rig, parent);
        const [next] = (await claimChildren(rig, 1)) as [ClaimedJob];
        assert.equal(next.lease.jobId, successor);
        await rig.complete(next, '"late"');
        assert.deepEqual(endWords(await endsOf(rig, await rig.claimOne())), ['c0 completed "late"']);
      },
      PLANS,
    );

    promise(
      open,
      "keeps its batch open until the last successor has ended, and counts once",
      async (rig) => {
        const onEnd = { kind: "mail", payload: '"report"' };
        const batchId = await rig.store.createBatch({ tenant: "default", onEnd });
        await rig.store.addToBatch(batchId, { tenant: "default", jobs: [{ kind: "child", payload: "1" }] });
        await rig.store.sealBatch(batchId);
        const [member] = (await claimChildren(rig, 1)) as [ClaimedJob];
        const next = await claimNext(rig, member, () => claimChildren(rig, 1));
        assert.deepEqual(await rig.claimIds(), [], "the batch is open");
        await rig.complete(next);
        const callback = await rig.claimOne();
        assert.deepEqual(callback.workflow?.batch, { id: batchId, total: 1, completed: 1, failed: 0, cancelled: 0 });
        const again = await claimNext(rig, callback);
        assert.equal(again.workflow?.batch?.id, batchId, "a callback that continues knows its batch");
        await rig.complete(again);
      },
      PLANS,
    );

    promise(
      open,
      "keeps its place in a flow, toward its dependents and its dependencies",
      async (rig) => {
        const job = (kind: string) => ({ kind, payload: "1" });
        await rig.store.submitFlow({
          tenant: "default",
          jobs: [job("child"), job("mail")],
          places: [
            { name: "a", after: [], when: "completed" },
            { name: "load", after: [0], when: "completed" },
          ],
        });
        const [a] = (await claimChildren(rig, 1)) as [ClaimedJob];
        const next = await claimNext(rig, a, () => claimChildren(rig, 1));
        assert.deepEqual(await rig.claimIds(), []);
        await rig.complete(next, '"a"');
        const load = await claimNext(rig, await rig.claimOne());
        const ends = await rig.store.dependencies(load.lease, { results: true, maxBytes: 1_000 });
        assert.ok(ends !== "lease-lost");
        assert.deepEqual(endWords(ends), ['a completed "a"']);
        await rig.complete(load);
      },
      PLANS,
    );

    promise(
      open,
      "of a kind that keeps nothing stays until the next prune, so that callers find its successor",
      async (rig) => {
        const job = await rig.running();
        const successor = await goOn(rig, job);
        assert.equal((await rig.find(job.lease.jobId)).continuedAs, successor);
        await rig.complete(await rig.claimOne());
        rig.clock.advance(1_000);
        await rig.store.prune({ limit: 100 });
        assert.deepEqual(await rig.store.find([job.lease.jobId, successor]), []);
      },
      { plans: [FORGETFUL] },
    );

    promise(open, "cannot be revived, and its successor can", async (rig) => {
      const job = await rig.running();
      const next = await claimNext(rig, job);
      const refused = await rig.store.revive(job.lease.jobId, { from: "start" });
      assert.ok(typeof refused === "object" && "conflict" in refused && refused.jobId === next.lease.jobId);
      assert.match(refused.conflict, /continued as a new job/);
      await rig.kill(next);
      const revived = await rig.store.revive(next.lease.jobId, { from: "failed-stage" });
      assert.ok(typeof revived === "object" && "revived" in revived);
      const { retryOf, continuationOf } = revived.accepted;
      assert.deepEqual([retryOf, continuationOf], [next.lease.jobId, undefined]);
    });
  });
}
