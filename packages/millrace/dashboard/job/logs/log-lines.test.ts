import assert from "node:assert/strict";
import { test } from "node:test";
import { logText, matchingLines } from "./log-lines.ts";

const LINES = [
  { id: 1, at: "2026-11-15T10:00:00.000Z", level: "debug", message: "begun" },
  { id: 2, at: "2026-11-15T10:00:01.000Z", level: "info", message: "charged", data: { order: "A-17" } },
  { id: 3, at: "2026-11-15T10:00:02.000Z", level: "error", message: "Card refused" },
] as const;

test("lines are found by level, message and data", () => {
  const ids = (search: string, level: "debug" | "info" | "error") =>
    matchingLines(LINES as never, search, level).map(({ id }) => id);
  assert.deepEqual(ids("", "debug"), [1, 2, 3]);
  assert.deepEqual(ids("", "info"), [2, 3]);
  assert.deepEqual(ids("card", "debug"), [3]);
  assert.deepEqual(ids("a-17", "debug"), [2]);
  assert.deepEqual(ids("begun", "error"), []);
});

test("a saved log has a line for each, with its data", () => {
  assert.equal(logText(LINES as never).split("\n")[1], '2026-11-15T10:00:01.000Z info charged {"order":"A-17"}');
});
