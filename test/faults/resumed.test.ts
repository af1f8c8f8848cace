// What a process does that was stopped, as by SIGSTOP or a machine that sleeps, right before a step. FAULT_STOPS=20 is the long run.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { until } from "../support/until.ts";
import type { Member } from "./support/crew.ts";
import { onEachStore } from "./support/stores.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };
const ROUNDS = Number(process.env["FAULT_STOPS"] ?? 1);

onEachStore(({ on, gather }) => {
  test(`on ${on} a process that wakes up after its lease runs no further step, ${ROUNDS} times`, {
    timeout: 30_000 + ROUNDS * 20_000,
  }, async (t) => {
    const crew = await gather(t);
    for (let round = 0; round < ROUNDS; round++) {
      const sleeper = await crew.ready("sleeper", { settings, works: ["single"], sleepsBeforeStep: true });
      const [jobId] = await sleeper.submit("single", [{ key: `${round}`, steps: 1 }]);
      await until("it stands still", () => isStopped(sleeper), 10_000);
      const heir = await crew.ready("heir", { settings, works: ["single"] });
      await crew.allFinished(LEASE_MS + 10_000);
      sleeper.signal("SIGCONT");
      const itsLosses = () => crew.all("lease-lost", sleeper).filter((event) => event.jobId === jobId);
      await until("it knows that its lease is lost", () => itsLosses().length > 0, 10_000);
      assert.deepEqual(crew.all("step-ran", sleeper), [], "the job was complete elsewhere");
      assert.equal(crew.all("step-ran", heir).length, 1);
      for (const member of [sleeper, heir]) assert.deepEqual(await member.stop(), { code: 0, signal: null });
    }
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  });
});

function isStopped({ pid }: Member): boolean {
  return / [tT] /.test(readFileSync(`/proc/${pid}/stat`, "utf8").slice(0, 60));
}
