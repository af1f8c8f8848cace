import assert from "node:assert/strict";
import { test } from "node:test";
import { axisDuration, clock, compact, duration, exact, plural, preview, relative, showTimesIn } from "./format.ts";

test("durations have one or two parts, never more", () => {
  const told = [0, 0.4, 12, 999, 1_000, 2_340, 59_900, 61_000, 120_000, 3_599_000, 3_660_000, 86_400_000, 90_000_000];
  assert.deepEqual(told.map(duration), [
    "0 ms",
    "<1 ms",
    "12 ms",
    "999 ms",
    "1 s",
    "2.3 s",
    "60 s",
    "1 min 1 s",
    "2 min",
    "59 min",
    "1 h 1 min",
    "1 d",
    "1 d 1 h",
  ]);
  assert.deepEqual([0, 500, 90_000, 5_400_000].map(axisDuration), ["0", "500 ms", "1.5 min", "1.5 h"]);
});

test("moments are told from now", () => {
  const now = 1_000_000_000;
  const told = [0, -5_000, 65_000, -7_200_000, 172_800_000].map((away) => relative(now + away, now));
  assert.deepEqual(told, ["now", "5 s ago", "in 1 min", "2 h ago", "in 2 days"]);
});

test("numbers are short, words agree, payloads fit a line", () => {
  assert.deepEqual([0, 3.12, 1_234, 12_345, 2_500_000].map(compact), ["0", "3.1", "1,234", "12.3k", "2.5M"]);
  assert.deepEqual([plural(1, "job"), plural(1_204, "job")], ["1 job", "1,204 jobs"]);
  assert.equal(preview({ text: "hello" }), '{"text":"hello"}');
  assert.equal(preview("x".repeat(200), 10), `${"x".repeat(10)}…`);
});

test("exact times say their zone, which the reader or a schedule chooses", (t) => {
  t.after(() => showTimesIn(undefined));
  const at = Date.parse("2026-11-18T09:00:00.000Z");
  assert.match(exact(at), /^18 Nov 2026, \d\d:00:00 \S+$/);
  showTimesIn("UTC");
  assert.equal(exact(at), "18 Nov 2026, 09:00:00 UTC");
  assert.equal(clock(at), "09:00");
  assert.match(exact(at, "Europe/Berlin"), /^18 Nov 2026, 10:00:00 (CET|GMT\+1)$/);
});
