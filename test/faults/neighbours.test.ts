// alone
import assert from "node:assert/strict";
import test from "node:test";
import { Crew } from "./crew.ts";

const SUBMISSIONS = 300;
const ROUNDS = 3;
const P99_MS = 50;

test(`beside a saturating process ${SUBMISSIONS} submissions one by one take ${P99_MS} ms at p99`, {
  timeout: 120_000,
}, async (t) => {
  const crew = new Crew(t);
  const saturating = await crew.ready("saturating", { works: ["single"], floods: 8 });
  const light = await crew.ready("light", {});
  const rounds: number[] = [];
  // The best of a few rounds: the figure is about us, not about what else this machine does at the moment.
  while (rounds.length < ROUNDS && !rounds.some((p99) => p99 <= P99_MS)) {
    const errands = Array.from({ length: SUBMISSIONS }, (_, i) => ({ key: `light ${rounds.length}.${i}` }));
    const before = await saturating.ask<number>({ do: "count-flood" });
    const since = performance.now();
    const took = await light.ask<number[]>({ do: "submit", kind: "single", errands, oneByOne: true });
    const done = (await saturating.ask<number>({ do: "count-flood" })) - before;
    const perSecond = (done / (performance.now() - since)) * 1_000;
    took.sort((a, b) => a - b);
    const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
    rounds.push(at(0.99));
    console.log(
      `neighbours.test: submit p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, max ${took.at(-1)?.toFixed(1)} ms ` +
        `beside ${Math.round(perSecond)} jobs/s`,
    );
  }
  assert.ok(Math.min(...rounds) <= P99_MS, `p99 of ${rounds.map((ms) => ms.toFixed(1)).join(", ")} ms`);
  assert.ok((await saturating.ask<number>({ do: "count-flood" })) > SUBMISSIONS, "the other did saturate it");
  await saturating.ask({ do: "stop-submitting" });
  await crew.allFinished(30_000);
  for (const member of [saturating, light])
    assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
  assert.deepEqual(crew.all("store-error"), [], "nobody ever hears of a busy database");
  assert.deepEqual(crew.problems(), []);
});

test("four processes that submit and work together complete each job once", { timeout: 120_000 }, async (t) => {
  const crew = new Crew(t);
  const members = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      crew.ready(`member${n}`, {
        works: ["single", "five"],
        submits: { kinds: ["single", "five"], pauseMs: 2, lanes: 3 },
      }),
    ),
  );
  const since = performance.now();
  while (performance.now() - since < 3_000) await Promise.all(members.map((member) => member.ask({ do: "health" })));
  await Promise.all(members.map((member) => member.ask({ do: "stop-submitting" })));
  await crew.allFinished(30_000);
  for (const member of members) assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
  assert.deepEqual(crew.all("store-error"), [], "nobody ever hears of a busy database");
  assert.deepEqual(crew.problems(), []);
  const completions = crew.all("settled").filter((event) => event.standing === "completed");
  const { jobs } = crew.facts();
  assert.equal(completions.length, jobs.size, "each is completed, and once");
  const shares = members.map((member) => completions.filter((event) => event.by === member.by).length);
  console.log(`neighbours.test: ${jobs.size} jobs by four processes: ${shares.join(", ")}`);
  assert.ok(
    shares.every((share) => share > 0),
    "each of them had its share",
  );
});
