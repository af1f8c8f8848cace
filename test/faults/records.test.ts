// Records in a store whose processes are killed: what was answered is there afterwards, and nothing is counted twice.

import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Millrace, postgres, type Records, type StoredRecord, sqlite } from "../../packages/millrace/src/index.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { type Program, root, run, temporaryFolder } from "../support/program.ts";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";

const KILLS = rounds("FAULT_KILLS", 3, 100);
const LANES = 8;

removeDatabasesAfterwards();

const STORES: [on: string, place: (t: TestContext) => string | Promise<string>][] = [
  ["a file", (t) => join(temporaryFolder(t), "jobs.db")],
  ["PostgreSQL", freshDatabase],
];

for (const [on, placeOf] of STORES) {
  test(`on ${on} every answered write of a killed process survives, and updates of two processes add up`, {
    timeout: 60_000 + KILLS * 5_000,
  }, async (t) => {
    const place = await placeOf(t);
    const puts = new Map<string, { count: number; version: number }>();
    const totals: number[] = [];
    for (let round = 0; round < KILLS; round++) {
      const writers = ["a", "b"].map((name) => start(t, place, `${round}${name}`));
      const answers = 20 + round * 7;
      await until("both have written", () => writers.every((writer) => linesOf(writer).length > answers), 30_000);
      for (const { child } of writers) child.kill("SIGKILL");
      for (const writer of writers) {
        await writer.ended();
        for (const line of linesOf(writer)) {
          const [word, ...rest] = line.split(" ");
          if (word === "added") totals.push(Number(rest[0]));
          else puts.set(rest[0] as string, { count: Number(rest[1]), version: Number(rest[2]) });
        }
      }
    }
    const store = place.startsWith("postgres:") ? postgres(place) : sqlite(place);
    const millrace = await Millrace.open({ store, log: false });
    t.after(() => millrace.stop());
    const records = millrace.records<number>("numbers");
    const listed = await listAll(records);
    for (const [key, answered] of puts) {
      const found = await records.get(key);
      assert.deepEqual(listed.get(key), found);
      // A write that was under way when the process died may or may not be there.
      assert.ok(found && [answered.count, answered.count + 1].includes(found.value), `${key}: ${found?.value}`);
      assert.ok(found.version >= answered.version);
    }
    assert.equal(new Set(totals).size, totals.length, "no update saw the same value as another");
    const total = (await records.get("total"))?.value ?? 0;
    const unanswered = total - totals.length;
    assert.ok(unanswered >= 0 && unanswered <= KILLS * 2 * LANES, `${total} in the store, ${totals.length} answered`);
  });
}

async function listAll(records: Records<number>): Promise<Map<string, StoredRecord<number>>> {
  const all = new Map<string, StoredRecord<number>>();
  for (let after: string | undefined; ; ) {
    const page = await records.list({ limit: 10, after });
    for (const record of page.records) all.set(record.key, record);
    if (page.next === undefined) return all;
    after = page.next;
  }
}

function start(t: TestContext, place: string, name: string): Program {
  return run(t, [process.execPath, join(root, "test/faults/support/programs/records-writer.ts"), place, name]);
}

/** Whole lines only: the last one may be cut off. */
function linesOf({ stdout }: Program): string[] {
  return stdout().split("\n").slice(0, -1);
}
