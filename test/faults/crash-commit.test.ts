import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import type { Crew, Member, Part } from "./support/crew.ts";
import type { Event } from "./support/history.ts";
import { FIVE } from "./support/kinds.ts";
import { seeded } from "./support/seed.ts";
import { onEachStore } from "./support/stores.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };
const WORKER: Part = { settings, works: ["single", "five"] };
const JOBS = 150;

onEachStore(({ on, gather }) => {
  // Each takes three times as long on PostgreSQL.
  const most = rounds("FAULT_KILLS", on === "a file" ? 48 : 12, 300) / 4;

  test(`on ${on} a process killed in the middle of a five-stage kind leaves no gap and no stage done twice`, {
    timeout: 120_000 + most * 2_000,
  }, async (t) => {
    const { seed, random } = seeded();
    console.log(`crash-commit.test: FAULT_SEED=${seed}, ${most} kills`);
    const crew = await gather(t);
    let worker: Member = await crew.ready("worker", WORKER);
    const submit = (round: number) =>
      worker.submit(
        "five",
        Array.from({ length: JOBS }, (_, i) => ({ key: `${round}.${i}`, steps: i % 2 })),
      );
    await submit(0);
    for (let kills = 1; kills <= most; kills++) {
      await workedOn(crew, worker, Math.floor(random() * 60));
      await crew.kill(worker);
      worker = await crew.ready("worker", WORKER);
      if (kills % 5 === 0) await submit(kills);
    }
    await crew.allFinished(60_000);
    await worker.stop();
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
    const jobs = [...(await crew.stored()).jobs.values()];
    assert.ok(jobs.every((job) => job.chain.length === FIVE.length));
    const moreTokens = jobs.filter((job) => (job.chain.at(-1)?.token ?? 0) > FIVE.length).length;
    console.log(
      `crash-commit.test: ${jobs.length} jobs of five stages, ${moreTokens} of them torn from a process at least once`,
    );
    assert.ok(moreTokens > 0, "some jobs were in hand when their process died");
  });

  test(`on ${on} a job whose process died goes on with its stored steps although other pools of its new process ask first`, {
    timeout: 60_000,
  }, async (t) => {
    const crew = await gather(t);
    const gate = crew.gate("work");
    const first = await crew.ready("worker", WORKER);
    await first.submit(
      "five",
      FIVE.map((stage) => ({ key: stage, steps: 1, gate })),
    );
    const started = (event: Event) => event.type === "attempt-started";
    await until("all are in hand", () => crew.events().filter(started).length === FIVE.length, 15_000);
    await crew.kill(first);
    crew.open(gate);
    const second = await crew.ready("worker", WORKER);
    await crew.allFinished(15_000);
    await second.stop();
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  });
});

/** The moment of death is counted in accepted outcomes, so that it falls into the work and not into the start. */
async function workedOn(crew: Crew, worker: Member, outcomes: number): Promise<void> {
  const settled = (event: Event) => event.by === worker.by && event.type === "settled";
  await until(
    `${worker.by} settled or has nothing to do`,
    async () => (await crew.countUnfinished()) === 0 || crew.eventsOf(worker).filter(settled).length >= outcomes,
    20_000,
    3,
  );
}
