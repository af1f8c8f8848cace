// runtimes: bun or node
// ctx.transaction() and ctx.step() with tx on the databases of each library, on a real server.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql as drizzleSql } from "drizzle-orm";
import { drizzle as drizzleOnPg } from "drizzle-orm/node-postgres";
import { drizzle as drizzleOnPostgres } from "drizzle-orm/postgres-js";
import createKnex from "knex";
import { Kysely, sql as kyselySql, PostgresDialect } from "kysely";
import { type Context, defineKind } from "millrace";
import pg from "pg";
import createPostgres from "postgres";
import { z } from "zod";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { begin, end, openShop, type Shop } from "./support/shop.ts";

removeDatabasesAfterwards();

/** Every library sends these characters on its own way. */
const SEAT = { seat: "7 ? $1 :name @x 'quoted' \\ \"ü\"", at: [1, 2.5] };

interface Database {
  /** A transaction that inserts the order. With `complete` it ends the attempt. */
  book(ctx: Context, order: number, options: { complete: boolean; undo: never }): Promise<unknown>;
  /** A transaction of the processor's own, with a step in it. */
  reserve(ctx: Context, order: number): Promise<unknown>;
  close(): Promise<unknown>;
}

const insert = (id: number) => `INSERT INTO public."order" (id) VALUES (${id})`;

const LIBRARIES: Record<string, (shop: Shop) => Database> = {
  pg: ({ pool }) => ({
    book: (ctx, order, options) =>
      ctx.transaction("book", pool, async (tx) => (await tx.query(insert(order))) && SEAT, options),
    reserve: async (ctx, order) => {
      const client = await begin(pool);
      let how: "COMMIT" | "ROLLBACK" = "ROLLBACK";
      try {
        await client.query(insert(order));
        await ctx.step("reserve", () => SEAT, { tx: client });
        how = "COMMIT";
      } finally {
        await end(client, how);
      }
    },
    close: async () => {},
  }),
  postgres: ({ url }) => {
    const sql = createPostgres(url, { max: 2 });
    return {
      book: (ctx, order, options) =>
        ctx.transaction("book", sql, async (tx) => (await tx.unsafe(insert(order))) && SEAT, options),
      reserve: (ctx, order) =>
        sql.begin(async (tx) => {
          await tx.unsafe(insert(order));
          await ctx.step("reserve", () => SEAT, { tx });
        }),
      close: () => sql.end(),
    };
  },
  "Drizzle on pg": ({ pool }) => onDrizzle(drizzleOnPg(pool), async () => {}),
  "Drizzle on postgres": ({ url }) => {
    const client = createPostgres(url, { max: 2 });
    // The two databases are of different types, with the same methods.
    return onDrizzle(drizzleOnPostgres(client) as unknown as ReturnType<typeof drizzleOnPg>, () => client.end());
  },
  Kysely: ({ url }) => {
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) });
    return {
      book: (ctx, order, options) =>
        ctx.transaction("book", db, async (trx) => (await kyselySql.raw(insert(order)).execute(trx)) && SEAT, options),
      reserve: (ctx, order) =>
        db.transaction().execute(async (trx) => {
          await kyselySql.raw(insert(order)).execute(trx);
          await ctx.step("reserve", () => SEAT, { tx: trx });
        }),
      close: () => db.destroy(),
    };
  },
  Knex: ({ url }) => {
    const knex = createKnex({ client: "pg", connection: url });
    return {
      book: (ctx, order, options) =>
        ctx.transaction("book", knex, async (trx) => (await trx.raw(insert(order))) && SEAT, options),
      reserve: (ctx, order) =>
        knex.transaction(async (trx) => {
          await trx.raw(insert(order));
          await ctx.step("reserve", () => SEAT, { tx: trx });
        }),
      close: () => knex.destroy(),
    };
  },
};

function onDrizzle(db: ReturnType<typeof drizzleOnPg>, close: () => Promise<unknown>): Database {
  return {
    book: (ctx, order, options) =>
      ctx.transaction("book", db, async (tx) => (await tx.execute(drizzleSql.raw(insert(order)))) && SEAT, options),
    reserve: (ctx, order) =>
      db.transaction(async (tx) => {
        await tx.execute(drizzleSql.raw(insert(order)));
        await ctx.step("reserve", () => SEAT, { tx });
      }),
    close,
  };
}

describe("ctx.transaction() and ctx.step() with tx", () => {
  for (const [name, open] of Object.entries(LIBRARIES)) {
    test(`store their steps in transactions of ${name}`, async (t) => {
      const made: { database?: Database } = {};
      const undone: unknown[] = [];
      const book = defineKind({
        name: "book",
        payload: z.object({ order: z.number(), complete: z.boolean() }),
        retry: { baseMs: 1 },
        undo: { unbook: (_ctx: unknown, seat: typeof SEAT) => undone.push(seat) },
        run: async (ctx, { order, complete }) => {
          const { book, reserve } = made.database as Database;
          await reserve(ctx as never, order + 1).catch(() => {});
          await book(ctx as never, order, { complete, undo: "unbook" as never });
          // The second attempt finds both steps and runs neither.
          throw new Error(`attempt ${ctx.attempt}`);
        },
      });
      const shop = await openShop(t, { kinds: [book] });
      const database = open(shop);
      made.database = database;
      t.after(() => database.close());
      const { millrace } = shop;
      const completed = await millrace.submit(book, { order: 1, complete: true });
      assert.deepEqual(await completed.wait(), SEAT);
      const failed = await millrace.submit(book, { order: 11, complete: false }, { maxAttempts: 2 });
      await assert.rejects(failed.wait(), /attempt 2/);
      assert.deepEqual(undone, [SEAT]);
      for (const { id } of [completed, failed]) {
        const stored = (await millrace.steps(id)).map((step) => [step.name, JSON.parse(step.value)]);
        assert.deepEqual(stored.slice(0, 2), [
          ["reserve", SEAT],
          ["book", SEAT],
        ]);
      }
      assert.deepEqual(await shop.orders(), [1, 2, 11, 12]);
    });
  }
});
