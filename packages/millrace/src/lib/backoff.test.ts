import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { backoffMs } from "./backoff.ts";

const range = { baseMs: 1_000, maxMs: 300_000 };

describe("backoff", () => {
  test("the longest pause doubles with every attempt up to the bound", () => {
    const longest = [1, 2, 3, 4, 9, 10, 50, 5_000].map((attempt) => backoffMs(attempt, range, () => 1));
    assert.deepEqual(longest, [1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000, 300_000]);
  });

  test("full jitter: a pause lies anywhere from nothing to the longest, as a whole number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
        const pause = backoffMs(attempt, range, () => chance);
        return Number.isInteger(pause) && pause >= 0 && pause <= Math.min(300_000, 1_000 * 2 ** (attempt - 1));
      }),
    );
    assert.equal(
      backoffMs(5, range, () => 0),
      0,
    );
  });
});
