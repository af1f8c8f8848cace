// runtimes: both

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ClaimedJob } from "../../job/lease.ts";
import { ManualClock } from "../../lib/clock.ts";
import type { ConfirmAnswer } from "../../store/verbs/attempts.ts";
import { JobContext } from "./context.ts";
import { LeaseLost } from "./lease-lost.ts";
import type { AttemptPort } from "./port.ts";

const contextFile = fileURLToPath(new URL("./context.ts", import.meta.url));

test("the lease key of another process is another, even where a power cut made a token be given out twice", () => {
  const job = { lease: { jobId: "job_00000000", token: 7, slot: 0 }, tenant: "default", attempt: 1, tags: [] };
  const script = `import { JobContext } from ${JSON.stringify(contextFile)};
    const names = { kind: "k", stage: "s" };
    const keys = [0, 1].map(() => new JobContext(${JSON.stringify(job)}, names, null, {}).leaseKey);
    console.log(JSON.stringify(keys));`;
  const keysOf = () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    assert.notEqual(stdout, "", stderr);
    return JSON.parse(stdout) as [string, string];
  };
  const [first, same] = keysOf();
  const [other] = keysOf();
  assert.match(first, /^job_00000000\.7\.[0-9a-f]{8}$/);
  assert.equal(first, same, "within a process it is the token that tells attempts apart");
  assert.notEqual(first, other);
});

const NAMES = { kind: "k", stage: "s" };
const LEASE_MS = 15_000;
const JOB: ClaimedJob = {
  lease: { jobId: "job_00000000", token: 7, slot: 0 },
  tenant: "default",
  payload: "null",
  attempt: 1,
  priority: 0,
  tags: [],
  createdAt: 0,
  runAt: 0,
  claimedAt: 0,
  crashes: 0,
  hasSteps: false,
  isLast: true,
};

for (const [sleep, stand] of [
  ["was stopped", (clock: ManualClock) => clock.advance(LEASE_MS)],
  ["slept with its machine", (clock: ManualClock) => clock.jump(LEASE_MS)],
] as const) {
  test(`a process that ${sleep} after its lease was confirmed asks again before a step, and does not run it once lost`, async () => {
    const clock = new ManualClock();
    const answers: ConfirmAnswer[] = [{ forMs: LEASE_MS }, "lease-lost"];
    const port = fakePort({
      confirm: async () => {
        const answer = answers.shift() as ConfirmAnswer;
        if (answers.length === 1) stand(clock);
        return answer;
      },
    });
    const ctx = new JobContext(JOB, NAMES, null, port, clock);
    let ran = 0;
    await assert.rejects(
      ctx.step("pay", () => ran++),
      LeaseLost,
    );
    assert.deepEqual([ran, answers.length], [0, 0]);
  });

  test(`a process that ${sleep} between two steps asks again before the second, and does not run it once lost`, async () => {
    const clock = new ManualClock();
    const answers: ConfirmAnswer[] = [{ forMs: LEASE_MS }, "lease-lost"];
    const port = fakePort({
      confirm: async () => answers.shift() as ConfirmAnswer,
      saveStep: async () => ({ forMs: LEASE_MS }),
    });
    const ctx = new JobContext(JOB, NAMES, null, port, clock);
    await ctx.step("pay", () => 1);
    stand(clock);
    let ran = 0;
    await assert.rejects(
      ctx.step("ship", () => ran++),
      LeaseLost,
    );
    assert.deepEqual([ran, answers.length], [0, 0]);
  });
}

test("an answer about the lease counts for a second: a cancelled job begins no step later than that", async () => {
  const clock = new ManualClock();
  const asked: string[] = [];
  const port = fakePort({
    confirm: async () => {
      asked.push("confirm");
      return { forMs: LEASE_MS };
    },
    saveStep: async (name) => {
      asked.push(name);
      return { forMs: LEASE_MS };
    },
  });
  const ctx = new JobContext(JOB, NAMES, null, port, clock);
  await ctx.step("one", () => 1);
  clock.advance(999);
  await ctx.step("two", () => 2);
  clock.advance(1_000);
  await ctx.step("three", () => 3);
  assert.deepEqual(asked, ["confirm", "one", "two", "confirm", "three"]);
});

test("steps one after another cost one write each, and one question to the store before the first", async () => {
  const asked: string[] = [];
  const tell = <T>(name: string, answer: T) => {
    asked.push(name);
    return Promise.resolve(answer);
  };
  const port = fakePort({
    confirm: () => tell("confirm", { forMs: LEASE_MS }),
    storedSteps: () => tell("storedSteps", [{ stage: "s", name: "one", value: "1", savedAt: 1 }]),
    saveStep: () => tell("saveStep", { forMs: LEASE_MS }),
  });
  const fresh = new JobContext(JOB, NAMES, null, port);
  await fresh.step("one", () => 1);
  await fresh.step("two", () => 2);
  assert.deepEqual(asked.splice(0), ["confirm", "saveStep", "saveStep"]);
  const again = new JobContext({ ...JOB, hasSteps: true }, NAMES, null, port);
  await again.step("one", () => assert.fail("it is stored"));
  await again.step("two", () => 2);
  assert.deepEqual(asked, ["storedSteps", "confirm", "saveStep"]);
});

function fakePort(verbs: Partial<AttemptPort>): AttemptPort {
  return verbs as AttemptPort;
}
