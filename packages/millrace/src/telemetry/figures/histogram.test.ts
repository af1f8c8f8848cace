import assert from "node:assert/strict";
import { test } from "node:test";
import { Histogram } from "./histogram.ts";

test("percentiles are within a tenth of the truth over the whole range", () => {
  for (const scale of [0.2, 3, 70, 4_000, 3_000_000]) {
    const histogram = new Histogram();
    for (let i = 1; i <= 1_000; i++) histogram.record((scale * i) / 1_000);
    const { p50, p95, p99 } = histogram.percentiles();
    for (const [found, truth] of [
      [p50, scale / 2],
      [p95, scale * 0.95],
      [p99, scale * 0.99],
    ] as const) {
      assert.ok(Math.abs(found - truth) <= truth * 0.1 + 0.01, `${found} for ${truth}`);
    }
  }
});

test("an empty window has percentiles of 0, and odd durations do no harm", () => {
  const histogram = new Histogram();
  assert.deepEqual(histogram.percentiles(), { p50: 0, p95: 0, p99: 0 });
  for (const ms of [0, -1, 1e12]) histogram.record(ms);
  assert.equal(histogram.cumulative().count, 3);
  assert.ok(histogram.percentiles().p99 >= 3_600_000);
});

test("what lies two turns back has left the window, but not the sums since the start", () => {
  const histogram = new Histogram();
  histogram.record(10_000);
  histogram.turn();
  histogram.record(1);
  assert.ok(histogram.percentiles().p99 > 5_000, "still in the window");
  histogram.turn();
  assert.ok(histogram.percentiles().p99 < 2, "only the second is left");
  histogram.turn();
  assert.equal(histogram.percentiles().p99, 0);
  const { count, sumSeconds } = histogram.cumulative();
  assert.deepEqual([count, sumSeconds], [2, 10.001]);
});

test("cumulative counts grow from bound to bound, up to all but what is beyond the last", () => {
  const histogram = new Histogram();
  for (const ms of [0.05, 0.1, 0.15, 5, 5_000_000]) histogram.record(ms);
  const { bounds, counts, count } = histogram.cumulative();
  assert.deepEqual(bounds.slice(0, 4), [0.0001, 0.0002, 0.0004, 0.0008]);
  assert.deepEqual(counts.slice(0, 2), [2, 3]);
  assert.equal(counts.at(-1), 4);
  assert.equal(count, 5);
});
