// runtimes: bun or node
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { INSERT_ORDER } from "./support/kinds.ts";
import { open } from "./support/shop-with-kind.ts";

removeDatabasesAfterwards();

describe("ctx.step() with tx", () => {
  test("is stored in a transaction of the processor's own", async (t) => {
    const { millrace, orders, kind } = await open(t, async (ctx, { pool }) => {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        await client.query(INSERT_ORDER, [ctx.attempt]);
        const seat = await ctx.step("seat", () => ctx.attempt, { tx: client });
        // The first attempt loses both.
        await client.query(ctx.attempt === 1 ? "ROLLBACK" : "COMMIT");
        if (ctx.attempt < 3) throw new Error("again");
        return seat;
      } finally {
        client.release();
      }
    });
    const job = await millrace.submit(kind, {});
    assert.equal(await job.wait(), 2);
    // The third attempt committed its own row, with the step of the second.
    assert.deepEqual(await orders(), [2, 3]);
  });

  test("refuses a pool, on which no transaction is open", async (t) => {
    const { millrace, kind } = await open(t, async (ctx, { pool }) => ctx.step("seat", () => 1, { tx: pool }));
    const job = await millrace.submit(kind, {}, { maxAttempts: 1 });
    await assert.rejects(job.wait(), /No transaction is open/);
    assert.deepEqual(await millrace.steps(job.id), []);
  });
});
