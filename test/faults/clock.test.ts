// The wall clock set forward and back while real processes work. One machine has one clock, so all are told at once.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { scaled } from "../support/slowness.ts";
import { holds, until } from "../support/until.ts";
import { Crew, type Member } from "./support/crew.ts";

/** Longer on a busy machine: a process that gets no processor for that long would lose its leases. */
const LEASE_MS = scaled(2_000);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// What has ended is kept for an hour that really passes, so all of it is there at the end.
const settings = { leaseMs: LEASE_MS, finishedRetentionMs: HOUR_MS, cleanupIntervalMs: 200 };
const OFFSETS = [HOUR_MS, -HOUR_MS, DAY_MS, -DAY_MS, 0, 1_900, 0];

test("the clock set an hour and a day forward and back in mid-run ends nobody's lease", {
  timeout: 60_000,
}, async (t) => {
  const crew = new Crew(t);
  const gate = crew.gate("work");
  const members = await Promise.all(
    ["left", "right"].map((name) => crew.ready(name, { settings, works: ["single", "five"] })),
  );
  const submitter = await crew.ready("submitter", {
    settings,
    submits: { kinds: ["single", "five"], pauseMs: 40, lanes: 2 },
  });
  const held = await submitter.submit(
    "single",
    Array.from({ length: 6 }, (_, i) => ({ key: `held ${i}`, gate })),
  );
  const started = () => crew.all("attempt-started").filter((event) => held.includes(event.jobId));
  await until("they are in hand", () => started().length === held.length, 10_000);
  for (const offsetMs of OFFSETS) {
    await setClocks([...members, submitter], offsetMs);
    await holds(
      `nobody's lease expired with the clock ${offsetMs} ms off`,
      () => crew.all("lease-expired").length === 0,
      1.5 * LEASE_MS,
    );
  }
  await submitter.ask({ do: "stop-submitting" });
  crew.open(gate);
  await crew.allFinished(10_000);
  for (const member of [...members, submitter])
    assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  assert.equal(started().length, held.length, "one attempt each");
  assert.equal(crew.all("lease-lost").length, 0);
  const submitted = crew.all("submit-acknowledged").length;
  console.log(`clock.test: ${submitted} jobs while the clock was set ${OFFSETS.length} times, no lease expired`);
});

test("scheduled jobs run when the corrected clock says so", { timeout: 30_000 }, async (t) => {
  const crew = new Crew(t);
  const worker = await crew.ready("worker", { settings, works: ["single"] });
  const [inTwoHours] = await worker.submit("single", [{ key: "in two hours" }], { delayMs: 2 * HOUR_MS });
  const [atOnce] = await worker.submit("single", [{ key: "in half a second" }], { delayMs: 500 });
  await setClocks([worker], -HOUR_MS);
  await holds("the clock went back before it was due", () => claims(crew, atOnce) === 0, 1_500);
  await setClocks([worker], 0);
  await startsWithin(crew, atOnce, 1_000);
  await setClocks([worker], HOUR_MS);
  await holds("there is an hour to go", () => claims(crew, inTwoHours) === 0, 1_000);
  await setClocks([worker], 2 * HOUR_MS + 1_000);
  await startsWithin(crew, inTwoHours, 1_000);
  await crew.allFinished(5_000);
  await worker.stop();
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});

test("jobs of a process that died before the clock was set back do not wait until that hour has come again", {
  timeout: 30_000,
}, async (t) => {
  const crew = new Crew(t);
  const gate = crew.gate("work");
  const victim = await crew.ready("victim", { settings, works: ["single"] });
  await victim.submit("single", [{ key: "a", gate }]);
  await until("it is in hand", () => crew.all("attempt-started").length === 1, 5_000);
  await crew.kill(victim);
  crew.open(gate);
  moveLeaseAhead(crew.db, HOUR_MS);
  const newcomer = await crew.ready("newcomer", { settings, works: ["single"] });
  await crew.allFinished(LEASE_MS + 5_000);
  await newcomer.stop();
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});

async function setClocks(members: Member[], offsetMs: number): Promise<void> {
  await Promise.all(members.map((member) => member.ask({ do: "set-clock", offsetMs })));
}

async function startsWithin(crew: Crew, jobId: string | undefined, ms: number): Promise<void> {
  await until("the scheduled job starts", () => claims(crew, jobId) === 1, ms);
}

function claims(crew: Crew, jobId: string | undefined): number {
  return crew.all("claimed").filter((event) => event.jobId === jobId).length;
}

/** As a clock leaves it that was ahead and has been set right; of a machine whose processes we cannot look up. */
function moveLeaseAhead(path: string, ms: number): void {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    db.prepare("UPDATE instance SET expires_at = expires_at + ?, beat_at = beat_at + ?, place = NULL").run(ms, ms);
  } finally {
    db.close();
  }
}
