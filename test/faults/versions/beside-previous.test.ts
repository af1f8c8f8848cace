// time-limit: 300 s

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { inTurn } from "../../support/rotation.ts";
import { isTorture, rounds } from "../../support/torture.ts";
import type { Member, Part } from "../support/crew.ts";
import { EARLIER_ENGINES, earlierProgram } from "../support/previous-engine.ts";
import { seeded } from "../support/seed.ts";
import { onEachStore } from "../support/stores.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };
const submits = { kinds: ["single", "five"] as ("single" | "five")[], pauseMs: 4, lanes: 2 };

function partsBeside(program: string): Record<string, Part> {
  return {
    "new-submitter": { settings, submits: { ...submits, again: "new-submitter" } },
    "old-submitter": { settings, program, submits: { ...submits, again: "old-submitter" } },
    "new-worker": { settings, works: ["single", "five"] },
    "old-worker": { settings, program, works: ["single", "five"] },
  };
}

onEachStore(({ on, gather }) => {
  const kills = rounds("FAULT_KILLS", on === "a file" ? 12 : 6, 200);
  // Each store meets another engine, and each engine the other store on the next day.
  const engines = isTorture ? EARLIER_ENGINES : [inTurn(EARLIER_ENGINES, on === "a file" ? 0 : 1)];

  for (const engine of engines) {
    const title = `on ${on} the engine "${engine}" and this one work side by side over ${kills} SIGKILLs`;
    const timeout = 120_000 + kills * 4_000;
    test(`${title}, and nothing is lost or done twice`, { timeout }, (t) => besideEachOther(t, engine));
  }

  async function besideEachOther(t: TestContext, engine: (typeof EARLIER_ENGINES)[number]): Promise<void> {
    const parts = partsBeside(earlierProgram(engine));
    const { seed, random } = seeded();
    console.log(`beside-previous.test: ${engine}, FAULT_SEED=${seed} FAULT_KILLS=${kills}`);
    const crew = await gather(t);
    // Whichever opens the store first, the other opens it as it is.
    const first = random() < 0.5 ? "old-worker" : "new-worker";
    await crew.ready(first, parts[first] as Part).then((member) => member.stop());
    const members = new Map<string, Member>();
    const names = Object.keys(parts);
    const startAgain = (name: string) => members.set(name, crew.start(name, parts[name] as Part));
    for (const name of names) startAgain(name);
    for (let killed = 0; killed < kills; killed++) {
      const name = names[Math.floor(random() * names.length)] as string;
      const victim = members.get(name) as Member;
      await victim.ready;
      await new Promise((resolve) => setTimeout(resolve, random() * 250));
      await crew.kill(victim);
      startAgain(name);
    }
    for (const name of ["new-submitter", "old-submitter"]) {
      const submitter = members.get(name) as Member;
      await submitter.ready;
      await submitter.ask({ do: "stop-submitting" });
    }
    await crew.allFinished(LEASE_MS + 30_000);
    for (const member of members.values()) {
      await member.ready;
      assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
    }
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
    for (const side of ["new", "old"]) {
      const claims = crew.events().filter((event) => event.type === "claimed" && event.by.startsWith(`${side}-`));
      assert.ok(claims.length > 0, `the ${side} workers had a part in it`);
    }
  }
});
