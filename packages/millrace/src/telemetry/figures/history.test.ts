import assert from "node:assert/strict";
import { test } from "node:test";
import { FigureHistory, type FigurePoint, type ReadStored } from "./history.ts";
import type { MetricsView } from "./metrics-view.ts";
import { noneWaiting } from "./waiting.ts";

const MINUTE = 60_000;

/** A history whose time and figures are set by hand. */
function byHand(stored: FigurePoint[] = []) {
  let now = Date.parse("2026-11-15T10:00:00.000Z");
  let completed = 0;
  let broken = false;
  const asked: Parameters<ReadStored>[0][] = [];
  const history = new FigureHistory({
    read: async () => {
      if (broken) throw new Error("The store is busy.");
      return figures(completed);
    },
    stored: async (range) => {
      asked.push(range);
      return stored;
    },
    now: () => now,
  });
  return {
    history,
    asked,
    now: () => now,
    pass: async (ms: number) => {
      for (const end = now + ms; now < end; ) {
        now += 5_000;
        completed++;
        await history.addPoint();
      }
    },
    fail: (yes: boolean) => {
      broken = yes;
    },
  };
}

test("keeps a point every five seconds and gives those of the last while", async () => {
  const { history, pass } = byHand();
  await pass(10 * MINUTE);
  const { everyMs, points } = await history.since(5 * MINUTE);
  assert.equal(everyMs, 5_000);
  assert.equal(points.length, 60);
  assert.equal(points.at(-1)?.completed, 120);
  assert.equal(points.at(-1)?.perStage["text/running"]?.runP95, 95);
});

test("an hour is thinned out to what a chart can show, and no more than an hour is in memory", async () => {
  const { history, pass, asked } = byHand();
  await pass(3 * 60 * MINUTE);
  const hour = await history.since(60 * MINUTE);
  assert.ok(hour.points.length <= 241 && hour.points.length > 200, `${hour.points.length}`);
  assert.equal(asked.length, 1, "the hour before the start is read once");
});

test("a day, and another time than now, come from the store", async () => {
  const { history, pass, asked, now } = byHand();
  await pass(MINUTE);
  const day = await history.since(24 * 60 * MINUTE);
  assert.equal(day.everyMs, 6 * MINUTE);
  assert.deepEqual(asked.at(-1), { from: now() - 24 * 60 * MINUTE, until: now(), everyMs: 6 * MINUTE });
  const until = now() - 24 * 60 * MINUTE;
  await history.since(15 * MINUTE, { until });
  assert.deepEqual(asked.at(-1), { from: until - 15 * MINUTE, until, everyMs: MINUTE });
});

test("after a restart the counters go on where the stored ones end", async () => {
  const at = new Date(Date.parse("2026-11-15T10:00:00.000Z") - MINUTE).toISOString();
  const { history, pass } = byHand([{ ...figurePoint(700), at }]);
  await pass(MINUTE);
  const { points } = await history.since(15 * MINUTE);
  assert.deepEqual(
    points.slice(0, 3).map(({ completed, perStage }) => [completed, perStage["text/running"]?.completed]),
    [
      [700, 700],
      [700, 700],
      [701, 701],
    ],
  );
});

test("asked for what is newer, it goes on where it was", async () => {
  const { history, pass } = byHand();
  await pass(5 * MINUTE);
  const first = await history.since(60 * MINUTE);
  const after = Date.parse(first.points.at(-1)?.at ?? "");
  assert.deepEqual((await history.since(60 * MINUTE, { after })).points, []);
  await pass(MINUTE);
  const more = await history.since(60 * MINUTE, { after });
  assert.deepEqual([...first.points, ...more.points], (await history.since(60 * MINUTE)).points);
});

test("a store that cannot answer leaves a gap", async () => {
  const { history, pass, fail } = byHand();
  await pass(MINUTE);
  fail(true);
  await pass(MINUTE);
  fail(false);
  await pass(MINUTE);
  assert.equal((await history.since(5 * MINUTE)).points.length, 24);
});

test("of many tenants the busiest are kept", async () => {
  const perTenant = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`t${n}`, { submitted: n, completed: 0, failed: 0, refused: 0 }]),
  );
  const read = async () => ({ ...figures(1), perTenant });
  const history = new FigureHistory({ read, stored: async () => [], now: Date.now });
  await history.addPoint();
  const kept = Object.keys((await history.since(MINUTE)).points[0]?.perTenant ?? {});
  assert.equal(kept.length, 20);
  assert.ok(kept.includes("t99") && !kept.includes("t0"));
});

function figurePoint(completed: number): FigurePoint {
  const stage = { queueSize: 0, idle: 1, busy: 0, error: 0, completed, failed: 0, retries: 0 };
  return {
    ...{ at: "", submitted: completed, completed, failed: 0, cancelled: 0, attemptsFailed: 0, refused: 0 },
    ...{ pending: 0, running: 0, dlq: 0, perTenant: {} },
    perStage: { "text/running": { ...stage, waitP50: 0, waitP95: 0, runP50: 0, runP95: 0 } },
  };
}

function figures(completed: number): MetricsView {
  const percentiles = { p50: 50, p95: 95, p99: 99 };
  return {
    jobsSubmitted: completed,
    jobsCompleted: completed,
    jobsFailed: 0,
    jobsCancelled: 0,
    attemptsFailed: 0,
    submissionsRefused: 0,
    leasesExpired: 0,
    pending: 0,
    running: 0,
    done: completed,
    failed: 0,
    dlq: 0,
    perStage: {
      "text/running": {
        queueSize: 0,
        processors: { idle: 1, busy: 0, error: 0 },
        waitMs: percentiles,
        runMs: percentiles,
        successRate: 1,
        retries: 0,
        completed,
        failed: 0,
      },
    },
    perTenant: {},
    eventLoopDelayMs: percentiles,
    database: { databaseBytes: 1, walBytes: 1 },
    process: { rssBytes: 1, uptimeSeconds: 1 },
    unserved: [],
    waiting: noneWaiting(),
  } as MetricsView;
}
