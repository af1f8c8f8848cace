// By simulation: prompts differ in how likely a brand is named, and the samples of one prompt share its likelihood.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type PromptCount, promptInterval } from "./interval.ts";
import { pairedChange } from "./paired.ts";
import { wilson } from "./wilson.ts";

/** The same sequence in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function gamma(shape: number, random: () => number): number {
  if (shape < 1) return gamma(shape + 1, random) * (random() || 1e-12) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(random() || 1e-12)) * Math.cos(2 * Math.PI * random());
    const v = (1 + c * normal) ** 3;
    if (v > 0 && Math.log(random() || 1e-12) < normal ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** A share with this mean; `alike` is the correlation of two samples of one prompt. */
function shareOf(mean: number, alike: number, random: () => number): number {
  const a = gamma((mean * (1 - alike)) / alike, random);
  const b = gamma(((1 - mean) * (1 - alike)) / alike, random);
  return a / (a + b || 1);
}

function draw(share: number, samples: number, random: () => number): PromptCount {
  return { k: Array.from({ length: samples }, () => random()).filter((each) => each < share).length, n: samples };
}

const MEANS = [0.1, 0.25, 0.5, 0.75];

function holds(prompts: number, samples: number, alike: number, interval: typeof promptInterval): number {
  const random = randomFrom(prompts * 1_000 + samples * 10 + alike * 7);
  let held = 0;
  const runs = 500;
  for (const mean of MEANS) {
    for (let i = 0; i < runs; i++) {
      const counts = Array.from({ length: prompts }, () => draw(shareOf(mean, alike, random), samples, random));
      const { low, high } = interval(counts);
      if (low <= mean && mean <= high) held++;
    }
  }
  return held / (runs * MEANS.length);
}

describe("the interval over prompts", () => {
  for (const [prompts, samples] of [
    [10, 3],
    [20, 3],
    [50, 3],
    [10, 1],
    [20, 10],
    [50, 10],
  ] as const) {
    test(`${prompts} prompts with ${samples} samples: the true share is inside for 93 to 97 % of runs`, () => {
      const all = [0.05, 0.3, 0.6, 0.8].map((alike) => holds(prompts, samples, alike, promptInterval));
      const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
      assert.ok(mean >= 0.93 && mean <= 0.97, all.join(" "));
      assert.ok(Math.min(...all) >= 0.92 && Math.max(...all) <= 0.98, all.join(" "));
    });
  }

  test("Wilson's interval over all answers, which was used before, fails it", () => {
    const pooled = (counts: readonly PromptCount[]) =>
      wilson(
        counts.reduce((sum, { k }) => sum + k, 0),
        counts.reduce((sum, { n }) => sum + n, 0),
      );
    assert.ok(holds(10, 10, 0.6, pooled) < 0.65);
  });

  test("has an end for every border", () => {
    assert.deepEqual(promptInterval([]), { low: 0, high: 1 });
    assert.deepEqual(promptInterval([{ k: 0, n: 0 }]), { low: 0, high: 1 });
    for (const counts of [[{ k: 3, n: 3 }], Array.from({ length: 10 }, () => ({ k: 3, n: 3 }))]) {
      const { low, high } = promptInterval(counts);
      assert.ok(low > 0 && low < 1 && high > 0.999, `${low} ${high}`);
    }
    const none = promptInterval(Array.from({ length: 10 }, () => ({ k: 0, n: 3 })));
    assert.ok(none.low < 1e-9 && none.high > 0.2 && none.high < 0.35, JSON.stringify(none));
  });
});

describe("two runs, paired by prompt", () => {
  const RUNS = 600;
  const noticed = (change: number, prompts: number, samples: number) => {
    const random = randomFrom(99);
    const found = Array.from({ length: RUNS }, () => {
      const pairs = Array.from({ length: prompts }, () => {
        const share = shareOf(0.4, 0.5, random);
        const later = Math.min(1, share + change * (1 - share) * 1.667);
        return { before: draw(share, samples, random), after: draw(later, samples, random) };
      });
      return pairedChange(pairs)?.beyondChance === true;
    });
    return found.filter(Boolean).length / RUNS;
  };

  test("no change is called one in at most 6 % of comparisons", () => {
    for (const [prompts, samples] of [
      [10, 3],
      [10, 10],
      [30, 3],
    ] as const)
      assert.ok(noticed(0, prompts, samples) <= 0.06, `${prompts} x ${samples}: ${noticed(0, prompts, samples)}`);
  });

  test("20 points more are noticed where two intervals side by side saw 2 to 16 %", () => {
    assert.ok(noticed(0.2, 10, 10) >= 0.7, String(noticed(0.2, 10, 10)));
    assert.ok(noticed(0.2, 30, 3) >= 0.7, String(noticed(0.2, 30, 3)));
  });

  test("says which change it would notice, and nothing for a single prompt", () => {
    const same = { k: 3, n: 10 };
    const few = pairedChange(Array.from({ length: 5 }, () => ({ before: same, after: same })));
    const many = pairedChange(Array.from({ length: 50 }, () => ({ before: same, after: same })));
    assert.ok(few && many && few.noticeable > many.noticeable && many.noticeable > 0);
    assert.deepEqual([few.difference, few.beyondChance], [0, false]);
    assert.equal(pairedChange([{ before: same, after: same }]), undefined);
  });
});
