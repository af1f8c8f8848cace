// runtimes: bun or node
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineKind, work } from "millrace";
import { z } from "zod";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { scaled } from "../support/slowness.ts";
import { until } from "../support/until.ts";
import { INSERT_ORDER } from "./support/kinds.ts";
import { openShop, type Shop } from "./support/shop.ts";
import { open } from "./support/shop-with-kind.ts";

removeDatabasesAfterwards();

describe("ctx.transaction()", () => {
  test("commits the processor's writes with its step, and returns the stored value afterwards", async (t) => {
    const calls: number[] = [];
    const { millrace, orders, kind } = await open(t, async (ctx, { pool }) => {
      const booked = await ctx.transaction("book", pool, async (tx) => {
        calls.push(ctx.attempt);
        await tx.query(INSERT_ORDER, [1]);
        return { at: ctx.attempt };
      });
      if (ctx.attempt === 1) throw new Error("again");
      return booked;
    });
    const job = await millrace.submit(kind, {});
    assert.deepEqual(await job.wait(), { at: 1 });
    assert.deepEqual(calls, [1]);
    assert.deepEqual(await orders(), [1]);
    assert.deepEqual(
      (await millrace.steps(job.id)).map(({ name, value }) => [name, value]),
      [["book", '{"at":1}']],
    );
  });

  test("rolls both back if its function throws, or if the store refuses the step", async (t) => {
    const { millrace, orders, kind, pool } = await open(t, async (ctx, { pool }) => {
      await ctx.transaction("book", pool, async (tx) => {
        await tx.query(INSERT_ORDER, [ctx.attempt]);
        if (ctx.attempt === 1) throw new Error("first");
        // A value that JSON would change fails for good.
        return ctx.attempt === 2 ? new Map() : 0;
      });
    });
    const job = await millrace.submit(kind, {});
    await assert.rejects(job.wait(), /book/);
    assert.equal((await job.view())?.attempt, 2);
    assert.deepEqual(await orders(), []);
    assert.deepEqual(await millrace.steps(job.id), []);
    assert.equal(pool.idleCount, pool.totalCount);
  });

  for (const complete of [false, true]) {
    test(`rolls both back if the lease is lost before the commit, complete: ${complete}`, async (t) => {
      const entered = Promise.withResolvers<void>();
      const cancelled = Promise.withResolvers<void>();
      const left = Promise.withResolvers<unknown>();
      const { millrace, orders, kind } = await open(t, async (ctx, { pool }) => {
        const work = ctx.transaction(
          "book",
          pool,
          async (tx) => {
            await tx.query(INSERT_ORDER, [1]);
            entered.resolve();
            await cancelled.promise;
          },
          { complete },
        );
        await work.catch(left.resolve);
      });
      const job = await millrace.submit(kind, {});
      await entered.promise;
      await job.cancel();
      cancelled.resolve();
      assert.match(String(await left.promise), /LeaseLost/i);
      assert.equal((await job.view())?.state, "cancelled");
      assert.deepEqual(await orders(), []);
      assert.deepEqual(await millrace.steps(job.id), []);
    });
  }

  test("refuses other calls on ctx inside its function", async (t) => {
    const { millrace, orders, kind } = await open(t, async (ctx, { pool }) => {
      await ctx.transaction("book", pool, async (tx) => {
        await tx.query(INSERT_ORDER, [1]);
        ctx.log.info("lines of the log are allowed");
        await ctx.step("inner", () => 1);
      });
    });
    const job = await millrace.submit(kind, {}, { maxAttempts: 1 });
    await assert.rejects(job.wait(), /ctx\.step\("inner"\) is not allowed inside the transaction "book"/);
    assert.deepEqual(await orders(), []);
  });

  for (const isolation of ["REPEATABLE READ", "SERIALIZABLE"]) {
    test(`works under ${isolation}`, async (t) => {
      const { millrace, orders, kind } = await open(t, async (ctx, { pool }) => {
        await ctx.transaction(
          "book",
          pool,
          async (tx) => {
            await tx.query(`SET TRANSACTION ISOLATION LEVEL ${isolation}`);
            await tx.query(INSERT_ORDER, [1]);
            return "done";
          },
          { complete: true },
        );
      });
      assert.equal(await (await millrace.submit(kind, {})).wait(), "done");
      assert.deepEqual(await orders(), [1]);
    });
  }

  test("holds no row of the job before its last statement", async (t) => {
    const entered = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const { millrace, kind } = await open(t, async (ctx, { pool }) => {
      await ctx.transaction("book", pool, async (tx) => {
        await tx.query(INSERT_ORDER, [1]);
        entered.resolve();
        await goOn.promise;
      });
      return "kept";
    });
    const job = await millrace.submit(kind, {});
    await entered.promise;
    // Both lock the row of the job.
    await millrace.signal(kind, job.id, "hello");
    await millrace.submit(kind, {}, { idempotencyKey: "other", delayMs: 60_000 });
    goOn.resolve();
    assert.equal(await job.wait(), "kept");
  });

  test("stores the undo of the step with it", async (t) => {
    const undone: unknown[] = [];
    const { millrace, kind } = await open(
      t,
      async (ctx, { pool }) => {
        await ctx.transaction("book", pool, async () => ({ seat: 7 }), { undo: "unbook" } as never);
        throw new Error("no");
      },
      { undo: { unbook: (_ctx: unknown, value: unknown) => undone.push(value) } } as never,
    );
    const job = await millrace.submit(kind, {}, { maxAttempts: 1 });
    await assert.rejects(job.wait(), /no/);
    assert.deepEqual(undone, [{ seat: 7 }]);
  });

  test("says what is wrong with the database", async (t) => {
    const { millrace, kind } = await open(t, async (ctx) => {
      await ctx.transaction("book", {}, async () => 1);
    });
    const job = await millrace.submit(kind, {}, { maxAttempts: 1 });
    await assert.rejects(job.wait(), /needs a pool or database/);
  });
});

describe("ctx.transaction() with complete", () => {
  test("settles the stage in the same commit, whatever the processor does afterwards", async (t) => {
    const {
      millrace,
      orders,
      kind,
      open: openAgain,
    } = await open(t, async (ctx, { pool }) => {
      await ctx.transaction(
        "book",
        pool,
        async (tx) => {
          await tx.query(INSERT_ORDER, [1]);
          ctx.log.info("booked");
          return { booked: "it's $1 and ? and \\ ü" };
        },
        { complete: true },
      );
      if (ctx.tags.includes("throws")) throw new Error("too late");
      await assert.rejects(async () => ctx.step("more", () => 1), /came after ctx.transaction\("book"/);
      return "ignored";
    });
    // A waiter in another process.
    const other = await openAgain({ work: false, kinds: [kind] });
    const job = await millrace.submit(kind, {});
    const elsewhere = other.wait(job.id);
    assert.deepEqual(await job.wait(), { booked: "it's $1 and ? and \\ ü" });
    assert.equal((await elsewhere).state, "completed");
    assert.deepEqual(await orders(), [1]);
    assert.deepEqual(
      (await millrace.logs(job.id)).map(({ message }) => message),
      ["booked"],
    );
  });

  test("counts although the processor throws, or never returns in time", async (t) => {
    const { millrace, kind } = await open(
      t,
      async (ctx, { pool }) => {
        await ctx.transaction("book", pool, async () => ctx.tags[0], { complete: true });
        if (ctx.tags.includes("throws")) throw new Error("too late");
        await new Promise((resolve) => setTimeout(resolve, 2_000).unref());
      },
      { timeoutMs: 400 },
    );
    const throwing = await millrace.submit(kind, {}, { tags: ["throws"] });
    assert.equal(await throwing.wait(), "throws");
    const late = await millrace.submit(kind, {}, { tags: ["late"] });
    assert.equal(await late.wait(), "late");
    for (const job of [throwing, late]) {
      assert.equal((await job.view())?.state, "completed");
      assert.deepEqual(
        (await millrace.attempts(job.id)).map(({ outcome }) => outcome),
        ["completed"],
      );
    }
  });

  test("goes on to the next stage, frees the unique key, and ends the wait of a parent", async (t) => {
    const made: { shop?: Shop } = {};
    const child = defineKind({
      name: "child",
      payload: z.object({ seat: z.number() }),
      uniqueKey: ({ seat }) => `seat ${seat}`,
    })
      .stage("first", {
        run: (ctx) =>
          ctx.transaction(
            "reserve",
            (made.shop as Shop).pool,
            async (tx) => {
              await tx.query(INSERT_ORDER, [1]);
              return { reserved: true };
            },
            { complete: true },
          ),
      })
      .stage("second", {
        run: async (ctx, { reserved }) => {
          await ctx.transaction("confirm", (made.shop as Shop).pool, async () => reserved, { complete: true });
          return false;
        },
      });
    const parent = defineKind({
      name: "parent",
      payload: z.object({}),
      run: async (ctx) => ({ child: await ctx.runChild("child", child, { seat: 7 }) }),
    });
    const shop = await openShop(t, { kinds: [child, parent] });
    made.shop = shop;
    const job = await shop.millrace.submit(parent, {});
    assert.deepEqual(await job.wait(), { child: true });
    const { rows } = await shop.pool.query("SELECT 1 FROM millrace.unique_key");
    assert.deepEqual(rows, []);
    assert.deepEqual(await shop.orders(), [1]);
  });

  for (const isolation of ["READ COMMITTED", "REPEATABLE READ"]) {
    test(`passes its unique key on to a follower, under ${isolation}`, async (t) => {
      const made: { shop?: Shop } = {};
      const followers: string[] = [];
      const page = defineKind({
        name: "page",
        payload: z.object({ n: z.number() }),
        uniqueKey: () => "page",
        ifUnique: "replace",
        retry: { baseMs: 1 },
        run: async (ctx, { n }) => {
          const { pool, millrace } = made.shop as Shop;
          await ctx.transaction(
            "index",
            pool,
            async (tx) => {
              await tx.query(`SET TRANSACTION ISOLATION LEVEL ${isolation}`);
              await tx.query("SELECT 1");
              if (n === 1 && ctx.attempt === 1) followers.push((await millrace.submit(page, { n: 2 })).id);
              return n;
            },
            { complete: true },
          );
        },
      });
      const shop = await openShop(t, { kinds: [page] });
      made.shop = shop;
      const leader = await shop.millrace.submit(page, { n: 1 });
      assert.equal(await leader.wait(), 1);
      // A transaction that does not see the follower must not end the job.
      const attempts = (await leader.view())?.attempt ?? 0;
      // On a busy machine a later attempt may meet another change of the same rows and begin again.
      assert.ok(isolation === "READ COMMITTED" ? attempts === 1 : attempts >= 2, `${attempts} attempts`);
      assert.equal(await shop.millrace.job(followers[0] as string).wait({ timeoutMs: scaled(10_000) }), 2);
      const { rows } = await shop.pool.query(
        "SELECT job FROM millrace.unique_key UNION ALL SELECT job FROM millrace.follower",
      );
      assert.deepEqual(rows, []);
    });
  }

  test("keeps the contract of the kind: a result that does not fit rolls all back", async (t) => {
    const made: { shop?: Shop } = {};
    const seat = defineKind({ name: "seat", payload: z.object({}), result: z.object({ seat: z.number() }) });
    const kind = work(seat).stage("book", {
      run: async (ctx) => {
        const { pool } = made.shop as Shop;
        const value = { seat: ctx.tags[0] === "wrong" ? "seven" : 7, more: true };
        await ctx.transaction(
          "book",
          pool,
          async (tx) => {
            await tx.query(INSERT_ORDER, [1]);
            return value;
          },
          { complete: true },
        );
        return { seat: 0 };
      },
    });
    const shop = await openShop(t, { kinds: [kind] });
    made.shop = shop;
    const wrong = await shop.millrace.submit(seat, {}, { tags: ["wrong"] });
    await assert.rejects(wrong.wait(), { code: "result-mismatch" });
    assert.deepEqual(await shop.orders(), []);
    // The schema makes the result.
    assert.deepEqual(await (await shop.millrace.submit(seat, {})).wait(), { seat: 7 });
  });

  test("deletes a job that its kind does not keep", async (t) => {
    const { millrace, pool, kind } = await open(
      t,
      async (ctx, { pool }) => {
        await ctx.transaction("book", pool, async () => "gone", { complete: true });
      },
      { keep: "none" } as never,
    );
    const job = await millrace.submit(kind, {});
    await until("the job is gone", async () => (await millrace.find(job.id)) === undefined);
    const { rows } = await pool.query("SELECT 1 FROM millrace.step");
    assert.deepEqual(rows, []);
  });
});
