// runtimes: bun
import assert from "node:assert/strict";
import { test } from "node:test";
import { slownessOf } from "./slowness.ts";

const AFTER_MS = 300;

test("an attempt is slow by the time it worked, and extremely so by what it ran", () => {
  assert.equal(slownessOf({ workMs: 299, ranMs: 299 }, AFTER_MS), "none");
  assert.equal(slownessOf({ workMs: 300, ranMs: 300 }, AFTER_MS), "some");
  assert.equal(slownessOf({ workMs: 1_199, ranMs: 1_199 }, AFTER_MS), "some");
  assert.equal(slownessOf({ workMs: 1_200, ranMs: 1_200 }, AFTER_MS), "extreme");
});

test("one that waits has twice as long before it counts as extreme", () => {
  assert.equal(slownessOf({ workMs: 2_399, ranMs: 10 }, AFTER_MS), "some");
  assert.equal(slownessOf({ workMs: 2_400, ranMs: 10 }, AFTER_MS), "extreme");
});

test("where nobody can tell what it ran, all of its time counts", () => {
  assert.equal(slownessOf({ workMs: 1_200 }, AFTER_MS), "extreme");
});
