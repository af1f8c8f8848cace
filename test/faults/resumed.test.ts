// What a process does that was stopped, as by SIGSTOP or a machine that sleeps, right before a step. FAULT_STOPS=20 is the long run.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { until } from "../support/until.ts";
import type { Crew, Member } from "./support/crew.ts";
import { onEachStore } from "./support/stores.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };
const ROUNDS = Number(process.env["FAULT_STOPS"] ?? 1);

// Before the first step the process has just asked for its lease. Before the second, the first was just stored.
const STEPS = [1, 2];

onEachStore(({ on, gather }) => {
  for (const step of STEPS) {
    test(`on ${on} a process that wakes up after its lease, before step ${step}, runs no further step, ${ROUNDS} times`, {
      timeout: 30_000 + ROUNDS * 20_000,
    }, async (t) => {
      const crew = await gather(t);
      for (let round = 0; round < ROUNDS; round++) await stopBefore(step, crew, `${round}`);
      assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
    });
  }
});

async function stopBefore(step: number, crew: Crew, key: string): Promise<void> {
  const sleeper = await crew.ready("sleeper", { settings, works: ["single"], sleepsBeforeStep: step });
  const [jobId] = await sleeper.submit("single", [{ key, steps: STEPS.length }]);
  await until("it stands still", () => isStopped(sleeper), 10_000);
  const heir = await crew.ready("heir", { settings, works: ["single"] });
  await crew.allFinished(LEASE_MS + 10_000);
  sleeper.signal("SIGCONT");
  const itsLosses = () => crew.all("lease-lost", sleeper).filter((event) => event.jobId === jobId);
  await until("it knows that its lease is lost", () => itsLosses().length > 0, 10_000);
  assert.equal(crew.all("step-ran", sleeper).length, step - 1, "the job was complete elsewhere");
  assert.equal(crew.all("step-ran", heir).length, STEPS.length - step + 1);
  for (const member of [sleeper, heir]) assert.deepEqual(await member.stop(), { code: 0, signal: null });
}

function isStopped({ pid }: Member): boolean {
  return / [tT] /.test(readFileSync(`/proc/${pid}/stat`, "utf8").slice(0, 60));
}
