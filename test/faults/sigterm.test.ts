// runtimes: both

import assert from "node:assert/strict";
import test from "node:test";
import { Crew, type Member } from "./crew.ts";
import { holds, until } from "./until.ts";

const LEASE_MS = 1_000;
const GRACE_MS = 1_500;
const settings = { leaseMs: LEASE_MS, shutdownGraceMs: GRACE_MS };
const CLEAN = { code: 0, signal: null };

test("SIGTERM under load: exit 0 within the grace, nothing lost, no attempt burned", { timeout: 60_000 }, async (t) => {
  const crew = new Crew(t);
  const submitter = await crew.ready("submitter", {
    settings,
    submits: { kinds: ["single", "five"], pauseMs: 5, lanes: 3 },
  });
  for (let round = 0; round < 2; round++) {
    const gate = crew.gate(`${round}, not opened while the worker runs`);
    const worker = await crew.ready("worker", { settings, works: ["single", "five"] });
    const errands = [0, 1, 2].map((i) => ({ key: `long ${round}.${i}`, gate }));
    const long = await worker.submit("five", errands, { priority: -1 });
    await until("the long ones are in hand", () => startedBy(crew, worker, long) === long.length, 10_000);
    await until("and so is the load", () => crew.all("settled", worker).length > 100, 10_000);
    const since = performance.now();
    assert.deepEqual(await worker.stop(), CLEAN, worker.words);
    const tookMs = performance.now() - since;
    console.log(`sigterm.test: exit 0 after ${Math.round(tookMs)} ms with a grace of ${GRACE_MS} ms`);
    assert.ok(tookMs <= GRACE_MS + 1_500, `${tookMs} ms`);
    const { jobs, problems } = crew.facts();
    assert.deepEqual(problems, []);
    const running = [...jobs.values()].filter((job) => job.standing === "running");
    assert.deepEqual(running, [], "all it held is finished or handed back");
    const burned = [...jobs.values()].filter((job) => job.failures + job.crashes > 0 || job.standing === "suspect");
    assert.deepEqual(burned, [], "a handed back job has no attempt behind it");
    crew.open(gate);
  }
  await submitter.ask({ do: "stop-submitting" });
  const last = await crew.ready("worker", { settings, works: ["single", "five"] });
  await crew.allFinished(15_000);
  for (const member of [submitter, last]) assert.deepEqual(await member.stop(), CLEAN, member.words);
  assert.deepEqual(crew.problems({ leaseMs: LEASE_MS }), []);
  assert.ok(
    crew.all("attempt-started").every((event) => event.attempt === 1),
    "every attempt was a first one",
  );
});

test("leases stay renewed while a process drains for longer than its lease", { timeout: 30_000 }, async (t) => {
  const crew = new Crew(t);
  const gate = crew.gate("work");
  const patient = { leaseMs: LEASE_MS, shutdownGraceMs: 10_000 };
  const drains = await crew.ready("drains", { settings: patient, works: ["single"] });
  const jobIds = await drains.submit("single", [{ key: "a", gate }]);
  await until("it is in hand", () => startedBy(crew, drains, jobIds) === 1, 5_000);
  const heir = await crew.ready("heir", { settings: patient, works: ["single"] });
  const ended = drains.stop();
  await holds("it keeps its job", () => crew.all("claimed", heir).length === 0 && !drains.gone, 2.5 * LEASE_MS);
  crew.open(gate);
  assert.deepEqual(await ended, CLEAN, drains.words);
  assert.equal(crew.all("settled", drains).length, 1, "its own result was accepted");
  await heir.stop();
  assert.deepEqual(crew.problems({ leaseMs: LEASE_MS }), []);
  assert.equal(crew.all("claimed").length, 1);
});

test("a second signal hurries", { timeout: 30_000 }, async (t) => {
  const crew = new Crew(t);
  const gate = crew.gate("never opened while it runs");
  const slow = await crew.ready("slow", {
    settings: { leaseMs: LEASE_MS, shutdownGraceMs: 60_000 },
    works: ["single"],
  });
  const jobIds = await slow.submit("single", [{ key: "a", gate }]);
  await until("it is in hand", () => startedBy(crew, slow, jobIds) === 1, 5_000);
  slow.signal("SIGTERM");
  await until("it drains", async () => (await refusalOf(slow)) === "stopping", 5_000);
  const since = performance.now();
  assert.deepEqual(await slow.stop(), CLEAN, slow.words);
  assert.ok(performance.now() - since < 3_000);
  const [job] = [...crew.facts().jobs.values()];
  assert.equal(job?.standing, "ready");
  assert.equal((job?.failures ?? 0) + (job?.crashes ?? 0), 0);
});

test("two signals at once under load leave nothing behind that runs for nobody", { timeout: 60_000 }, async (t) => {
  const crew = new Crew(t);
  const submitter = await crew.ready("submitter", { settings });
  for (let round = 0; round < 5; round++) {
    await submitter.submit(
      "five",
      Array.from({ length: 400 }, (_, i) => ({ key: `${round}.${i}` })),
    );
    const worker = await crew.ready("worker", { settings, works: ["five"] });
    await until("it works", () => crew.all("settled", worker).length > 50, 10_000, 2);
    worker.signal("SIGTERM");
    assert.deepEqual(await worker.stop(), CLEAN, worker.words);
    const { jobs, problems } = crew.facts();
    assert.deepEqual(problems, []);
    assert.equal([...jobs.values()].filter((job) => job.standing === "running").length, 0);
  }
  const last = await crew.ready("worker", { settings, works: ["five"] });
  await crew.allFinished(20_000);
  for (const member of [submitter, last]) assert.deepEqual(await member.stop(), CLEAN, member.words);
  assert.deepEqual(crew.problems({ leaseMs: LEASE_MS }), []);
  assert.ok(
    crew.all("attempt-started").every((event) => event.attempt === 1),
    "every attempt was a first one",
  );
});

function startedBy(crew: Crew, member: Member, jobIds: string[]): number {
  return crew.all("attempt-started", member).filter((event) => jobIds.includes(event.jobId)).length;
}

async function refusalOf(member: Member): Promise<string> {
  return member.submit("single", [{ key: `late ${performance.now()}` }]).then(
    () => "accepted",
    (error: { code: string }) => error.code,
  );
}
