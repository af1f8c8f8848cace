import assert from "node:assert/strict";
import { test } from "node:test";
import type { FigurePoint } from "../../src/client/index.ts";
import { changeSince, ratePerMinute, valuesAt } from "./rates.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-18T10:00:00.000Z");
const read = (point: FigurePoint) => point.completed;

function points(...all: (readonly [minute: number, completed: number])[]): FigurePoint[] {
  return all.map(([minute, completed]) => {
    return { at: new Date(START + minute * MINUTE).toISOString(), completed } as FigurePoint;
  });
}

test("a counter that starts again from zero never gives a negative rate", () => {
  assert.deepEqual(ratePerMinute(points([0, 10], [1, 30], [2, 0], [3, 5]), read), [null, 20, 0, 5]);
});

test("a stretch without points is a gap, not the mean of what happened after it", () => {
  assert.deepEqual(ratePerMinute(points([0, 0], [1, 10], [2, 20], [60, 900], [61, 910]), read), [
    null,
    10,
    10,
    null,
    10,
  ]);
});

test("another line is read at the same times, unless its value is too old", () => {
  const line = { times: [0, 60, 120].map((s) => s * 1_000), values: [1, 2, null] };
  assert.deepEqual(valuesAt([-1_000, 30_000, 65_000, 130_000, 700_000], line, 100_000), [null, 1, 2, null, null]);
});

test("growth is compared with yesterday's only where both ranges are alike", () => {
  const [today, yesterday] = [points([0, 0], [60, 300]), points([0, 1_000], [60, 1_200])];
  assert.equal(changeSince(today, yesterday, read), 0.5);
  assert.equal(changeSince(today, points([50, 0], [60, 40]), read), null);
  assert.equal(changeSince(today, points([0, 7], [60, 7]), read), null);
  assert.equal(changeSince([], yesterday, read), null);
});
