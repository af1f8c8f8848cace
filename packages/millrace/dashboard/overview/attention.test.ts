import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeadLetterCause, FigurePoint, KindInfo } from "../../src/client/index.ts";
import { clock } from "../lib/format.ts";
import { concernsOf, fullSince } from "./attention.ts";

const now = Date.parse("2026-11-15T10:10:00.000Z");
const at = (minutesAgo: number) => new Date(now - minutesAgo * 60_000).toISOString();
const words = (known: Parameters<typeof concernsOf>[0]) => concernsOf(known).map(({ text }) => text);

function cause(more: Partial<DeadLetterCause>): DeadLetterCause {
  const some = {
    fingerprint: "1-0",
    pattern: "It broke.",
    kind: "text",
    stage: "running",
    code: "x",
    lastError: "It broke.",
  };
  return { ...some, count: 1, variants: 1, sample: "job_00000000", firstAt: at(8), lastAt: at(1), ...more };
}

function letters(causes: DeadLetterCause[], more = { causes: 0, letters: 0 }) {
  const total = causes.reduce((sum, { count }) => sum + count, more.letters);
  return { causes, groupCount: causes.length + more.causes, total };
}

function kind(more: Partial<KindInfo["stages"][number]["counts"]>, paused = false): KindInfo {
  const none = {
    scheduled: 0,
    ready: 0,
    suspect: 0,
    held: 0,
    running: 0,
    completed: 0,
    failed: 0,
    rejected: 0,
    cancelled: 0,
  };
  return {
    kind: "text",
    paused,
    served: true,
    stages: [{ stage: "running", queueMax: 100, counts: { ...none, ...more } }],
  };
}

test("jobs that wait longer than usual are named with what they wait for, how long, and what is usual", () => {
  const wait = { kind: "order", stage: "fulfil", type: "signal", name: "paid", jobId: "job_00000000" } as const;
  const usual = { since: at(180), usualMs: 3_600_000 };
  assert.deepEqual(concernsOf({ now, longWaits: [{ ...wait, ...usual, count: 1 }] }), [
    {
      tone: "care",
      text: "1 job of `order` waits for the signal `paid`: 3 h, usually at most 1 h",
      to: "/jobs/job_00000000",
    },
  ]);
  const [several] = concernsOf({ now, longWaits: [{ ...wait, ...usual, count: 4 }] });
  assert.equal(several?.text, "4 jobs of `order` wait for the signal `paid`: up to 3 h, usually at most 1 h");
  assert.equal(several?.to, "/jobs?status=pending&kind=order&waitsFor=signal:paid");
});

test("nothing wrong, nothing said", () => {
  assert.deepEqual(concernsOf({ now }), []);
  assert.deepEqual(
    concernsOf({ now, deadLetters: letters([]), kinds: [kind({ ready: 3 })], pools: [], points: [] }),
    [],
  );
});

test("dead letters are told with their number, since when, and why", () => {
  const since = clock(Date.parse(at(8)));
  const said = (causes: DeadLetterCause[], more?: { causes: number; letters: number }) =>
    words({ now, deadLetters: letters(causes, more) });
  assert.deepEqual(said([cause({ count: 3 })]), [`3 dead letters since ${since}, same cause: It broke.`]);
  assert.deepEqual(said([cause({})]), [`1 dead letter since ${since}, It broke.`]);
  const two = [cause({ count: 2 }), cause({ count: 5, pattern: "Order <id> is worse." })];
  assert.deepEqual(said(two), [`7 dead letters since ${since}, 2 causes, most often: Order <id> is worse.`]);
  assert.deepEqual(said(two, { causes: 150, letters: 900 }), [
    `907 dead letters since ${since}, 152 causes, most often: Order <id> is worse.`,
  ]);
  assert.deepEqual(said([cause({ lastAt: at(2_000) })]), [], "old ones are no news");
  assert.deepEqual(said([cause({}), cause({ lastAt: at(2_000), count: 9 })]), [
    `1 dead letter since ${since}, It broke.`,
  ]);
});

test("a pool is full since every processor has been busy with work waiting, without a break", () => {
  const point = (minutesAgo: number, idle: number, queueSize = 5) =>
    ({ at: at(minutesAgo), perStage: { "text/running": { busy: 2, idle, queueSize } } }) as unknown as FigurePoint;
  const points = [point(9, 0), point(6, 1), point(2, 0), point(1, 0), point(0, 0)];
  assert.equal(fullSince("text/running", points), Date.parse(at(2)));
  assert.equal(fullSince("text/running", [point(2, 0), point(0, 0, 0)]), undefined, "nothing waits");
  const pools = [{ pool: "text/running", processors: [] }] as never;
  assert.deepEqual(words({ now, pools, points }), ["Pool `text/running` has been full for 2 min, with jobs waiting"]);
});

test("queues near their limit, paused kinds, held jobs, unserved work and problems are told", () => {
  assert.match(words({ now, kinds: [kind({ ready: 85 })] })[0] ?? "", /is 85 % full \(85 of 100\)/);
  assert.match(words({ now, kinds: [kind({ ready: 100 })] })[0] ?? "", /full \(100\): submissions are refused/);
  assert.deepEqual(words({ now, kinds: [kind({ ready: 1 }, true)] }), ["The kind `text` is paused; 1 job waits"]);
  assert.deepEqual(words({ now, kinds: [kind({ held: 2 })] }), ["2 jobs of `text` are held and waiting for release"]);
  const held = { text: { one: "text waits for you", many: "texts wait for you", path: "/texts" } };
  assert.deepEqual(concernsOf({ now, kinds: [kind({ held: 2 })], held }), [
    { tone: "care", text: "2 texts wait for you", to: "/texts" },
  ]);
  const health = {
    status: "error" as const,
    uptime: 1,
    timestamp: at(0),
    problems: ["The store failed."],
    unserved: ["a/b", "c"],
    unservedStages: [
      { kind: "a", stage: "b", jobs: 2, lastServedBy: "v1" },
      { kind: "c", stage: null, jobs: 1 },
    ],
  };
  assert.deepEqual(words({ now, health }), [
    "The store failed.",
    "2 jobs wait for `a/b`, which no living process serves (last: v1).",
    "1 job waits for `c`, which no living process serves.",
  ]);
});
