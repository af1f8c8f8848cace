import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import { Crew } from "./support/crew.ts";
import { sleepsThroughItsLease } from "./support/scenarios.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };
const ROUNDS = rounds("FAULT_STOPS", 3, 20);

test(
  `a process stopped beyond its lease and continued has all late writes refused, ${ROUNDS} times`,
  {
    timeout: 30_000 + ROUNDS * 10_000,
  },
  (t) => sleepsThroughItsLease(new Crew(t), ROUNDS),
);

test("the work of a stopped process runs elsewhere after its lease, not before", { timeout: 30_000 }, async (t) => {
  const crew = new Crew(t);
  const gate = crew.gate("work");
  const heir = await crew.ready("heir", { settings });
  const sleeper = await crew.ready("sleeper", { settings, works: ["single"] });
  await sleeper.submit("single", [{ key: "a", gate }]);
  await until("it is in hand", () => crew.all("attempt-started").length === 1, 5_000);
  const worker = await crew.ready("worker", { settings, works: ["single"] });
  await crew.pause(sleeper);
  const stoppedAt = Date.now();
  await until("another has it", () => crew.all("claimed", worker).length === 1, LEASE_MS + 5_000);
  const tookMs = (crew.all("claimed", worker)[0]?.at ?? 0) - stoppedAt;
  console.log(`stop.test: lease ${LEASE_MS} ms, claimed elsewhere ${tookMs} ms after SIGSTOP`);
  assert.ok(tookMs >= LEASE_MS / 3, `the lease was renewed at most a third of it ago: ${tookMs} ms`);
  assert.ok(tookMs <= LEASE_MS + 2_000, `${tookMs} ms`);
  crew.open(gate);
  sleeper.signal("SIGCONT");
  await crew.allFinished(5_000);
  for (const member of [sleeper, worker, heir]) await member.stop();
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});
