// time-limit: 300 s
// How soon the jobs of a dead process run again, and what one of them can do to the others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scaled } from "../support/slowness.ts";
import { isTorture, rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import type { Crew, Member } from "./support/crew.ts";
import { onePoisonAmongInnocents, startedBy } from "./support/scenarios.ts";
import { onEachStore } from "./support/stores.ts";

const JOBS = rounds("FAULT_RECOVERY", 100, 1_000);
const WITHIN_MS = 5_000;
// A starved victim must not lose its lease before it is killed.
const LEASE_MS = isTorture ? 15_000 : scaled(2_000);
/** By then the lease is over, and the death is noticed. */
const AWAY_WITHIN_MS = LEASE_MS + 2_000;
const kindOptions = { processors: JOBS, maxCrashes: 3 };
const settings = { leaseMs: LEASE_MS };

onEachStore(({ on, gather }) => {
  test(`on ${on} all ${JOBS} jobs of a killed process run again within 5 s of the next one's start`, {
    timeout: 120_000,
  }, async (t) => {
    const crew = await gather(t);
    const { jobIds, gate } = await killedWithJobsInHand(crew);
    const spawnedAt = Date.now();
    const heir = crew.start("heir", { works: ["single"], kindOptions, settings });
    const tookMs = (await lastStart(crew, heir, jobIds)) - spawnedAt;
    console.log(`recovery: on ${on}, same machine: ${JOBS} jobs run again ${tookMs} ms after the start`);
    assert.ok(tookMs <= scaled(WITHIN_MS), `${tookMs} ms`);
    await allCompleteWithOneCrash(crew, heir, gate);
  });

  test(`on ${on} all ${JOBS} jobs of another machine's process run again within ${AWAY_WITHIN_MS / 1_000} s of its death`, {
    timeout: 120_000,
  }, async (t) => {
    const crew = await gather(t);
    const heirs: Member[] = [];
    const { jobIds, gate, killedAt, leftMs } = await killedWithJobsInHand(crew, async (victim) => {
      // Before its heir starts, which could have read that it runs on the same machine.
      await crew.moveAway(victim);
      heirs.push(await crew.ready("heir", { works: ["single"], kindOptions, settings }));
    });
    const [heir] = heirs as [Member];
    const tookMs = (await lastStart(crew, heir, jobIds)) - killedAt;
    console.log(`recovery: on ${on}, another machine: ${JOBS} jobs run again ${tookMs} ms after the death`);
    assert.ok(tookMs >= leftMs, `only the lease could tell, and ${leftMs} ms were left of it: ${tookMs} ms`);
    assert.ok(tookMs <= scaled(AWAY_WITHIN_MS), `${tookMs} ms`);
    await allCompleteWithOneCrash(crew, heir, gate);
  });

  test(`on ${on} a process that is killed while it stops adds no crash to any job`, { timeout: 60_000 }, async (t) => {
    const crew = await gather(t);
    const gate = crew.gate("work");
    const part = { works: ["single" as const], settings: { leaseMs: 2_000, shutdownGraceMs: 60_000 } };
    const victim = await crew.ready("victim", part);
    const keys = ["a", "b", "c"];
    const jobIds = await victim.submit(
      "single",
      keys.map((key) => ({ key, gate })),
    );
    await until("they are in hand", () => startedBy(crew, victim, jobIds) === keys.length, 10_000);
    victim.signal("SIGTERM");
    await until("its row says so", () => crew.isDraining(victim), 10_000);
    await crew.kill(victim);
    crew.open(gate);
    const heir = await crew.ready("heir", part);
    await crew.allFinished(20_000);
    // Jobs run before its program listens for signals.
    await heir.ready;
    assert.deepEqual(await heir.stop(), { code: 0, signal: null });
    const jobs = [...(await crew.stored()).jobs.values()];
    assert.deepEqual(
      jobs.map(({ crashes, failures, attempt }) => ({ crashes, failures, attempt })),
      keys.map(() => ({ crashes: 0, failures: 0, attempt: 1 })),
    );
    assert.deepEqual(await crew.found({ leaseMs: 2_000 }), []);
  });
});

if (isTorture) {
  onEachStore(({ on, gather }) => {
    test(`on ${on} one poison job among ${JOBS} makes no dead letter of another`, { timeout: 120_000 }, async (t) =>
      onePoisonAmongInnocents(await gather(t), "kill", { innocents: JOBS - 1 }),
    );
  });
}

interface Killed {
  jobIds: string[];
  gate: string;
  killedAt: number;
  /** What was left of its lease then. */
  leftMs: number;
}

async function killedWithJobsInHand(crew: Crew, before?: (victim: Member) => Promise<void>): Promise<Killed> {
  const gate = crew.gate("work");
  const victim = await crew.ready("victim", { works: ["single"], kindOptions, settings });
  const errands = Array.from({ length: JOBS }, (_, i) => ({ key: `${i}`, gate }));
  const jobIds = await victim.submit("single", errands);
  await until("the victim has all of them in hand", () => startedBy(crew, victim, jobIds) === JOBS, 60_000, 100);
  await before?.(victim);
  const killedAt = Date.now();
  await crew.kill(victim);
  const leftMs = (await crew.leaseEndOf(victim)) - killedAt;
  return { jobIds, gate, killedAt, leftMs };
}

/** When the last of them began to run again. */
async function lastStart(crew: Crew, heir: Member, jobIds: string[]): Promise<number> {
  await until("all run again", () => startedBy(crew, heir, jobIds) >= JOBS, 90_000, 100);
  return Math.max(...crew.all("attempt-started", heir).map(({ at }) => at));
}

async function allCompleteWithOneCrash(crew: Crew, heir: Member, gate: string): Promise<void> {
  crew.open(gate);
  await crew.allFinished(60_000);
  // Jobs run before its program listens for signals.
  await heir.ready;
  assert.deepEqual(await heir.stop(), { code: 0, signal: null }, heir.words);
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  const jobs = [...(await crew.stored()).jobs.values()];
  assert.ok(
    jobs.every(({ crashes, failures }) => crashes === 1 && failures === 0),
    "each has one crash",
  );
}
