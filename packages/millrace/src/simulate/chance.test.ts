import assert from "node:assert/strict";
import { test } from "node:test";
import { Agenda } from "./agenda.ts";
import { drawPause, drawRunMs, meanRunMs, type RunTime, seededRandom } from "./chance.ts";
import { Samples } from "./samples.ts";

function drawn(count: number, draw: (random: () => number) => number): Samples {
  const random = seededRandom(7);
  const samples = new Samples();
  for (let i = 0; i < count; i++) samples.add(draw(random));
  return samples;
}

test("run times have the median, the 95th percentile and the mean that they are told", () => {
  const runTime: RunTime = { median: 200, p95: 600 };
  const samples = drawn(20_000, (random) => drawRunMs(runTime, random));
  const isNear = (value: number, wanted: number) => Math.abs(value / wanted - 1) < 0.05;
  assert.ok(isNear(samples.quantile(0.5), 200));
  assert.ok(isNear(samples.quantile(0.95), 600));
  assert.ok(isNear(samples.mean, meanRunMs(runTime)));
  const even = drawn(20_000, (random) => drawRunMs({ min: 100, max: 300 }, random));
  assert.ok(even.quantile(0) >= 100 && even.quantile(1) <= 300 && isNear(even.mean, 200));
  assert.equal(drawRunMs(50, seededRandom(1)), 50);
});

test("pauses between arrivals have their mean, and come in every length", () => {
  const samples = drawn(20_000, (random) => drawPause(100, random));
  assert.ok(Math.abs(samples.mean - 100) < 5);
  // Two thirds of an exponential distribution stay below its mean.
  assert.ok(Math.abs(samples.quantile(1 - Math.exp(-1)) - 100) < 5);
});

test("an agenda gives what comes first, and of one moment what was added first", () => {
  const agenda = new Agenda<string>();
  const random = seededRandom(3);
  const times = Array.from({ length: 500 }, () => Math.floor(random() * 50));
  for (const [i, at] of times.entries()) agenda.add(at, `${at}:${i}`);
  const expected = times.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at || a.i - b.i);
  for (const { at, i } of expected) {
    assert.equal(agenda.nextAt, at);
    assert.equal(agenda.take(), `${at}:${i}`);
  }
  assert.deepEqual([agenda.take(), agenda.nextAt], [undefined, Number.POSITIVE_INFINITY]);
});
