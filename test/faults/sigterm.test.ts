import assert from "node:assert/strict";
import { test } from "node:test";
import { scaled } from "../support/slowness.ts";
import { holds, until } from "../support/until.ts";
import { Crew, type Member } from "./support/crew.ts";
import { startedBy, terminatedUnderLoad } from "./support/scenarios.ts";

/** Longer on a busy machine: a process that gets no processor for a second would lose it. */
const LEASE_MS = scaled(1_000);
const GRACE_MS = 1_500;
const settings = { leaseMs: LEASE_MS, shutdownGraceMs: GRACE_MS };
const CLEAN = { code: 0, signal: null };

test("SIGTERM under load: exit 0 within the grace, nothing lost, no attempt burned", { timeout: 60_000 }, (t) =>
  terminatedUnderLoad(new Crew(t), 2),
);

test("leases stay renewed while a process drains for longer than its lease", { timeout: 30_000 }, async (t) => {
  const crew = new Crew(t);
  const gate = crew.gate("work");
  const patient = { leaseMs: LEASE_MS, shutdownGraceMs: 10 * LEASE_MS };
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
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
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
  assert.ok(performance.now() - since < scaled(3_000));
  const [job] = [...(await crew.stored()).jobs.values()];
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
    const { jobs, problems } = await crew.stored();
    assert.deepEqual(problems, []);
    assert.equal([...jobs.values()].filter((job) => job.standing === "running").length, 0);
  }
  const last = await crew.ready("worker", { settings, works: ["five"] });
  await crew.allFinished(20_000);
  for (const member of [submitter, last]) assert.deepEqual(await member.stop(), CLEAN, member.words);
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  assert.ok(
    crew.all("attempt-started").every((event) => event.attempt === 1),
    "every attempt was a first one",
  );
});

async function refusalOf(member: Member): Promise<string> {
  return member.submit("single", [{ key: `late ${performance.now()}` }]).then(
    () => "accepted",
    (error: { code: string }) => error.code,
  );
}
