import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attempt, Job, JobWait } from "../../src/client/index.ts";
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
  const line = timelineOf(job({ completedAt: at(10) }), { attempts, waits: [], now: start + 99_000 });
  assert.deepEqual(told(line), [
    ["a", "wait 0-1", "attempt 1-3", "wait 3-6", "attempt 6-7"],
    ["b", "wait 7-9", "attempt 9-10"],
  ]);
  assert.equal(line.endAt, Date.parse(at(10)));
});

test("the attempt under way is open until now, though it is not written down yet", () => {
  const running = job({ state: "running", startedAt: at(2), attempt: 2 });
  assert.deepEqual(
    told(timelineOf(running, { attempts: [attempt("b", 1, 0, 1, "failed")], waits: [], now: start + 5_000 })),
    [["b", "attempt 0-1", "wait 1-2", "attempt 2-5 open"]],
  );
});

test("a job that waits is shown waiting, and one that never started as well", () => {
  const waiting = job({ state: "pending", attempt: 0 });
  assert.deepEqual(told(timelineOf(waiting, { attempts: [], waits: [], now: start + 4_000 })), [
    ["b", "wait 0-4 open"],
  ]);
});

test("a sleep is a gap between two attempts, and so is what the job waits for now", () => {
  const attempts = [
    attempt("b", 1, 0, 1, "waiting"),
    attempt("b", 2, 5, 6, "failed"),
    attempt("b", 3, 8, 9, "waiting"),
  ];
  const wait = (name: string, since: number, answered: number | undefined): JobWait => ({
    stage: "b",
    type: name === "paid" ? "signal" : "sleep",
    name,
    state: answered === undefined ? "open" : "answered",
    since: at(since),
    ...(answered !== undefined && { answeredAt: at(answered) }),
  });
  const waits = [wait("cool-off", 1, 4.5), wait("paid", 9, undefined)];
  const waitsFor = [{ type: "signal" as const, name: "paid", since: at(9) }];
  const line = timelineOf(job({ state: "pending", waitsFor }), { attempts, waits, now: start + 12_000 });
  assert.deepEqual(told(line), [
    ["b", "attempt 0-1", "gap 1-5", "attempt 5-6", "wait 6-8", "attempt 8-9", "gap 9-12 open"],
  ]);
  assert.deepEqual(
    line.rows.flatMap(({ bars }) => bars.flatMap(({ reasons = [] }) => reasons.map(({ type, name }) => [type, name]))),
    [
      ["sleep", "cool-off"],
      ["signal", "paid"],
    ],
  );
});
