import assert from "node:assert/strict";
import { test } from "node:test";
import { Millrace, sqlite } from "millrace";
import { type HostTurns, LocalTurns, StoredTurns } from "./host-turns.ts";

async function takenBySix(turns: readonly HostTurns[]): Promise<number[]> {
  const taken = await Promise.all(
    Array.from({ length: 6 }, (_, i) => (turns[i % turns.length] as HostTurns).take("bakery.example", 1_000, 60_000)),
  );
  assert.ok(taken.every(({ isTaken }) => isTaken));
  return taken.map(({ waitMs }) => waitMs).sort((a, b) => a - b);
}

function assertApart(waits: readonly number[]): void {
  for (const [i, waitMs] of waits.entries()) {
    // Time passes while the turns are taken, so a wait is a little shorter than its place says.
    assert.ok(waitMs <= i * 1_000 && waitMs > i * 1_000 - 900, waits.join(" "));
  }
}

test("six runs of one host get turns one gap apart, and another host has its own", async () => {
  const turns = new LocalTurns();
  assertApart(await takenBySix([turns]));
  assert.deepEqual(await turns.take("other.example", 1_000, 0), { waitMs: 0, isTaken: true });
});

test("a turn that is too far away is not taken, so nobody behind it waits for it", async () => {
  const turns = new LocalTurns();
  await turns.take("bakery.example", 5_000, 1_000);
  const first = await turns.take("bakery.example", 5_000, 1_000);
  const second = await turns.take("bakery.example", 5_000, 1_000);
  assert.deepEqual([first.isTaken, second.isTaken], [false, false]);
  assert.ok(second.waitMs <= 5_000);
});

test("the store keeps the turns of all processes", async (t) => {
  const engine = await Millrace.open({ store: sqlite(":memory:"), log: false });
  t.after(() => engine.stop());
  const records = engine.records("site-hosts");
  const [one, two] = [new StoredTurns(() => records), new StoredTurns(() => records)];
  assertApart(await takenBySix([one, two]));
});
