import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Transition } from "../../job/lifecycle.ts";
import { CANCELLED, COMPLETED, HAS_ATTEMPTS, HAS_STEPS, HAS_UNIQUE_KEY, READY, RUNNING, SCHEDULED } from "../codes.ts";
import { jobColumns } from "../columns/job-columns.ts";
import { planOf } from "../contract/rig.ts";
import type { StageRow } from "../plans/catalog.ts";
import type { JobRow } from "../rows/job-row.ts";
import { CLOSED, DORMANT, HAS_WAITS, WAITING } from "../waits/codes.ts";
import { decideSettlement, isPlainCompletion, type StageLookup } from "./settlement.ts";

const NOW = 5_000;
const FIRST = stageOf(1, "fetch", 2);
const LAST = stageOf(2, "form", undefined);
const PLAN = planOf("report", ["fetch", "form"]);
const STAGES: StageLookup = { stage: (id) => (id === 1 ? FIRST : LAST), rules: () => PLAN };
const DONE: Transition = { ...counts(), outcome: "completed", standing: "completed", result: '"r"' };
const RETRIED: Transition = { ...counts(), outcome: "failed", standing: "scheduled", runAt: 9_000, failure: failure() };

describe("a settlement", () => {
  test("of the last stage finishes the job, without its unique key, and records no attempt: the row is its record", () => {
    const settled = decide(rowOf({ stage: 2, flags: HAS_UNIQUE_KEY | HAS_STEPS, failure: "{}" }), DONE);
    assert.deepEqual(
      [settled.isFinished, settled.isForgotten, settled.dropsUniqueKey, settled.attempt],
      [true, false, true, undefined],
    );
    const { standing, flags, finished_at, failure: kept, output } = settled.columns;
    assert.deepEqual([standing, flags, finished_at, kept, output], [COMPLETED, HAS_STEPS, NOW, null, '"r"']);
    assert.deepEqual(settled.answer, { written: "written", standing: "completed" });
  });

  test("of an earlier stage moves the job to the next one and forgets the failure", () => {
    const change: Transition = { ...counts(), outcome: "completed", standing: "ready", runAt: NOW, advance: true };
    const settled = decide(rowOf({ failure: "{}", attempt: 3 }), change);
    assert.equal(settled.stage, LAST);
    const { stage, standing, attempt, failure: kept, finished_at } = settled.columns;
    assert.deepEqual([stage, standing, attempt, kept, finished_at], [2, READY, 0, null, null]);
    assert.deepEqual([settled.attempt?.stage, settled.attempt?.outcome], [1, "completed"]);
    assert.equal(settled.answer.nextStage, "form");
  });

  test("keeps the failure in view while the job is retried, and records the attempt", () => {
    const settled = decide(rowOf({ attempt: 2, holder: 7, slot: 3, started_at: 4_000 }), RETRIED);
    const { standing, run_at, failure: kept, flags } = settled.columns;
    assert.deepEqual([standing, run_at, kept, flags], [SCHEDULED, 9_000, JSON.stringify(failure()), HAS_ATTEMPTS]);
    assert.deepEqual(settled.attempt, {
      ...{ job: 1, stage: 1, attempt: 2, started_at: 4_000, ended_at: NOW, holder: 7, slot: 3, outcome: "failed" },
      ...{ failure: JSON.stringify(failure()), beside: null },
    });
    assert.equal(settled.outdatesLease, false);
  });

  test("from outside outdates the lease, and of a pending job there is no attempt to record", () => {
    const change: Transition = { ...counts(), outcome: "cancelled", standing: "cancelled", failure: failure() };
    const running = decide(rowOf({}), change);
    assert.deepEqual([running.outdatesLease, running.endsLease, running.attempt?.outcome], [true, true, "cancelled"]);
    const pending = decide(rowOf({ standing: READY }), change);
    assert.deepEqual([pending.outdatesLease, pending.endsLease, pending.attempt], [true, false, undefined]);
    assert.equal(pending.columns.standing, CANCELLED);
  });

  test("ends the waits of a finished job; those of a job that may be revived can open again", () => {
    const row = rowOf({ stage: 2, flags: HAS_WAITS | WAITING });
    assert.deepEqual([decide(row, DONE).waitState, decide(row, DONE).columns.flags], [CLOSED, HAS_WAITS]);
    const failed: Transition = { ...counts(), outcome: "failed", standing: "failed", failure: failure() };
    assert.equal(decide(row, failed).waitState, DORMANT);
    assert.equal(decide(row, RETRIED).waitState, undefined);
    assert.equal(decide(rowOf({ stage: 2 }), DONE).waitState, undefined);
  });

  test("deletes the job if its kind keeps nothing, but never a dead letter", () => {
    const plan = planOf("report", ["fetch", "form"], { retention: { finishedMs: "none", deadLetterMs: 1_000 } });
    const stages: StageLookup = { ...STAGES, rules: () => plan };
    const row = rowOf({ stage: 2 });
    const settled = decideSettlement({ row, change: DONE, now: NOW }, stages);
    assert.deepEqual([settled.isForgotten, settled.answer.forgotten], [true, true]);
    const failed: Transition = { ...counts(), outcome: "failed", standing: "failed", failure: failure() };
    assert.equal(decideSettlement({ row, change: failed, now: NOW }, stages).isForgotten, false);
  });

  test("records the first 100 deferrals of a job", () => {
    const change: Transition = {
      ...counts(),
      outcome: "deferred",
      standing: "scheduled",
      runAt: 9_000,
      waitsFor: "later",
    };
    const record = (recordedAttempts: number) =>
      decideSettlement({ row: rowOf({}), change, now: NOW, recordedAttempts }, STAGES).attempt?.outcome;
    assert.deepEqual([record(99), record(100)], ["deferred", undefined]);
  });
});

test("a completion is plain in the last stage, without a unique key and without waits", () => {
  const outcome = { type: "completed", result: "1" } as const;
  assert.equal(isPlainCompletion(outcome, { flags: HAS_STEPS }, LAST), true);
  assert.equal(isPlainCompletion(outcome, { flags: 0 }, FIRST), false);
  assert.equal(isPlainCompletion(outcome, { flags: HAS_UNIQUE_KEY }, LAST), false);
  assert.equal(isPlainCompletion(outcome, { flags: HAS_WAITS }, LAST), false);
  assert.equal(isPlainCompletion({ type: "released" }, { flags: 0 }, LAST), false);
});

function decide(row: JobRow, change: Transition) {
  return decideSettlement({ row, change, now: NOW }, STAGES);
}

function rowOf(more: Partial<JobRow>): JobRow {
  const empty = Object.fromEntries(jobColumns().map((name) => [name, null]));
  const running = { id: 1, stage: 1, tenant: 1, standing: RUNNING, run_at: 1_000, attempt: 1, flags: 0 };
  return { ...empty, ...running, ...more } as unknown as JobRow;
}

function stageOf(id: number, name: string, next: number | undefined): StageRow {
  return { id, kind: 1, kindName: "report", name, plan: 1, pin: 0, position: id - 1, next, queue: id };
}

function counts() {
  return { failures: 0, failuresTotal: 0, crashes: 0 };
}

function failure() {
  return { code: "broken", message: "It broke.", permanent: false };
}
