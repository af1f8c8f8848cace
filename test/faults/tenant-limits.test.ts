// time-limit: 600 s
// Processes race for the places of one tenant while they are killed and the limit changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Millrace } from "../../packages/millrace/src/millrace.ts";
import { postgres } from "../../packages/millrace/src/store/postgres/factory.ts";
import { sqlite } from "../../packages/millrace/src/store/sqlite/factory.ts";
import { scaled } from "../support/slowness.ts";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import type { Crew, Member, Part } from "./support/crew.ts";
import { seeded } from "./support/seed.ts";
import { onEachStore } from "./support/stores.ts";

const LEASE_MS = 1_000;
const PART: Part = { settings: { leaseMs: LEASE_MS }, works: ["single"], kindOptions: { processors: 6 } };
const WORKERS = ["one", "two", "three"];
const MOST_CHANGES_MS = 1_000;

onEachStore(({ on, gather }) => {
  const kills = rounds("TENANT_LIMIT_KILLS", 6, 100);

  test(`on ${on} a tenant's own limit is never exceeded and no place is lost over ${kills} SIGKILLs`, {
    timeout: 120_000 + kills * 5_000,
  }, async (t) => {
    const { seed, random } = seeded();
    console.log(`tenant-limits.test: FAULT_SEED=${seed} TENANT_LIMIT_KILLS=${kills}`);
    const crew = await gather(t);
    const members = new Map<string, Member>();
    for (const name of WORKERS) members.set(name, await crew.ready(name, PART));
    const submitter = await crew.ready("submitter", { settings: { leaseMs: LEASE_MS } });
    const operator = await Millrace.open({
      store: crew.db.startsWith("postgres:") ? postgres(crew.db) : sqlite(crew.db),
      work: false,
      log: false,
    });
    t.after(() => operator.stop());

    const changes: { at: number; limit: number }[] = [];
    const change = async (limit: number) => {
      await operator.limits.setTenant("capped", { concurrency: limit, overflow: "queue" });
      changes.push({ at: Date.now(), limit });
    };
    await change(3);
    const submit = (tenant: string, count: number, name: string) =>
      submitter.submit(
        "single",
        Array.from({ length: count }, (_, i) => ({ key: `${tenant} ${name} ${i}`, waitMs: 15 })),
        { tenant },
      );
    const capped = new Set(await submit("capped", 30 * kills, "first"));
    await submit("free", 30 * kills, "first");

    for (let killed = 0; killed < kills; killed++) {
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 250));
      const name = WORKERS[Math.floor(random() * WORKERS.length)] as string;
      await crew.kill(members.get(name) as Member);
      if (killed % 3 === 1) await change(1 + Math.floor(random() * 6));
      members.set(name, await crew.ready(name, PART));
    }
    await crew.allFinished(LEASE_MS + 60_000);

    // Every place is there again: as many jobs run as may.
    await change(4);
    const gate = crew.gate("places");
    const held = Array.from({ length: 12 }, (_, i) => ({ key: `places ${i}`, gate }));
    for (const id of await submitter.submit("single", held, { tenant: "capped" })) capped.add(id);
    await until("as many jobs run as may", () => running(crew, capped) === 4, scaled(10_000));
    crew.open(gate);
    await crew.allFinished(LEASE_MS + 30_000);

    assert.deepEqual(excesses(crew, capped, changes), []);
    for (const member of [...members.values(), submitter]) {
      assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
    }
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  });
});

type Step = { at: number; by: 1 | -1 };

/**
 * From the start of an attempt until it is handed to the store: the place of the job is taken before and given back after. The
 * attempts of a killed process end with it.
 */
function stepsOf(crew: Crew, jobs: ReadonlySet<string>): Step[] {
  const open = new Map<string, string>();
  const steps: Step[] = [];
  for (const event of crew.events()) {
    if (event.type === "attempt-started" && jobs.has(event.jobId)) {
      open.set(`${event.jobId} ${event.token}`, event.by);
      steps.push({ at: event.at, by: 1 });
    } else if (event.type === "settle-called" && open.delete(`${event.jobId} ${event.token}`)) {
      steps.push({ at: event.at, by: -1 });
    } else if (event.type === "killed") {
      for (const [attempt, by] of open) {
        if (by !== event.who) continue;
        open.delete(attempt);
        steps.push({ at: event.at, by: -1 });
      }
    }
  }
  // In one millisecond the ends come first: which of them did is not known.
  return steps.sort((a, b) => a.at - b.at || a.by - b.by);
}

function running(crew: Crew, jobs: ReadonlySet<string>): number {
  return stepsOf(crew, jobs).reduce((sum, { by }) => sum + by, 0);
}

/** Starts beyond the limit. Within a second of a change either limit may hold. */
function excesses(crew: Crew, jobs: ReadonlySet<string>, changes: { at: number; limit: number }[]): string[] {
  const wrong: string[] = [];
  let now = 0;
  let most = 0;
  for (const { at, by } of stepsOf(crew, jobs)) {
    now += by;
    most = Math.max(most, now);
    if (by < 0) continue;
    const recent = changes.filter((each, i) => {
      const next = changes[i + 1];
      return each.at <= at + MOST_CHANGES_MS && (next === undefined || next.at > at - MOST_CHANGES_MS);
    });
    const limit = Math.max(...recent.map((each) => each.limit));
    if (now > limit) wrong.push(`${now} run at ${at}, and the limit is ${limit}`);
  }
  assert.ok(most > 1, "the processes raced");
  return wrong;
}
