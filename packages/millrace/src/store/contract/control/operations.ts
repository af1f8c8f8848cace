import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Store } from "../../store.ts";
import type {
  NewOperation,
  OperationAdvance,
  OperationChange,
  StoredOperation,
} from "../../verbs/operations/operations.ts";
import { HOUR_MS, type OpenData, promise, type Rig } from "../rig.ts";

export function describeOperations(open: OpenData): void {
  describe("operations", () => {
    promise(open, "cover the jobs that they were given, and count what became of each", async (rig) => {
      const [a, b, c] = (await deadLetters(rig, 3)) as [string, string, string];
      await rig.store.revive(b, { from: "failed-stage" });
      const operation = await started(rig, { action: "revive" }, [a, b, c]);
      assert.deepEqual([operation.state, operation.total, operation.done], ["running", 3, 0]);
      const answers = await carriedOut(rig, operation.id);
      const ended = await found(rig, operation.id);
      assert.deepEqual([ended.state, ended.done, ended.skipped, ended.failed], ["completed", 2, 1, 0]);
      assert.deepEqual(
        answers.map(({ jobId }) => jobId),
        [a, c],
      );
      for (const { jobId, as } of answers) {
        assert.equal((await rig.find(jobId)).retriedAs, as);
        assert.equal(await rig.standing(as as string), "ready");
      }
      assert.equal(await rig.store.nextOfOperation(operation.id, 10), undefined);
    });

    promise(
      open,
      "move their cursor with each act: a second process that looked at the same place does nothing",
      async (rig) => {
        const other = await rig.another();
        const ids = await deadLetters(rig, 4);
        const { id } = await started(rig, { action: "revive" }, ids, 3);
        const [mine, theirs] = [await next(rig, id), await next(rig, id, other)];
        assert.deepEqual(mine, theirs);
        assert.deepEqual(
          mine.jobs,
          ids.slice(0, 3).map((jobId) => ({ jobId })),
        );
        assert.notEqual(await rig.store.advanceOperation(id, mine), "moved");
        assert.equal(await other.advanceOperation(id, theirs), "moved");
        const rest = await next(rig, id, other);
        assert.deepEqual(rest.jobs, [{ jobId: ids[3] }]);
        await other.advanceOperation(id, rest);
        assert.deepEqual([(await found(rig, id)).state, (await found(rig, id)).done], ["completed", 4]);
      },
    );

    promise(open, "do at least one job in a transaction, and stop when its time is over", async (rig) => {
      const ids = await deadLetters(rig, 3);
      const { id } = await started(rig, { action: "revive" }, ids);
      const answer = await rig.store.advanceOperation(id, { ...(await next(rig, id)), budgetMs: 0 });
      assert.ok(answer !== "moved");
      assert.equal(answer.changed.length, 1);
      assert.deepEqual((await next(rig, id)).cursor, { part: 0, place: 1 });
    });

    promise(open, "cancel, release, reprioritise, delete and retry as the single acts do", async (rig) => {
      const held = await rig.running();
      await rig.settle(held, { type: "held", reason: "review" });
      await carriedOut(rig, (await started(rig, { action: "release", among: ["held"] }, [held.lease.jobId])).id);
      assert.equal(await rig.standing(held.lease.jobId), "ready");

      const waits = await rig.submit({ delayMs: HOUR_MS });
      const first = { action: "reprioritise", among: ["scheduled", "ready"], request: '{"priority":-5}' } as const;
      await carriedOut(rig, (await started(rig, { ...first, among: [...first.among] }, [waits])).id);
      assert.equal((await rig.find(waits)).priority, -5);

      const claimed = await rig.claimOne();
      const both = [waits, claimed.lease.jobId];
      const request = '{"reason":"wrong input"}';
      const cancel = await started(rig, { action: "cancel", among: ["scheduled", "running"], request }, both);
      const cancelled = await carriedOut(rig, cancel.id);
      assert.deepEqual(
        cancelled.map(({ token }) => token),
        [undefined, claimed.lease.token],
      );
      assert.equal((await rig.find(waits)).failure?.message, "wrong input");

      const retry = await started(rig, { action: "retry", among: ["cancelled"] }, [waits]);
      assert.equal((await carriedOut(rig, retry.id)).length, 1);
      await carriedOut(rig, (await started(rig, { action: "delete", among: ["cancelled"] }, [claimed.lease.jobId])).id);
      assert.deepEqual(await rig.store.find([claimed.lease.jobId]), []);
    });

    promise(open, "count refusals by their code, with the first job", async (rig) => {
      const [dead] = (await deadLetters(rig, 1)) as [string];
      await rig.submit({ uniqueKey: "k" });
      const { id } = await started(rig, { action: "revive" }, [dead]);
      const task = await next(rig, id);
      await rig.store.advanceOperation(id, { ...task, jobs: task.jobs.map((job) => ({ ...job, uniqueKey: "k" })) });
      const { failed, errors, state } = await found(rig, id);
      assert.deepEqual([failed, state, errors.length], [1, "completed", 1]);
      assert.deepEqual([errors[0]?.code, errors[0]?.count, errors[0]?.sample], ["already-queued", 1, dead]);
    });

    promise(open, "are paused, resumed and stopped; what they did stays done", async (rig) => {
      const ids = await deadLetters(rig, 2);
      const { id } = await started(rig, { action: "revive" }, ids);
      const task = await next(rig, id);
      assert.equal(await rig.store.controlOperation(id, "pause"), "done");
      assert.equal(await rig.store.nextOfOperation(id, 10), undefined);
      assert.equal(await rig.store.advanceOperation(id, task), "moved");
      assert.equal(await rig.store.controlOperation(id, "resume"), "done");
      await rig.store.advanceOperation(id, { ...task, budgetMs: 0 });
      assert.equal(await rig.store.controlOperation(id, "stop"), "done");
      const stopped = await found(rig, id);
      assert.deepEqual([stopped.state, stopped.done, stopped.endedAt], ["stopped", 1, rig.clock.now()]);
      assert.deepEqual(await rig.store.controlOperation(id, "resume"), { conflict: "The operation has ended." });
      assert.equal(await rig.store.controlOperation("op_00000000", "stop"), "not-found");
    });

    promise(open, "answer an equal request with the one that runs, and a key with its own", async (rig) => {
      const ids = await deadLetters(rig, 1);
      const { id } = await started(rig, { action: "revive", hash: "same", key: "k" }, ids);
      const again = await rig.store.createOperation({ ...NEW, hash: "same" });
      assert.ok(typeof again === "object" && "running" in again && again.running.id === id);
      assert.equal(await rig.store.createOperation({ ...NEW, hash: "other", key: "k" }), "key-conflict");
      await carriedOut(rig, id);
      const replayed = await rig.store.createOperation({ ...NEW, hash: "same", key: "k" });
      assert.ok(typeof replayed === "object" && "replayed" in replayed && replayed.replayed.id === id);
      const fresh = await rig.store.createOperation({ ...NEW, hash: "same" });
      assert.ok(typeof fresh === "object" && "created" in fresh && fresh.created.id !== id);
    });

    promise(open, "keep to their rate", async (rig) => {
      const ids = await deadLetters(rig, 5);
      const { id } = await started(rig, { action: "revive", perSecond: 4 }, ids);
      const first = await rig.store.advanceOperation(id, await next(rig, id));
      assert.ok(first !== "moved" && first.changed.length === 1);
      const early = await rig.store.advanceOperation(id, await next(rig, id));
      assert.ok(early !== "moved" && early.changed.length === 0 && early.waitMs === 250);
      rig.clock.advance(250);
      const later = await rig.store.advanceOperation(id, await next(rig, id));
      assert.ok(later !== "moved" && later.changed.length === 1);
    });

    promise(
      open,
      "wait while the queue of a stage is full",
      async (rig) => {
        const ids = await deadLetters(rig, 2);
        const { id } = await started(rig, { action: "revive" }, ids);
        const answer = await rig.store.advanceOperation(id, await next(rig, id));
        assert.ok(answer !== "moved" && answer.changed.length === 1 && (answer.waitMs ?? 0) > 0);
        assert.equal((await found(rig, id)).waitsFor, "The queue of a stage is full.");
        await rig.claim(1);
        await carriedOut(rig, id);
        const ended = await found(rig, id);
        assert.deepEqual([ended.done, ended.waitsFor], [2, undefined]);
      },
      { limits: { queueMax: 1 } },
    );

    promise(
      open,
      "that revived are undone: new jobs that have not started are cancelled, the old ones stand as before",
      async (rig) => {
        const ids = await deadLetters(rig, 3);
        const { id } = await started(rig, { action: "revive" }, ids);
        const revived = await carriedOut(rig, id);
        const [begun] = await rig.claimIds(1);
        const answer = await rig.store.undoOperation(id, "ada");
        assert.ok(typeof answer === "object" && "created" in answer);
        assert.deepEqual([answer.created.undoOf, answer.created.total, answer.created.state], [id, 3, "running"]);
        await carriedOut(rig, answer.created.id);
        const ended = await found(rig, answer.created.id);
        assert.deepEqual([ended.done, ended.skipped, ended.failed], [2, 1, 0]);
        for (const { jobId, as } of revived) {
          const isBegun = as === begun;
          assert.equal(await rig.standing(as as string), isBegun ? "running" : "cancelled");
          assert.equal(await rig.standing(jobId), isBegun ? "rejected" : "failed");
        }
        assert.equal((await rig.store.deadLetters({}, { limit: 10, offset: 0 })).total, 2);
        assert.deepEqual(await rig.store.undoOperation(id, "ada"), { conflict: "The operation was already undone." });
      },
    );

    promise(open, "that deleted cannot be undone, and say so", async (rig) => {
      const ids = await deadLetters(rig, 1);
      const { id } = await started(rig, { action: "delete", among: ["failed"] }, ids);
      await carriedOut(rig, id);
      assert.deepEqual(await rig.store.undoOperation(id, "ada"), { conflict: "Deleted jobs cannot be restored." });
    });

    promise(open, "are listed by tenant and whether they run, newest first", async (rig) => {
      const first = await started(rig, { action: "revive", tenant: "a", hash: "1" }, []);
      const second = await started(rig, { action: "revive", hash: "2" }, await deadLetters(rig, 1));
      const listed = async (filter: { tenant?: string; live?: boolean; beforeId?: string }) =>
        (await rig.store.operations({ limit: 10, ...filter })).map(({ id }) => id);
      assert.equal(first.state, "completed", "it has no jobs");
      assert.deepEqual(await listed({}), [second.id, first.id]);
      assert.deepEqual(await listed({ tenant: "a" }), [first.id]);
      assert.deepEqual(await listed({ live: true }), [second.id]);
      assert.deepEqual(await listed({ beforeId: second.id }), [first.id]);
    });

    promise(open, "are deleted a month after their end", async (rig) => {
      const { id } = await started(rig, { action: "revive" }, await deadLetters(rig, 1));
      await carriedOut(rig, id);
      rig.clock.advance(29 * 24 * HOUR_MS);
      while ((await rig.store.prune({ limit: 500 })).deleted > 0);
      assert.equal((await found(rig, id)).state, "completed");
      rig.clock.advance(2 * 24 * HOUR_MS);
      while ((await rig.store.prune({ limit: 500 })).deleted > 0);
      assert.equal(await rig.store.findOperation(id), undefined);
    });
  });
}

const NEW: NewOperation = { action: "revive", request: "{}", hash: "hash", by: "ada", among: ["failed"] };

async function deadLetters(rig: Rig, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const job = await rig.running();
    await rig.kill(job);
    ids.push(job.lease.jobId);
  }
  return ids;
}

async function started(
  rig: Rig,
  operation: Partial<NewOperation>,
  jobIds: string[],
  partSize = 5_000,
): Promise<StoredOperation> {
  const answer = await rig.store.createOperation({ ...NEW, ...operation });
  assert.ok(typeof answer === "object" && "created" in answer);
  const { id } = answer.created;
  for (let i = 0; i < jobIds.length; i += partSize) await rig.store.addToOperation(id, jobIds.slice(i, i + partSize));
  const operationNow = await rig.store.startOperation(id);
  assert.ok(operationNow);
  return operationNow;
}

async function next(rig: Rig, id: string, by: Store = rig.store): Promise<OperationAdvance> {
  const task = await by.nextOfOperation(id, 10);
  assert.ok(task);
  return { cursor: task.cursor, jobs: task.jobIds.map((jobId) => ({ jobId })), budgetMs: 60_000 };
}

/** Until nothing is left. */
async function carriedOut(rig: Rig, id: string): Promise<OperationChange[]> {
  const changed: OperationChange[] = [];
  while ((await found(rig, id)).endedAt === undefined) {
    const answer = await rig.store.advanceOperation(id, await next(rig, id));
    assert.ok(answer !== "moved" && answer.waitMs === undefined);
    changed.push(...answer.changed);
  }
  return changed;
}

async function found(rig: Rig, id: string): Promise<StoredOperation> {
  const operation = await rig.store.findOperation(id);
  assert.ok(operation);
  return operation;
}
