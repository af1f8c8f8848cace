import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ManualClock, sharedOffsets, systemClock } from "./clock.ts";

describe("clocks", () => {
  test("a manual clock stands still until it is moved, and a jump moves wall time alone", () => {
    const clock = new ManualClock(new Date("2026-01-01T00:00:00Z"));
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    assert.equal(now, Date.UTC(2026, 0, 1));
    clock.advance(5);
    clock.jump(-100);
    assert.equal(clock.now(), now - 95);
    assert.equal(clock.monotonic(), monotonic + 5);
  });

  test("offsets shift the machine's clocks: the first wall time, the second both", () => {
    const offsets = sharedOffsets();
    const clock = systemClock(offsets);
    offsets[0] = 3_600_000;
    offsets[1] = 60_000;
    const ahead = clock.now() - Date.now();
    assert.ok(Math.abs(ahead - 3_660_000) < 1_000);
    assert.ok(Math.abs(clock.monotonic() - performance.now() - 60_000) < 1_000);
    assert.ok(offsets.buffer instanceof SharedArrayBuffer);
  });
});
