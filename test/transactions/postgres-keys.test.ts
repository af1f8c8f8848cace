// runtimes: bun or node
// Concurrency keys of jobs that callers' transactions submit.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineKind, type Millrace, work } from "millrace";
import { z } from "zod";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { begin, end, openShop } from "./support/shop.ts";

removeDatabasesAfterwards();

const post = defineKind({
  name: "post",
  payload: z.object({ n: z.number() }),
  result: z.number(),
  concurrency: { key: () => "k" },
});
/** Notes the order in which its jobs run. */
function worker(order: number[]) {
  return work(post, { concurrency: { ordered: true } }).stage("run", {
    run: (_ctx, { n }) => {
      order.push(n);
      return n;
    },
  });
}

async function untilAllRan(millrace: Millrace, count: number): Promise<void> {
  await until("all have run", async () => (await millrace.count({ kind: "post", status: "done" })) === count);
}

describe("an ordered kind and callers' transactions", () => {
  test("runs jobs in the order in which they became visible, not in that of their statements", async (t) => {
    const order: number[] = [];
    const { millrace, pool, open } = await openShop(t, { kinds: [post], work: false });
    // The kind is known to be ordered before anything is submitted.
    await (await open({ kinds: [worker(order)] })).stop();
    const early = await begin(pool);
    await millrace.within(early).submit(post, { n: 1 });
    await millrace.within(early).submit(post, { n: 2 });
    await millrace.submit(post, { n: 0 });
    await end(early, "COMMIT");
    const gone = await begin(pool);
    await millrace.within(gone).submit(post, { n: 9 });
    await end(gone, "ROLLBACK");
    await pool.query(`SELECT millrace.submit('post', '{"n": 3}', '{"concurrencyKey": "k"}')`);
    await open({ kinds: [worker(order)] });
    await untilAllRan(millrace, 4);
    assert.deepEqual(order, [0, 1, 2, 3]);
  });

  test("needs the key as an option in SQL, and takes no priority", async (t) => {
    const { pool } = await openShop(t, { kinds: [worker([])] });
    const submit = (options: object) =>
      pool.query("SELECT millrace.submit('post', '{\"n\": 1}', $1::text)", [JSON.stringify(options)]);
    await assert.rejects(submit({}), { message: 'Jobs of the kind "post" need the option "concurrencyKey".' });
    await assert.rejects(submit({ concurrencyKey: "k", priority: 1 }), {
      message: 'Jobs of the kind "post" run in order, so they cannot have a priority.',
    });
    await assert.rejects(submit({ concurrencyKey: "" }), /1 to 255 characters/);
    await submit({ concurrencyKey: null });
  });
});
