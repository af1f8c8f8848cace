import assert from "node:assert/strict";
import { test } from "node:test";
import { durationMs } from "./duration.ts";

test("a duration is a number of milliseconds or parts that are added up", () => {
  assert.equal(durationMs("It", 1_500), 1_500);
  assert.equal(durationMs("It", { days: 1, hours: 12, minutes: 1, seconds: 2, ms: 3 }), 129_662_003);
  assert.equal(durationMs("It", { seconds: 0.0001 }), 1, "whole milliseconds, rounded up");
  assert.equal(durationMs("It", 0), 0);
});

test("an invalid duration is refused with the argument's name", () => {
  const refusals: [unknown, RegExp][] = [
    [-1, /^The timeout must be between 0 and ten years/],
    [Number.NaN, /between 0 and ten years/],
    [{ days: 4_000 }, /between 0 and ten years/],
    [{}, /number of milliseconds or an object such as \{ hours: 2 \}/],
    [undefined, /number of milliseconds or an object/],
    ["2h", /number of milliseconds or an object/],
    [{ hour: 2 }, /The timeout has the unknown unit "hour"\. Did you mean "hours"\?/],
    [{ hours: "2" }, /invalid number of hours/],
  ];
  for (const [value, message] of refusals) {
    assert.throws(() => durationMs("The timeout", value as number), { code: "invalid-request", message });
  }
});
