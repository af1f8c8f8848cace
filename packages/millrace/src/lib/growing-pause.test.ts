import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ManualClock } from "./clock.ts";
import { GrowingPause, retry } from "./growing-pause.ts";

describe("growing pauses", () => {
  test("each pause is twice as long as the one before, up to the limit", () => {
    const pause = new GrowingPause({ firstMs: 100, longestMs: 500 }, new ManualClock());
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => pause.begin()),
      [100, 200, 400, 500, 500],
    );
    pause.reset();
    assert.equal(pause.begin(), 100);
  });

  test("a pause is over when its time has passed, and a reset does not cut it short", () => {
    const clock = new ManualClock();
    const pause = new GrowingPause({ firstMs: 100, longestMs: 500 }, clock);
    assert.equal(pause.isOver, true, "nothing has failed yet");
    pause.begin();
    pause.reset();
    clock.advance(99);
    assert.equal(pause.isOver, false);
    clock.advance(1);
    assert.equal(pause.isOver, true);
  });
});

describe("retry", () => {
  test("repeats what fails after growing pauses, and returns its first success", async () => {
    const pauses: number[] = [];
    let failures = 3;
    const work = async () => {
      if (failures-- > 0) throw new Error("away");
      return "done";
    };
    const mayRetry = (_error: unknown, pauseMs: number) => pauses.push(pauseMs) > 0;
    assert.equal(await retry(work, { firstMs: 1, longestMs: 3 }, mayRetry), "done");
    assert.deepEqual(pauses, [1, 2, 3]);
  });

  test("throws the error that may not be retried, without a pause", async () => {
    const fails = () => Promise.reject(new Error("wrong"));
    await assert.rejects(
      retry(fails, { firstMs: 60_000, longestMs: 60_000 }, () => false),
      /wrong/,
    );
  });
});
