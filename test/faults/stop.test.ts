import assert from "node:assert/strict";
import test from "node:test";
import { Crew, type Member } from "./crew.ts";
import { until } from "./until.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };
const ROUNDS = Number(process.env["FAULT_STOPS"] ?? 3);
const JOBS = 4;

test(`a process stopped beyond its lease and continued has all late writes refused, ${ROUNDS} times`, {
  timeout: 30_000 + ROUNDS * 10_000,
}, async (t) => {
  const crew = new Crew(t);
  const sleeper = await crew.ready("sleeper", { settings, works: ["single"] });
  const slept = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const gate = crew.gate(`${round}`);
    const errands = Array.from({ length: JOBS }, (_, i) => ({ key: `${round}.${i}`, gate, stubborn: true, steps: 1 }));
    const jobIds = await sleeper.submit("single", errands);
    const claims = () => crew.all("claimed", sleeper).filter((event) => jobIds.includes(event.jobId));
    const started = () => crew.all("attempt-started", sleeper).filter((event) => jobIds.includes(event.jobId));
    await until("the sleeper has the jobs in hand", () => started().length === JOBS, 5_000);
    const leases = claims();

    await crew.pause(sleeper);
    const heir = await crew.ready("heir", { settings, works: ["single"] });
    await until("the heir has one", () => crew.all("attempt-started", heir).length > 0, LEASE_MS + 5_000);
    sleeper.signal("SIGCONT");
    // While the heir works on one of them and the others wait, and once all of them are completed.
    await refusesAll(sleeper, leases);
    crew.open(gate);
    await crew.allFinished(5_000);
    await refusesAll(sleeper, leases);
    await heir.stop();
    for (const { jobId, token } of leases) slept.add(`${jobId}.${token}`);
  }
  // It goes on working: alone again, it does what comes.
  await sleeper.submit("single", [{ key: "afterwards", steps: 2 }]);
  await crew.allFinished(5_000);
  assert.deepEqual(await sleeper.stop(), { code: 0, signal: null });

  assert.deepEqual(crew.problems({ leaseMs: LEASE_MS }), []);
  const completions = crew.all("settled").filter((event) => event.standing === "completed");
  assert.equal(completions.length, ROUNDS * JOBS + 1, "one completion each");
  const late = crew.all("settled").filter((event) => slept.has(`${event.jobId}.${event.token}`));
  assert.deepEqual(late, [], "of the leases it slept through none counts");
  const tried = [...crew.facts().jobs.values()].filter((job) => job.key !== "afterwards");
  assert.ok(
    tried.every((job) => job.attempt === 2 && job.crashes === 1 && job.failures === 0),
    "each was tried twice, counted as one crash",
  );
});

async function refusesAll(sleeper: Member, leases: { jobId: string; token: number }[]): Promise<void> {
  for (const { jobId, token } of leases) {
    const answers = await sleeper.ask({ do: "late-writes", jobId, token });
    assert.deepEqual(answers, [...Array(8).fill("lease-lost"), 0]);
  }
}

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
  assert.deepEqual(crew.problems({ leaseMs: LEASE_MS }), []);
});
