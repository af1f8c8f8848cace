// alone
// runtimes: both

import assert from "node:assert/strict";
import test from "node:test";
import { Crew } from "./crew.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };

test("a processor that blocks its loop for three leases keeps its job, and its neighbours theirs", {
  timeout: 30_000,
}, async (t) => {
  const crew = new Crew(t);
  const blocked = await crew.ready("blocked", { settings, works: ["single"] });
  const submitter = await crew.ready("submitter", { settings });
  const jobIds = await submitter.submit("single", [
    { key: "waits beside it", waitMs: 50 },
    { key: "blocks", spinMs: 3.5 * LEASE_MS },
  ]);
  // Somebody who would take over at the first sign of death.
  const heir = await crew.ready("heir", { settings, works: ["single"] });
  await crew.allFinished(20_000);
  for (const member of [blocked, submitter, heir]) assert.deepEqual(await member.stop(), { code: 0, signal: null });
  assert.deepEqual(crew.problems({ leaseMs: LEASE_MS }), []);
  assert.equal(crew.all("attempt-started").length, jobIds.length, "one attempt each");
  assert.equal(crew.all("lease-expired").length, 0);
  assert.equal(crew.all("lease-lost").length, 0);
  assert.ok([...crew.facts().jobs.values()].every((job) => job.crashes === 0 && job.failures === 0));
});

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
  assert.deepEqual(crew.problems({ leaseMs: LEASE_MS }), []);
});
