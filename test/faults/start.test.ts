import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { Crew } from "./crew.ts";

const ROUNDS = 6;

test("four processes that start at once on a new file all open it and share the work", {
  timeout: 60_000,
}, async (t) => {
  const crew = new Crew(t);
  for (let round = 0; round < ROUNDS; round++) {
    crew.db = join(crew.folder, `${round}.db`);
    const members = await Promise.all([1, 2, 3, 4].map((n) => crew.ready(`member${n}`, { works: ["single", "five"] })));
    await Promise.all(members.map((member, n) => member.submit("five", [{ key: `${round}.${n}` }])));
    await crew.allFinished(10_000);
    // And all leave at once: the last one out clears the WAL away while the others still close.
    for (const ended of await Promise.all(members.map((member) => member.stop())))
      assert.deepEqual(ended, { code: 0, signal: null });
    assert.deepEqual(crew.facts().problems, []);
    assert.equal(crew.facts().jobs.size, members.length);
  }
});

test("a process that starts while others leave opens the file all the same", { timeout: 60_000 }, async (t) => {
  const crew = new Crew(t);
  let last = await crew.ready("member", { works: ["single"] });
  for (let round = 0; round < ROUNDS; round++) {
    const leaves = last.stop();
    const next = await crew.ready("member", { works: ["single"] });
    await next.submit("single", [{ key: `${round}` }]);
    assert.deepEqual(await leaves, { code: 0, signal: null });
    last = next;
  }
  await crew.allFinished(10_000);
  await last.stop();
  assert.deepEqual(crew.problems(), []);
});
