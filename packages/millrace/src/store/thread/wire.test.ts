import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewJob } from "../verbs/submission.ts";
import { type PackedCalls, packCall, unpackCalls } from "./wire.ts";

test("jobs that say as much, but not the same, arrive as they were sent", () => {
  const other = { kind: "mail", payload: "1", priority: 5 };
  const jobs = [{ kind: "mail", payload: "1", delayMs: undefined }, ...Array.from({ length: 9 }, () => other)];
  const packed: PackedCalls = [];
  packCall(packed, 1, "submit", [[{ tenant: "default", jobs: jobs as NewJob[] }]]);
  assert.deepEqual(unpackCalls(packed).calls, [{ verb: "submit", args: [[{ tenant: "default", jobs }]] }]);
});
