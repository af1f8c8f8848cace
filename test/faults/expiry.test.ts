import assert from "node:assert/strict";
import test from "node:test";
import { Crew } from "./crew.ts";
import { until } from "./until.ts";

test("whoever takes back the jobs of a dead process says so, also at its very start", {
  timeout: 30_000,
}, async (t) => {
  const crew = new Crew(t);
  const gate = crew.gate("work");
  const victim = await crew.ready("victim", { works: ["single"] });
  const jobIds = await victim.submit(
    "single",
    ["a", "b", "c"].map((key) => ({ key, gate })),
  );
  const started = () => crew.eventsOf(victim).filter((event) => event.type === "attempt-started").length;
  await until("the victim has its jobs in hand", () => started() === jobIds.length, 5_000);
  await crew.kill(victim);
  crew.open(gate);
  const survivor = await crew.ready("survivor", { works: ["single"] });
  await crew.allFinished(5_000);
  await survivor.stop();
  const told = crew.eventsOf(survivor).flatMap((event) => (event.type === "lease-expired" ? [event.jobId] : []));
  assert.deepEqual(new Set(told), new Set(jobIds));
  assert.equal(told.length, jobIds.length);
  assert.deepEqual(crew.problems(), []);
});
