import assert from "node:assert/strict";
import { test } from "node:test";
import { scaled } from "../../support/slowness.ts";
import { rounds } from "../../support/torture.ts";
import { until } from "../../support/until.ts";
import { Crew, type Member } from "../support/crew.ts";
import { onEachStore } from "../support/stores.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };
const ROUNDS = rounds("FAULT_DISK_ROUNDS", 3, 20);

onEachStore(({ on, gather }) => {
  test(`on ${on} a full disk: submissions are refused, reads go on, health is degraded, and room is noticed within 5 s`, {
    timeout: 90_000,
  }, async (t) => {
    const crew = await gather(t);
    const disk = await crew.onSmallDisk(t);
    if (!disk) return;
    const gate = crew.gate("work");
    const worker = await crew.ready("worker", { settings, works: ["single"] });
    const submitter = await crew.ready("submitter", { settings });
    const inHand = await putInHand(crew, submitter, gate);

    disk.fill();
    for (const member of [submitter, submitter, worker])
      assert.equal((await submitUntilRefused(member, `${performance.now()} `)).code, "disk-full");
    const read = await submitter.ask<{ state: string }>({ do: "find", jobId: inHand[0] as string });
    assert.equal(read.state, "running", "reads go on");
    const health = () => submitter.ask<{ status: string; problems: string[] }>({ do: "health" });
    await until("health is degraded", async () => (await health()).status === "degraded", 5_000);
    assert.match(
      (await health()).problems[0] ?? "",
      /disk.* is full\. Reads .*continue; submissions get 507\. Free some space\./,
    );

    crew.open(gate);

    disk.free();
    const since = performance.now();
    await until(
      "submissions are accepted again",
      async () => (await refusalOf(submitter, `${performance.now()}`)) === "accepted",
      10_000,
    );
    const againMs = performance.now() - since;
    console.log(`disk-full.test: accepted again ${Math.round(againMs)} ms after space was freed`);
    assert.ok(againMs <= scaled(5_000), `${againMs} ms`);
    await until("health is ok again", async () => (await health()).status === "ok", 20_000);
    await crew.allFinished(15_000);
    for (const member of [worker, submitter])
      assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
    assert.equal(crew.all("fatal").length, 0, "a full disk is no reason to die");
  });

  test(`on ${on} work that ends while there is no byte left settles once there is room, and keeps its lease meanwhile`, {
    timeout: 150_000,
  }, async (t) => {
    const crew = await gather(t);
    const disk = await crew.onSmallDisk(t);
    if (!disk) return;
    const gate = crew.gate("work");
    const left = await crew.ready("left", { settings, works: ["single"] });
    const right = await crew.ready("right", { settings, works: ["single"] });
    const jobIds = await left.submit(
      "single",
      Array.from({ length: 6 }, (_, i) => ({ key: `in hand ${i}`, gate, steps: 1 })),
    );
    await until("they are in hand", () => crew.all("step-saved").length === jobIds.length, 5_000);
    disk.fill();
    await submitUntilRefused(left);
    const noWrite = () => crew.all("store-error").filter((event) => event.code === "disk-full").length > 20;
    await until(
      "not even the reserve is left",
      () => {
        disk.fill();
        return noWrite();
      },
      60_000,
    );
    crew.open(gate);
    // A database finds some room in its own pages: there it may settle before.
    const isRefused = () => crew.all("store-error").some((event) => event.verb === "settle");
    if (on === "a file") await until("settles are refused", isRefused, 10_000);
    disk.free();
    await crew.allFinished(15_000);
    for (const member of [left, right]) assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
    const tries = crew.all("attempt-started").filter((event) => jobIds.includes(event.jobId));
    assert.equal(tries.length, jobIds.length, "one attempt each: nobody was taken for dead");
  });

  test(`on ${on} a disk that gets full at any of ${ROUNDS} points leaves all sound and loses nothing`, {
    timeout: 30_000 + ROUNDS * 10_000,
  }, async (t) => {
    const crew = await gather(t);
    const disk = await crew.onSmallDisk(t);
    if (!disk) return;
    const worker = await crew.ready("worker", { settings, works: ["single"] });
    let accepted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      disk.fill({ leaving: round * 7 * 4_096 });
      const full = await submitUntilRefused(worker, `${round}.`);
      assert.equal(full.code, "disk-full");
      accepted += full.accepted;
      assert.deepEqual((await crew.stored()).problems, []);
      disk.free();
      await until(
        "it accepts again",
        async () => (await refusalOf(worker, `${round} ${performance.now()}`)) === "accepted",
        5_000,
      );
    }
    await crew.allFinished(15_000);
    assert.deepEqual(await worker.stop(), { code: 0, signal: null }, worker.words);
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
    console.log(`disk-full.test: ${ROUNDS} times full, ${accepted} submissions accepted on the way there`);
  });
});

// A file has a reserve, so that what runs settles and a process starts while there is no room.

test("running work settles on a full disk thanks to the reserve; a newcomer starts, and hears that it is full", {
  timeout: 60_000,
}, async (t) => {
  const crew = new Crew(t);
  const disk = await crew.onSmallDisk(t);
  if (!disk) return;
  const gate = crew.gate("work");
  const worker = await crew.ready("worker", { settings, works: ["single"] });
  const inHand = await putInHand(crew, worker, gate);
  disk.fill();
  assert.equal((await submitUntilRefused(worker)).code, "disk-full");
  crew.open(gate);
  const settled = () => crew.all("settled").filter((event) => inHand.includes(event.jobId)).length;
  await until("running work settles on the full disk", () => settled() === inHand.length, 10_000);
  const newcomer = await crew.ready("newcomer", { settings });
  assert.equal(await refusalOf(newcomer, "from a newcomer"), "disk-full");
  disk.free();
  await crew.allFinished(15_000);
  for (const member of [worker, newcomer])
    assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});

test("a process starts on a full disk thanks to the reserve, and works off what waits", {
  timeout: 60_000,
}, async (t) => {
  const crew = new Crew(t);
  const disk = await crew.onSmallDisk(t);
  if (!disk) return;
  const submitter = await crew.ready("submitter", { settings });
  await submitter.submit(
    "single",
    Array.from({ length: 20 }, (_, i) => ({ key: `waits ${i}`, steps: 1 })),
  );
  await submitter.stop();
  disk.fill();
  const worker = await crew.ready("worker", { settings, works: ["single"] });
  await crew.allFinished(10_000);
  assert.equal(await refusalOf(worker, "meanwhile"), "disk-full");
  disk.free();
  await until("it accepts again", async () => (await refusalOf(worker, `${performance.now()}`)) === "accepted", 5_000);
  await crew.allFinished(10_000);
  assert.deepEqual(await worker.stop(), { code: 0, signal: null }, worker.words);
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});

/** Jobs that somebody works on until the gate is opened. */
async function putInHand(crew: Crew, by: Member, gate: string): Promise<string[]> {
  const errands = [0, 1, 2, 3].map((i) => ({ key: `in hand ${i}`, gate, filler: "r".repeat(500) }));
  const jobIds = await by.submit("single", errands);
  await until("they are in hand", () => crew.all("attempt-started").length === jobIds.length, 5_000);
  return jobIds;
}

async function submitUntilRefused(member: Member, round = ""): Promise<{ code: string; accepted: number }> {
  for (let accepted = 0; ; accepted++) {
    const code = await refusalOf(member, `until full ${round}${accepted}`);
    if (code !== "accepted") return { code, accepted };
    assert.ok(accepted < 10_000, "the disk does not get full");
  }
}

async function refusalOf(member: Member, key: string): Promise<string> {
  return member.submit("single", [{ key: `${member.by} ${key}`, filler: "f".repeat(20_000) }]).then(
    () => "accepted",
    (error: { code: string }) => error.code,
  );
}
