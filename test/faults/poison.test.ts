import assert from "node:assert/strict";
import test from "node:test";
import { Crew, type Member, type Part } from "./crew.ts";

const MAX_CRASHES = 3;
const kindOptions = { maxCrashes: MAX_CRASHES, processors: 10 };
const WORKER: Part = { works: ["single"], kindOptions };

for (const dies of ["abort", "kill", "exit"] as const) {
  test(`one poison job (${dies}) among nine innocents: nine complete, the tenth is a dead letter`, {
    timeout: 60_000,
  }, async (t) => {
    const crew = new Crew(t);
    const submitter = await crew.ready("submitter", { kindOptions });
    const innocents = Array.from({ length: 9 }, (_, i) => ({ key: `innocent ${i}`, waitMs: 100, steps: 1 }));
    await submitter.submit("single", [...innocents, { key: "poison", dies }]);

    // As a supervisor does: started again after each death.
    let deaths = 0;
    let last: Member | undefined;
    while (crew.unfinished > 0) {
      assert.ok(deaths <= MAX_CRASHES, `it died ${deaths} times and is not done: ${last?.words}`);
      const worker = crew.start("worker", WORKER);
      const finished = crew.allFinished(15_000).then(async () => {
        await worker.ready;
        return worker.stop();
      });
      finished.catch(() => {});
      const { code } = await Promise.race([worker.exited, finished]);
      if (code !== 0) deaths++;
      last = worker;
    }
    await submitter.stop();

    assert.deepEqual(crew.problems({ deadLetters: new Set(["poison"]) }), []);
    const jobs = [...crew.facts().jobs.values()];
    const poison = jobs.find((job) => job.key === "poison");
    assert.equal(poison?.crashes, MAX_CRASHES);
    assert.equal(poison?.failures, 0, "a death is not a failed attempt");
    const worst = Math.max(...jobs.filter((job) => job !== poison).map((job) => job.crashes));
    console.log(`poison.test: ${dies}: ${deaths} deaths, an innocent saw ${worst} of them at most`);
    assert.ok(worst <= 1, "after the first death nobody shares the poison's process with another suspect");
    assert.equal(deaths, MAX_CRASHES);
  });
}
