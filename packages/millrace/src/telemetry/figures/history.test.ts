import assert from "node:assert/strict";
import { test } from "node:test";
import { FigureHistory } from "./history.ts";
import type { MetricsView } from "./metrics-view.ts";
import { noneWaiting } from "./waiting.ts";

const MINUTE = 60_000;

/** A history whose time and figures are set by hand. */
function byHand() {
  let now = Date.parse("2026-11-15T10:00:00.000Z");
  let completed = 0;
  let broken = false;
  const history = new FigureHistory(
    async () => {
      if (broken) throw new Error("The store is busy.");
      return figures(completed);
    },
    () => now,
  );
  return {
    history,
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
  const { everyMs, points } = history.since(5 * MINUTE);
  assert.equal(everyMs, 5_000);
  assert.equal(points.length, 60);
  assert.equal(points.at(-1)?.completed, 120);
  assert.equal(points.at(-1)?.perStage["text/running"]?.runP95, 95);
});

test("an hour is thinned out to what a chart can show, a day comes from points a minute apart", async () => {
  const { history, pass, now } = byHand();
  await pass(30 * 60 * MINUTE);
  const hour = history.since(60 * MINUTE);
  assert.ok(hour.points.length <= 241 && hour.points.length > 200, `${hour.points.length}`);
  const day = history.since(24 * 60 * MINUTE);
  assert.ok(day.points.length <= 241 && day.points.length > 200, `${day.points.length}`);
  assert.ok(Date.parse(day.points[0]?.at ?? "") <= now() - 23 * 60 * MINUTE);
});

test("asked for what is newer, it goes on where it was", async () => {
  const { history, pass } = byHand();
  await pass(5 * MINUTE);
  const first = history.since(60 * MINUTE);
  const after = Date.parse(first.points.at(-1)?.at ?? "");
  assert.deepEqual(history.since(60 * MINUTE, after).points, []);
  await pass(MINUTE);
  const more = history.since(60 * MINUTE, after);
  assert.deepEqual([...first.points, ...more.points], history.since(60 * MINUTE).points);
});

test("a store that cannot answer leaves a gap", async () => {
  const { history, pass, fail } = byHand();
  await pass(MINUTE);
  fail(true);
  await pass(MINUTE);
  fail(false);
  await pass(MINUTE);
  assert.equal(history.since(5 * MINUTE).points.length, 24);
});

test("of many tenants the busiest are kept", async () => {
  const perTenant = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`t${n}`, { submitted: n, completed: 0, failed: 0, refused: 0 }]),
  );
  const history = new FigureHistory(async () => ({ ...figures(1), perTenant }), Date.now);
  await history.addPoint();
  const kept = Object.keys(history.since(MINUTE).points[0]?.perTenant ?? {});
  assert.equal(kept.length, 20);
  assert.ok(kept.includes("t99") && !kept.includes("t0"));
});

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
