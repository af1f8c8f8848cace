import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "../lib/app-error.ts";
import type { Note } from "../store/verbs/attempts.ts";
import type { PoolWork } from "./attempt.ts";
import type { RunningAttempt } from "./attempt-state.ts";
import { settleAgain } from "./settle.ts";

const AWAY = new AppError("store-unavailable", "The database does not answer.");
const OUTCOME = { type: "completed", result: "1" } as const;
const LINE = { at: 1, level: "info", message: "last words" } as const;

test("the last log lines of a job are sent again with an outcome that the store did not take", async () => {
  const { attempt, work, calls } = made({ failures: 2 });
  const settled = await settleAgain(attempt, OUTCOME, AWAY, work);
  assert.equal(settled?.written, "written");
  assert.deepEqual(calls, ["note again", "settle", "note again", "settle"]);
  assert.equal(attempt.note, undefined);
});

test("log lines that were written are not sent again", async () => {
  const { attempt, work, calls } = made({ failures: 0 });
  attempt.note = undefined;
  await settleAgain(attempt, OUTCOME, AWAY, work);
  assert.deepEqual(calls, ["settle"]);
});

/** A store that fails so many calls and then works. */
function made({ failures }: { failures: number }) {
  const calls: string[] = [];
  let left = failures;
  const answer = async (call: string) => {
    calls.push(call);
    if (left-- > 0) throw AWAY;
    return { written: "written" };
  };
  const store = {
    note: (_lease: unknown, note: Note) => answer(note.again ? "note again" : "note"),
    settle: () => answer("settle"),
  };
  const lease = { jobId: "job_1", token: 1, slot: 0 };
  const attempt = { job: { lease, tenant: "default" }, note: { logs: [LINE] } } as unknown as RunningAttempt;
  const log = { warn() {}, error() {} };
  const names = { kind: "mail", stage: "running" };
  const work = { store, log, names, giveUp: new AbortController().signal } as unknown as PoolWork;
  return { attempt, work, calls };
}
