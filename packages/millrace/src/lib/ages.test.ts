import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ages } from "./ages.ts";
import { ManualClock } from "./clock.ts";

const HOUR_MS = 3_600_000;

describe("ages", () => {
  test("are those of the wall clock while nobody sets it", () => {
    const clock = new ManualClock();
    const ages = new Ages(clock);
    clock.advance(10 * HOUR_MS);
    assert.equal(ages.before(HOUR_MS), clock.now() - HOUR_MS);
    clock.jump(1_000);
    assert.equal(ages.before(HOUR_MS), clock.now() - HOUR_MS, "nudged, not set");
  });

  test("of what was before the clock was set forward count from the time that really passed", () => {
    const clock = new ManualClock();
    const ages = new Ages(clock);
    const ended = clock.now();
    clock.jump(5 * HOUR_MS);
    assert.ok(ages.before(HOUR_MS) < ended, "no time has passed");
    clock.advance(HOUR_MS - 1);
    assert.ok(ages.before(HOUR_MS) < ended);
    const endedLater = clock.now();
    clock.advance(1);
    assert.ok(ages.before(HOUR_MS) >= ended);
    clock.advance(HOUR_MS - 2);
    assert.ok(ages.before(HOUR_MS) < endedLater);
    clock.advance(1);
    assert.equal(ages.before(HOUR_MS), endedLater, "what came after it counts as ever");
  });

  test("a clock that is set back to where it was leaves nothing behind", () => {
    const clock = new ManualClock();
    const ages = new Ages(clock);
    clock.jump(24 * HOUR_MS);
    ages.before(1);
    clock.advance(HOUR_MS);
    clock.jump(-24 * HOUR_MS);
    assert.equal(ages.before(HOUR_MS), clock.now() - HOUR_MS);
    clock.jump(-HOUR_MS);
    assert.equal(
      ages.before(HOUR_MS),
      clock.now() - HOUR_MS,
      "set back alone: things look younger and are kept longer",
    );
  });

  test("whatever is done to the clock, nothing counts as older than it is", () => {
    for (let seed = 1; seed <= 200; seed++) {
      let state = seed;
      const random = (most: number) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % most;
      };
      const clock = new ManualClock();
      const ages = new Ages(clock);
      const ended: { at: number; monotonic: number }[] = [];
      for (let i = 0; i < 60; i++) {
        clock.advance(random(HOUR_MS));
        if (random(4) === 0) clock.jump(random(10 * HOUR_MS) - 3 * HOUR_MS);
        const ageMs = random(6 * HOUR_MS);
        const before = ages.before(ageMs);
        for (const each of ended) {
          const young = clock.monotonic() - each.monotonic < ageMs - 2_000;
          assert.ok(!(young && each.at <= before), `seed ${seed}, step ${i}`);
        }
        ended.push({ at: clock.now(), monotonic: clock.monotonic() });
      }
    }
  });
});
