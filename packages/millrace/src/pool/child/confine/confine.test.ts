// runtimes: both

import assert from "node:assert/strict";
import { test } from "node:test";
import { type ProgramTrial, probe } from "./confine.ts";

const skip = process.platform !== "linux" && "only Linux confines by programs";

test("limits that a starved machine could not try are not taken for missing ones for good", { skip }, () => {
  const starved = probe(() => "unclear");
  assert.deepEqual(starved, { means: { prefix: [] }, isSure: false });
  const forbidden = probe(() => "fails");
  assert.deepEqual(forbidden, { means: { prefix: [] }, isSure: true });
});

test("a weaker limit counts only until the stronger one has been tried to the end", { skip }, () => {
  const withoutSandbox: ProgramTrial = ([command = ""]) => (/unshare|bwrap/.test(command) ? "unclear" : "works");
  const { means, isSure } = probe(withoutSandbox);
  assert.ok("prefix" in means && !isSure);
});
