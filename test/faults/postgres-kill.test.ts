// time-limit: 600 s

import assert from "node:assert/strict";
import test from "node:test";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import type { Member, Part } from "./crew.ts";
import { PostgresCrew } from "./postgres-crew.ts";
import { seeded } from "./seed.ts";

const KILLS = Number(process.env["FAULT_KILLS"] ?? 20);
const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };

const PARTS: Record<string, Part> = {
  submitter: { settings, submits: { kinds: ["single", "five"], pauseMs: 4, lanes: 4, again: "submitter" } },
  left: { settings, works: ["single", "five"] },
  right: { settings, works: ["single", "five"] },
};

removeDatabasesAfterwards();

test(`on PostgreSQL nothing acknowledged is lost and nothing completed twice over ${KILLS} SIGKILLs`, {
  timeout: 60_000 + KILLS * 2_000,
}, async (t) => {
  const { seed, random } = seeded();
  console.log(`postgres-kill.test: FAULT_SEED=${seed} FAULT_KILLS=${KILLS}`);
  const crew = await PostgresCrew.gather(t);
  await crew.ready("first", { settings, works: ["single", "five"] }).then((first) => first.stop());
  const members = new Map<string, Member>();
  const names = Object.keys(PARTS);
  const startAgain = (name: string) => members.set(name, crew.start(name, PARTS[name] as Part));
  for (const name of names) startAgain(name);

  for (let kills = 0; kills < KILLS; kills++) {
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
  await crew.allFinished(LEASE_MS + 90_000); // suspects go one by one
  for (const member of members.values()) {
    await member.ready;
    assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
  }
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  const acknowledged = crew.all("submit-acknowledged").length;
  console.log(`postgres-kill.test: ${acknowledged} acknowledged, ${crew.all("claimed").length} claims`);
  assert.ok(acknowledged > KILLS, "the submitter got through");
});
