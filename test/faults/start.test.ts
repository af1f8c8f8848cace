import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../support/torture.ts";
import { onEachStore } from "./support/stores.ts";

const ROUNDS = rounds("FAULT_STARTS", 3, 20);
const CLEAN = { code: 0, signal: null };

onEachStore(({ on, gather }) => {
  test(`four processes that start at once on ${on} that is new all open it and share the work`, {
    timeout: 60_000 + ROUNDS * 10_000,
  }, async (t) => {
    for (let round = 0; round < ROUNDS; round++) {
      const crew = await gather(t);
      const start = (n: number) => crew.ready(`member${n}`, { works: ["single", "five"] });
      const members = await Promise.all([1, 2, 3, 4].map(start));
      await Promise.all(members.map((member, n) => member.submit("five", [{ key: `${round}.${n}` }])));
      await crew.allFinished(10_000);
      // And all leave at once: of a file the last one out clears the WAL away while the others still close.
      for (const ended of await Promise.all(members.map((member) => member.stop()))) assert.deepEqual(ended, CLEAN);
      const { problems, jobs } = await crew.stored();
      assert.deepEqual(problems, []);
      assert.equal(jobs.size, members.length);
    }
  });

  test(`a process that starts on ${on} while others leave opens it all the same`, {
    timeout: 60_000 + ROUNDS * 5_000,
  }, async (t) => {
    const crew = await gather(t);
    let last = await crew.ready("member", { works: ["single"] });
    for (let round = 0; round < ROUNDS; round++) {
      const leaves = last.stop();
      const next = await crew.ready("member", { works: ["single"] });
      await next.submit("single", [{ key: `${round}` }]);
      assert.deepEqual(await leaves, CLEAN);
      last = next;
    }
    await crew.allFinished(10_000);
    await last.stop();
    assert.deepEqual(await crew.found(), []);
  });
});
