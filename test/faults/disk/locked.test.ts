// runtimes: both

// A process stopped in the middle of a commit keeps the file's one write lock, and somebody's statement may lock the tables of
// a database: all others wait for it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import type { Member } from "../support/crew.ts";
import { onEachStore } from "../support/stores.ts";

/** Longer on a busy machine: a process that gets no processor for a second would lose it. */
const LEASE_MS = scaled(1_000);
const settings = { leaseMs: LEASE_MS };

onEachStore(({ on, gather }) => {
  test(`${on} locked for six leases: submissions hear so within 5 s, reads go on, nobody loses a job`, {
    timeout: 60_000,
  }, async (t) => {
    const crew = await gather(t);
    const gate = crew.gate("work");
    const left = await crew.ready("left", { settings, works: ["single"] });
    const right = await crew.ready("right", { settings, works: ["single"] });
    const submitter = await crew.ready("submitter", { settings });
    const jobIds = await submitter.submit(
      "single",
      Array.from({ length: 6 }, (_, i) => ({ key: `in hand ${i}`, gate })),
    );
    await until("they are in hand", () => crew.all("attempt-started").length === jobIds.length, 5_000);

    const unlock = await crew.lock();
    const since = performance.now();
    // From a process that only submits, and from one whose pools and leases ask for the lock all the time.
    const answers = await Promise.all([submitter, left].map((member) => refusal(member)));
    for (const { code, tookMs } of answers) {
      assert.equal(code, "store-unavailable");
      assert.ok(tookMs <= scaled(5_000), `answered after ${Math.round(tookMs)} ms`);
    }
    const again = await refusal(left);
    assert.equal(again.code, "store-unavailable");
    assert.ok(again.tookMs <= scaled(5_000), `answered after ${Math.round(again.tookMs)} ms`);
    const asked = performance.now();
    const found = await left.ask<{ state: string }>({ do: "find", jobId: jobIds[0] as string });
    assert.equal(found.state, "running", "reads go on");
    const figures = [...answers, again].map(({ tookMs }) => Math.round(tookMs)).join(", ");
    console.log(`locked.test: refused after ${figures} ms, a read took ${Math.round(performance.now() - asked)} ms`);
    await until("six leases have passed", () => performance.now() - since > 6 * LEASE_MS, 10_000);
    await unlock();

    await submitter.submit("single", [{ key: "accepted again" }]);
    await until("all renewed their leases", () => crew.allBeatWithin(LEASE_MS), 5_000);
    crew.open(gate);
    await crew.allFinished(10_000);
    for (const member of [left, right, submitter])
      assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
    assert.equal(crew.all("lease-expired").length, 0, "who could not renew himself takes nobody for dead");
    assert.equal(crew.all("attempt-started").length, jobIds.length + 1, "one attempt each");
  });
});

async function refusal(member: Member): Promise<{ code: string; tookMs: number }> {
  const since = performance.now();
  const code = await member.submit("single", [{ key: `refused ${member.by} ${since}` }]).then(
    () => "accepted",
    (error: { code: string }) => error.code,
  );
  return { code, tookMs: performance.now() - since };
}
