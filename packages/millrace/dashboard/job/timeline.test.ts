import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attempt, Job } from "../../src/client/index.ts";
import { timelineOf } from "./timeline.ts";

const start = Date.parse("2026-11-15T10:00:00.000Z");
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
const job = (more: Partial<Job>) => ({ createdAt: at(0), state: "completed", stage: "b", attempt: 1, ...more }) as Job;
const attempt = (stage: string, n: number, from: number, to: number, outcome: Attempt["outcome"]): Attempt => ({
  stage,
  attempt: n,
  startedAt: at(from),
  endedAt: at(to),
  outcome,
});
const told = (line: ReturnType<typeof timelineOf>) =>
  line.rows.map(({ stage, bars }) => [
    stage,
    ...bars.map(
      (bar) => `${bar.what} ${(bar.startAt - start) / 1_000}-${(bar.endAt - start) / 1_000}${bar.open ? " open" : ""}`,
    ),
  ]);

test("waits and attempts of every stage, on one scale", () => {
  const attempts = [
    attempt("b", 1, 9, 10, "completed"),
    attempt("a", 1, 1, 3, "failed"),
    attempt("a", 2, 6, 7, "completed"),
  ];
  const line = timelineOf(job({ completedAt: at(10) }), attempts, start + 99_000);
  assert.deepEqual(told(line), [
    ["a", "wait 0-1", "attempt 1-3", "wait 3-6", "attempt 6-7"],
    ["b", "wait 7-9", "attempt 9-10"],
  ]);
  assert.equal(line.endAt, Date.parse(at(10)));
});

test("the attempt under way is open until now, though it is not written down yet", () => {
  const running = job({ state: "running", startedAt: at(2), attempt: 2 });
  assert.deepEqual(told(timelineOf(running, [attempt("b", 1, 0, 1, "failed")], start + 5_000)), [
    ["b", "attempt 0-1", "wait 1-2", "attempt 2-5 open"],
  ]);
});

test("a job that waits is shown waiting, and one that never started as well", () => {
  const waiting = job({ state: "pending", attempt: 0 });
  assert.deepEqual(told(timelineOf(waiting, [], start + 4_000)), [["b", "wait 0-4 open"]]);
});
