import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "./command.ts";
import { duration, filterOf, given, moment, oneOf, whole } from "./flags.ts";

const NOW = Date.parse("2026-11-15T10:00:00Z");

test("a filter holds what was given, with moments as the API takes them", () => {
  assert.deepEqual(filterOf({}), {});
  assert.deepEqual(filterOf({ kind: "text", search: "a", since: "2h" }, NOW), {
    kind: "text",
    q: "a",
    since: "2026-11-15T08:00:00.000Z",
  });
});

test("moments are a time or a distance, ahead or back", () => {
  assert.equal(moment("run-at", "10m", NOW, 1), "2026-11-15T10:10:00.000Z");
  assert.equal(moment("since", "2026-11-01T00:00:00Z", NOW, -1), "2026-11-01T00:00:00.000Z");
  for (const text of ["yesterday", "2026-13-01", "12", ""])
    assert.throws(() => moment("since", text, NOW, -1), UsageError);
});

test("values out of range are refused with what is allowed", () => {
  assert.equal(whole("n", "-3", { min: -5, max: 5 }), -3);
  for (const text of ["6", "1.5", "x", "", "1e3"]) {
    assert.throws(() => whole("n", text, { min: -5, max: 5 }), /--n is ".*"\. Allowed: a whole number from -5 to 5\./);
  }
  assert.throws(() => duration("delay", "5"), /--delay is "5"/);
  assert.throws(() => oneOf("from", "middle", ["start", "end"]), /Allowed: start or end/);
  assert.deepEqual(given({ a: 1, b: undefined, c: false }), { a: 1, c: false });
});
