import assert from "node:assert/strict";
import { test } from "node:test";
import { isTraceParent, packTrace, unpackTrace } from "./trace-parent.ts";

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("a trace parent is told from what only looks like one", () => {
  assert.equal(isTraceParent(PARENT), true);
  const wrong = [
    "",
    "x",
    PARENT.toUpperCase(),
    `${PARENT}-00`,
    PARENT.replace("00-", "ff-"),
    PARENT.replace(/4bf.{29}/, "0".repeat(32)),
    PARENT.replace("00f067aa0ba902b7", "0".repeat(16)),
  ];
  for (const text of wrong) assert.equal(isTraceParent(text), false, text);
});

test("id and parent come back from the one field they are kept in", () => {
  assert.equal(packTrace({}), null);
  for (const trace of [
    { traceId: "abc" },
    { traceId: "abc", traceParent: PARENT },
    { traceId: "with a space" },
    { traceId: "with a space", traceParent: PARENT },
    { traceId: PARENT },
  ]) {
    assert.deepEqual(unpackTrace(packTrace(trace) as string), trace);
  }
});

test("a parent alone brings its own id", () => {
  assert.deepEqual(unpackTrace(packTrace({ traceParent: PARENT }) as string), {
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    traceParent: PARENT,
  });
});
