// alone
// runtimes: bun or node

import assert from "node:assert/strict";
import { test } from "node:test";
import { scaled } from "../support/slowness.ts";
import { Crew } from "./support/crew.ts";
import { blocksItsLoop } from "./support/scenarios.ts";

/** Longer on a busy machine: a process that gets no processor for a second would lose it. */
const LEASE_MS = scaled(1_000);
const settings = { leaseMs: LEASE_MS };

test(
  "a processor that blocks its loop for three leases keeps its job, and its neighbours theirs",
  {
    timeout: 30_000,
  },
  (t) => blocksItsLoop(new Crew(t)),
);

test("while a loop is blocked, another process still submits and is answered", { timeout: 30_000 }, async (t) => {
  const crew = new Crew(t);
  const blocked = await crew.ready("blocked", { settings, works: ["single"] });
  const submitter = await crew.ready("submitter", { settings });
  await blocked.submit("single", [{ key: "blocks", spinMs: 2 * LEASE_MS }]);
  const since = performance.now();
  await submitter.submit("single", [{ key: "meanwhile" }]);
  assert.ok(performance.now() - since < LEASE_MS, "answered while the other spins");
  await crew.allFinished(10_000);
  for (const member of [blocked, submitter]) await member.stop();
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});
