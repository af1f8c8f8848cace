// time-limit: 600 s

import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import { Crew, type Member, type Part } from "./support/crew.ts";
import { seeded } from "./support/seed.ts";
import { onEachStore } from "./support/stores.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };

const PARTS: Record<string, Part> = {
  submitter: { settings, submits: { kinds: ["single", "five"], pauseMs: 4, lanes: 4, again: "submitter" } },
  left: { settings, works: ["single", "five"] },
  right: { settings, works: ["single", "five"] },
};

onEachStore(({ on, gather }) => {
  // Each takes three times as long there.
  const kills = rounds("FAULT_KILLS", on === "a file" ? 24 : 6, 300);

  test(`on ${on} nothing acknowledged is lost and nothing completed twice over ${kills} SIGKILLs`, {
    timeout: 120_000 + kills * 2_000,
  }, async (t) => {
    const { seed, random } = seeded();
    console.log(`kill.test: FAULT_SEED=${seed} FAULT_KILLS=${kills}`);
    const crew = await gather(t);
    await crew.ready("first", { settings, works: ["single", "five"] }).then((first) => first.stop());
    const members = new Map<string, Member>();
    const names = Object.keys(PARTS);
    const startAgain = (name: string) => members.set(name, crew.start(name, PARTS[name] as Part));
    for (const name of names) startAgain(name);

    for (let killed = 0; killed < kills; killed++) {
      const name = names[Math.floor(random() * names.length)] as string;
      const victim = members.get(name) as Member;
      // One in five dies while it starts, and so in the middle of taking back what the one before it held.
      if (random() < 0.8) await victim.ready;
      await new Promise((resolve) => setTimeout(resolve, random() * 250));
      await crew.kill(victim);
      startAgain(name);
    }

    const submitter = members.get("submitter") as Member;
    await submitter.ready;
    await submitter.ask({ do: "stop-submitting" });
    await crew.allFinished(LEASE_MS + 30_000);
    for (const member of members.values()) {
      await member.ready;
      assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
    }
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
    await report(crew, kills);
  });

  test(`on ${on} with the defaults a killed process's jobs run elsewhere within 17 s`, {
    timeout: 60_000,
  }, async (t) => {
    const crew = await gather(t);
    const { survivor, jobIds } = await killWithJobsInHand(crew);
    const tookMs = await msUntilClaimedBy(crew, survivor, jobIds);
    console.log(`kill.test: on ${on}, same machine: all claimed elsewhere ${tookMs} ms after the death`);
    assert.ok(tookMs <= 17_000, `${tookMs} ms`);
  });
});

/** A run in which little happened proves little. */
async function report(crew: Crew, kills: number): Promise<void> {
  const events = crew.events();
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const { jobs } = await crew.stored();
  const crashed = [...jobs.values()].filter((job) => job.crashes > 0).length;
  console.log(
    `kill.test: ${jobs.size} jobs, ${count("submit-acknowledged")} acknowledged, ${count("claimed")} claims, ` +
      `${count("killed")} kills, ${crashed} jobs with a crash in their last stage`,
  );
  assert.ok(count("submit-acknowledged") > kills, "the submitter got through");
  assert.ok(count("claimed") > jobs.size, "processes died with jobs in hand");
}

test("with the defaults jobs of a machine that fell silent run elsewhere within 17 s", {
  timeout: 60_000,
}, async (t) => {
  const crew = new Crew(t);
  const { survivor, jobIds } = await killWithJobsInHand(crew, { away: true });
  const tookMs = await msUntilClaimedBy(crew, survivor, jobIds);
  console.log(`kill.test: defaults, by the lease alone: all claimed elsewhere ${tookMs} ms after the death`);
  assert.ok(tookMs >= 9_000, `only the lease could tell, and it was not over: ${tookMs} ms`);
  assert.ok(tookMs <= 17_000, `${tookMs} ms`);
});

async function killWithJobsInHand(crew: Crew, { away = false } = {}): Promise<{ survivor: Member; jobIds: string[] }> {
  const gate = crew.gate("work");
  const victim = await crew.ready("victim", { works: ["single"] });
  const jobIds = await victim.submit(
    "single",
    ["a", "b", "c"].map((key) => ({ key, gate })),
  );
  await until("the victim has its jobs in hand", () => claimedBy(crew, victim.by).size === 3, 5_000);
  const survivor = await crew.ready("survivor", { works: ["single"] });
  if (away) await crew.moveAway(victim);
  await crew.kill(victim);
  crew.open(gate);
  return { survivor, jobIds };
}

async function msUntilClaimedBy(crew: Crew, survivor: Member, jobIds: string[]): Promise<number> {
  await crew.allFinished(22_000);
  await survivor.stop();
  assert.deepEqual(await crew.found(), []);
  const events = crew.events();
  const died = events.find((event) => event.type === "killed");
  const claims = events.filter((event) => event.type === "claimed" && event.by === survivor.by);
  assert.equal(claims.length, jobIds.length);
  return Math.max(...claims.map((event) => event.at)) - (died?.at ?? 0);
}

function claimedBy(crew: Crew, by: string): Set<string> {
  const claims = crew.events().filter((event) => event.type === "claimed" && event.by === by);
  return new Set(claims.map((event) => (event as { jobId: string }).jobId));
}
