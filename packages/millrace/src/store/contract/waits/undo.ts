import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { ClaimRequest, UndoStep } from "../../verbs/attempts.ts";
import { CHILD_KIND, claimChildren, completeAll } from "../children/support.ts";
import { MAIL, type OpenData, promise, type Rig } from "../rig.ts";
import { DAY_MS, signalNamed, sleepFor } from "./support.ts";

/** Stores a step that can be undone. */
async function did(rig: Rig, { lease }: ClaimedJob, name: string, undo = `un${name}`): Promise<void> {
  assert.equal(await rig.store.beginUndoable(lease), "written");
  assert.notEqual(await rig.store.saveStep(lease, name, JSON.stringify(`did ${name}`), { undo }), "lease-lost");
}

async function left(rig: Rig, { lease }: ClaimedJob): Promise<UndoStep[]> {
  const undos = await rig.store.undosLeft(lease);
  assert.ok(undos !== "lease-lost");
  return undos;
}

/** Runs all undos of the stage that is claimed, and gives the names of the handlers in order. */
async function undoStage(rig: Rig, request: Partial<ClaimRequest> = {}): Promise<string[]> {
  const job = await rig.claimOne(request);
  assert.ok(job.workflow?.undoing);
  const undos = await left(rig, job);
  for (const { name } of undos) await rig.store.saveStep(job.lease, `undo:${name}`, "null");
  await rig.settle(job, { type: "undone" });
  return undos.map(({ handler, value }) => `${handler} ${JSON.parse(value)}`);
}

const FORM = { kind: "report", stage: "form" };

export function describeUndo(open: OpenData): void {
  describe("an undo", () => {
    promise(open, "runs the handlers of stored steps in reverse order, and then the job fails", async (rig) => {
      const job = await rig.running({ uniqueKey: "order-1" });
      const { jobId } = job.lease;
      for (const name of ["charge", "pack", "ship"]) await did(rig, job, name);
      await rig.store.saveStep(job.lease, "plain", "1");
      const settled = await rig.fail(job, { permanent: true, message: "No stock." });
      assert.ok(settled.written === "written");
      assert.equal(settled.standing, "ready");
      const undoing = await rig.find(jobId);
      assert.deepEqual([undoing.undoing, undoing.failure?.message, undoing.failures], ["failed", "No stock.", 0]);
      const key = { kind: "mail", payload: "{}", uniqueKey: "order-1" };
      const [refused] = await rig.store.submit([{ tenant: "default", jobs: [key] }]);
      assert.equal(refused?.type, "refused", "the unique key is held until the undos have run");
      assert.deepEqual(await undoStage(rig), ["unship did ship", "unpack did pack", "uncharge did charge"]);
      const failed = await rig.find(jobId);
      assert.deepEqual([failed.standing, failed.failure?.message, failed.undoing], ["failed", "No stock.", undefined]);
      assert.equal((await rig.store.submit([{ tenant: "default", jobs: [key] }]))[0]?.type, "accepted");
    });

    promise(open, "goes back over all stages, and the job stands at the one whose handler runs next", async (rig) => {
      const first = await rig.running({ kind: "report" });
      const { jobId } = first.lease;
      await did(rig, first, "fetch");
      await rig.complete(first);
      const second = await rig.claimOne(FORM);
      await did(rig, second, "form one");
      await did(rig, second, "form two");
      await rig.complete(second);
      const third = await rig.claimOne({ kind: "report", stage: "judge" });
      await rig.fail(third, { permanent: true });
      assert.equal((await rig.find(jobId)).stage, "form");
      assert.deepEqual(await undoStage(rig, FORM), ["unform two did form two", "unform one did form one"]);
      assert.equal((await rig.find(jobId)).stage, "fetch");
      assert.deepEqual(await undoStage(rig, { kind: "report" }), ["unfetch did fetch"]);
      const failed = await rig.find(jobId);
      assert.deepEqual([failed.standing, failed.stage], ["failed", "judge"], "it failed in its last stage");
    });

    promise(open, "does nothing for a job that completes, and for one that stored nothing", async (rig) => {
      const done = await rig.running();
      await did(rig, done, "charge");
      await rig.complete(done);
      assert.equal(await rig.standing(done.lease.jobId), "completed");
      const none = await rig.running();
      await rig.store.beginUndoable(none.lease);
      await rig.fail(none, { permanent: true });
      assert.equal(await rig.standing(none.lease.jobId), "failed");
    });

    promise(open, "runs when a job that waits is cancelled, and ends as cancelled", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await did(rig, job, "charge");
      await rig.settle(job, { type: "waiting", waits: [sleepFor(DAY_MS), signalNamed("go")] });
      assert.deepEqual(await rig.store.cancel([jobId], "Changed my mind."), [{ undoing: true }]);
      assert.deepEqual(await rig.store.cancel([jobId], "Again."), [{ undoing: true }]);
      const found = await rig.find(jobId);
      assert.deepEqual([found.standing, found.undoing, found.waitsFor], ["ready", "cancelled", undefined]);
      assert.deepEqual(await undoStage(rig), ["uncharge did charge"]);
      const ended = await rig.find(jobId);
      assert.deepEqual([ended.standing, ended.failure?.message], ["cancelled", "Changed my mind."]);
    });

    promise(open, "waits for the steps under way when a running job is cancelled", async (rig) => {
      const job = await rig.running();
      const { jobId, token } = job.lease;
      await rig.store.beginUndoable(job.lease);
      assert.deepEqual(await rig.store.cancel([jobId], "No."), [{ undoing: true, running: { jobId, token } }]);
      const found = await rig.find(jobId);
      assert.deepEqual([found.standing, found.undoing], ["running", "cancelled"]);
      await rig.store.saveStep(job.lease, "charge", '"did charge"', { undo: "uncharge" });
      await rig.settle(job, { type: "cancelled" });
      assert.deepEqual(await undoStage(rig), ["uncharge did charge"]);
      assert.equal((await rig.find(jobId)).failure?.message, "No.");
    });

    for (const [how, end] of [
      ["completes", { type: "completed", result: "1" }],
      ["fails", { type: "failed", failure: { code: "x", message: "x", permanent: false } }],
      ["waits", { type: "waiting", waits: [sleepFor(1)] }],
      ["is handed back", { type: "released" }],
    ] as const) {
      promise(open, `runs though the cancelled job ${how} meanwhile`, async (rig) => {
        const job = await rig.running();
        const { jobId } = job.lease;
        await did(rig, job, "charge");
        await rig.store.cancel([jobId], "No.");
        await rig.settle(job, end as never);
        assert.equal((await rig.find(jobId)).undoing, "cancelled");
        assert.deepEqual(await undoStage(rig), ["uncharge did charge"]);
        assert.equal(await rig.standing(jobId), "cancelled");
      });
    }

    promise(open, "runs though the process of the cancelled job died", async (rig) => {
      const dying = await rig.another();
      const jobId = await rig.submit();
      const [job] = (await dying.claim({ kind: "mail", stage: "running", slots: [0], suspects: 1 })).jobs;
      assert.ok(job);
      await dying.beginUndoable(job.lease);
      await dying.saveStep(job.lease, "charge", '"did charge"', { undo: "uncharge" });
      await rig.store.cancel([jobId], "No.");
      await rig.outlive();
      assert.deepEqual(await undoStage(rig), ["uncharge did charge"]);
      assert.equal(await rig.standing(jobId), "cancelled");
    });

    promise(open, "that crashed goes on with what is left, and no handler runs twice", async (rig) => {
      const job = await rig.running();
      for (const name of ["a", "b"]) await did(rig, job, name);
      await rig.fail(job, { permanent: true });
      const first = await rig.claimOne();
      await rig.store.saveStep(first.lease, "undo:b", "null");
      await rig.settle(first, { type: "released" });
      assert.deepEqual(await undoStage(rig), ["una did a"]);
      assert.equal(await rig.standing(job.lease.jobId), "failed");
    });

    promise(open, "has the retries of its stage, and is then a dead letter that names it", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      for (const name of ["a", "b"]) await did(rig, job, name);
      await rig.store.cancel([jobId], "No.");
      await rig.settle(job, { type: "cancelled" });
      for (let attempt = 1; attempt <= 3; attempt++) {
        rig.clock.advance(DAY_MS);
        const undo = await rig.claimOne();
        assert.equal(undo.attempt, attempt);
        await rig.fail(undo, { message: "The bank is closed." });
      }
      const dead = await rig.find(jobId);
      assert.deepEqual(
        [dead.standing, dead.failure?.code, dead.failure?.message, dead.undoing],
        ["failed", "undo-failed", 'The undo "unb" of "b" failed: The bank is closed.', undefined],
      );
    });

    promise(open, "that failed goes on in the job that revives it, which ends as the first would have", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      for (const name of ["a", "b"]) await did(rig, job, name);
      await rig.store.cancel([jobId], "No.");
      await rig.settle(job, { type: "cancelled" });
      const undo = await rig.claimOne();
      await rig.store.saveStep(undo.lease, "undo:b", "null");
      await rig.fail(undo, { permanent: true });
      const edited = await rig.store.revive(jobId, { from: "failed-stage", payload: "2" });
      assert.ok(typeof edited === "object" && "conflict" in edited);
      const revived = await rig.store.revive(jobId, { from: "start" });
      assert.ok(typeof revived === "object" && "revived" in revived);
      assert.equal((await rig.find(revived.revived)).undoing, "cancelled");
      assert.deepEqual(await undoStage(rig), ["una did a"]);
      const ended = await rig.find(revived.revived);
      assert.deepEqual([ended.standing, ended.failure?.message], ["cancelled", "No."]);
    });

    promise(open, "that ran leaves a job that can be revived from the start only", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await did(rig, job, "charge");
      await rig.fail(job, { permanent: true });
      await undoStage(rig);
      const again = await rig.store.revive(jobId, { from: "failed-stage" });
      assert.ok(typeof again === "object" && "conflict" in again);
      assert.match(again.conflict, /from the start only/);
      const fresh = await rig.store.revive(jobId, { from: "start" });
      assert.ok(typeof fresh === "object" && "revived" in fresh);
      const claimed = await rig.claimOne();
      assert.deepEqual([claimed.workflow, claimed.hasSteps], [undefined, false]);
      await rig.complete(claimed);
      assert.deepEqual(await rig.store.forget([jobId]), ["done"]);
    });

    promise(
      open,
      "runs for each child that completed, between the steps around it, and for no other child",
      async (rig) => {
        const parent = await rig.running();
        const { lease } = parent;
        await did(rig, parent, "before");
        const elsewhere = await rig.submit({ kind: "child", payload: '"c3"', uniqueKey: "shared" });
        const keys = ["c0", "c1", "c2", "c3"];
        const jobs = keys.map((key) => ({
          ...{ kind: "child", payload: JSON.stringify(`did ${key}`) },
          ...(key === "c3" && { uniqueKey: "shared", ifUnique: "join" as const }),
        }));
        const children = { type: "children", name: "parts", mode: "collect", jobs, keys, undo: "unpart" } as const;
        assert.ok((await rig.store.startChildren(lease, children)) !== "lease-lost");
        await did(rig, parent, "after");
        const claimed = await claimChildren(rig, 3);
        assert.ok(claimed.some((job) => job.lease.jobId === elsewhere));
        await completeAll(rig, claimed);
        const { jobId, token } = lease;
        assert.deepEqual(await rig.store.cancel([jobId], "No."), [{ undoing: true, running: { jobId, token } }]);
        await rig.settle(parent, { type: "cancelled" });
        const expected = ["unafter did after", "unpart did c1", "unpart did c0", "unbefore did before"];
        assert.deepEqual(await undoStage(rig), expected);
        assert.equal(await rig.standing(lease.jobId), "cancelled");
        const names = (await rig.store.steps(lease.jobId)).map(({ name }) => name);
        assert.ok(names.includes("undo:parts [c0]"), names.join());
      },
      { plans: [MAIL, CHILD_KIND] },
    );

    promise(open, "is not begun by a stale lease", async (rig) => {
      const job = await rig.running();
      await rig.complete(job);
      assert.equal(await rig.store.beginUndoable(job.lease), "lease-lost");
      assert.equal(await rig.store.undosLeft(job.lease), "lease-lost");
    });
  });

  describe("a step", () => {
    promise(open, "carries the starts of waits, and their time counts from there", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await rig.store.saveStep(job.lease, "one", "1", { waits: [sleepFor(1_000), signalNamed("go")] });
      rig.clock.advance(600);
      await rig.settle(job, { type: "waiting", waits: [sleepFor(1_000), signalNamed("go")] });
      assert.deepEqual(await rig.claimIds(), []);
      rig.clock.advance(400);
      assert.deepEqual(await rig.claimIds(), [jobId]);
    });

    promise(open, "carries a wait that a signal answers while the job still runs", async (rig) => {
      const job = await rig.running();
      await rig.store.saveStep(job.lease, "one", "1", { waits: [signalNamed("go")] });
      await rig.store.signal({ target: { jobId: job.lease.jobId }, name: "go", value: "1" });
      assert.equal(await rig.standing(job.lease.jobId), "running");
      const settled = await rig.settle(job, { type: "waiting", waits: [signalNamed("go")] });
      assert.equal(settled.written === "written" && settled.standing, "ready");
    });
  });
}
