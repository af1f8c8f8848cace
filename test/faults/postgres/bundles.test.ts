// time-limit: 400 s
// Large claims are written as bundles, one row for all their jobs: what holds for a job with a row of its own must hold for these.

import assert from "node:assert/strict";
import { test } from "node:test";
import { removeDatabasesAfterwards } from "../../support/postgres.ts";
import { PostgresServer } from "../../support/postgres-server.ts";
import { rounds } from "../../support/torture.ts";
import { until } from "../../support/until.ts";
import type { Member, Part } from "../support/crew.ts";
import { PostgresCrew } from "../support/postgres-crew.ts";
import { seeded } from "../support/seed.ts";

const KILLS = rounds("FAULT_KILLS", 8, 300);
const STOPS = rounds("FAULT_STOPS", 4, 20);
const LEASE_MS = 1_500;
const settings = { leaseMs: LEASE_MS };
const worker: Part = { settings, works: ["single"], kindOptions: { processors: 60 } };
const BUNDLED = "SELECT coalesce(sum(cardinality(jobs)), 0)::int AS jobs FROM millrace.bundle";

removeDatabasesAfterwards();

test(`of jobs in bundles none is lost and none completed twice over ${KILLS} SIGKILLs of their holders`, {
  timeout: 120_000 + KILLS * 5_000,
}, async (t) => {
  const { seed, random } = seeded();
  console.log(`postgres-bundles.test: FAULT_SEED=${seed} FAULT_KILLS=${KILLS}`);
  const crew = await PostgresCrew.gather(t);
  const submitter = await crew.ready("submitter", { settings });
  const members: Member[] = [await crew.ready("left", worker), await crew.ready("right", worker)];
  let inBundles = 0;
  for (let killed = 0; killed < KILLS; killed++) {
    await workInBundles(crew, submitter, random);
    const which = killed % members.length;
    await crew.kill(members[which] as Member);
    inBundles += await bundled(crew);
    members[which] = await crew.ready(`heir ${killed}`, worker);
  }
  await crew.allFinished(LEASE_MS + 30_000);
  // A bundle's row outlives its last job until the next settle or a look of its holder, or until a dead holder is buried.
  await until("no bundle is left behind", async () => (await bundled(crew)) === 0, LEASE_MS + 10_000);
  for (const member of [submitter, ...members]) assert.deepEqual(await member.stop(), { code: 0, signal: null });
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  console.log(`postgres-bundles.test: ${inBundles} jobs were in bundles when their holders died, or beside them`);
});

test(`of jobs in bundles none is lost and none completed twice over ${STOPS} hard stops of the database`, {
  timeout: 120_000 + STOPS * 10_000,
}, async (t) => {
  const { random } = seeded();
  const server = await PostgresServer.start();
  t.after(() => server.remove());
  const crew = new PostgresCrew(t, server.url);
  const submitter = await crew.ready("submitter", { settings });
  const members = [await crew.ready("left", worker), await crew.ready("right", worker)];
  for (let stopped = 0; stopped < STOPS; stopped++) {
    await workInBundles(crew, submitter, random);
    await server.stop("immediate");
    await new Promise((resolve) => setTimeout(resolve, random() * 200));
    await server.start();
    await until("the submitter is answered again", () => answers(submitter), 30_000, 50);
  }
  await crew.allFinished(LEASE_MS + 60_000);
  for (const member of [submitter, ...members]) {
    assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
  }
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});

/** A stage whose jobs were held up is worked without bundles for a while: then there is more to do, until there is one. */
async function workInBundles(crew: PostgresCrew, submitter: Member, random: () => number): Promise<void> {
  const fact = async () => {
    if ((await bundled(crew)) > 0) return true;
    if ((await crew.countUnfinished()) < 100) await submitter.submit("single", errands(random));
    return false;
  };
  await until("somebody has a bundle", fact, 30_000, 1);
}

/** Most are quick, some outlast their bundle, some need a row of their own at once. */
function errands(random: () => number) {
  return Array.from({ length: 1_000 }, (_, i) => ({
    key: `${random()}`,
    ...(i % 50 === 0 ? { waitMs: Math.round(random() * 400) } : i % 77 === 0 && { steps: 1 }),
  }));
}

async function bundled(crew: PostgresCrew): Promise<number> {
  const [row] = await crew.look.run<{ jobs: number }>(BUNDLED, []);
  return row?.jobs ?? 0;
}

async function answers(submitter: Member): Promise<boolean> {
  return submitter.ask({ do: "find", jobId: "job_00000000" }).then(
    () => true,
    () => false,
  );
}
