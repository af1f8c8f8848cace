// runtimes: both
// The transactions of each library, as the library hands them out, on a real server.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql as drizzleSql } from "drizzle-orm";
import { drizzle as drizzleOnPg } from "drizzle-orm/node-postgres";
import { drizzle as drizzleOnPostgres } from "drizzle-orm/postgres-js";
import createKnex from "knex";
import { Kysely, sql as kyselySql, PostgresDialect } from "kysely";
import pg from "pg";
import createPostgres from "postgres";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { charge, INSERT_ORDER } from "./support/kinds.ts";
import { openShop, type Shop } from "./support/shop.ts";

removeDatabasesAfterwards();

const ONE = 'INSERT INTO public."order" (id) VALUES (1)';
const TWO = 'INSERT INTO public."order" (id) VALUES (2)';
const order = (id: number) => ({ order: -id });
/** With a unique and an idempotency key, so that every statement of a submission runs. */
const keyed = (id: number) => ({ idempotencyKey: `k${id}`, tags: ['with "quotes" and \\'] });

async function check({ millrace, orders }: Shop, ids: { kept: string; dropped: string }): Promise<void> {
  assert.deepEqual(await millrace.job(ids.kept).wait(), { charged: -1 });
  assert.deepEqual((await millrace.find(ids.kept))?.tags, keyed(1).tags);
  assert.equal(await millrace.find(ids.dropped), undefined);
  assert.deepEqual(await orders(), [1]);
}

describe("within(tx) and transaction(pool)", () => {
  test("take postgres", async (t) => {
    const shop = await openShop(t);
    const { millrace } = shop;
    const sql = createPostgres(shop.url, { max: 2 });
    t.after(() => sql.end());
    const kept = await millrace.transaction(sql, async (tx, jobs) => {
      await tx.unsafe(ONE);
      return (await jobs.submit(charge, order(1), keyed(1))).id;
    });
    let dropped = "";
    await assert.rejects(
      sql.begin(async (tx) => {
        await tx.unsafe(TWO);
        dropped = (await millrace.within(tx).submit(charge, order(2), keyed(2))).id;
        throw new Error("back");
      }),
      /back/,
    );
    await check(shop, { kept, dropped });
  });

  for (const driver of ["pg", "postgres"]) {
    test(`take Drizzle on ${driver}`, async (t) => {
      const shop = await openShop(t);
      const { millrace } = shop;
      const client = createPostgres(shop.url, { max: 2 });
      t.after(() => client.end());
      const db = driver === "pg" ? drizzleOnPg(shop.pool) : drizzleOnPostgres(client);
      // The two databases are of different types, with the same methods.
      const typed = db as ReturnType<typeof drizzleOnPg>;
      const kept = await millrace.transaction(typed, async (tx, jobs) => {
        await tx.execute(drizzleSql.raw(ONE));
        return (await jobs.submit(charge, order(1), keyed(1))).id;
      });
      let dropped = "";
      const failing = typed.transaction(async (tx) => {
        await tx.execute(drizzleSql.raw(TWO));
        dropped = (await millrace.within(tx).submit(charge, order(2), keyed(2))).id;
        tx.rollback();
      });
      await assert.rejects(failing, /Rollback/i);
      await check(shop, { kept, dropped });
    });
  }

  test("take Kysely", async (t) => {
    const shop = await openShop(t);
    const { millrace } = shop;
    const db = new Kysely<object>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: shop.url }) }),
    });
    t.after(() => db.destroy());
    const kept = await millrace.transaction(db, async (trx, jobs) => {
      await kyselySql.raw(ONE).execute(trx);
      return (await jobs.submit(charge, order(1), keyed(1))).id;
    });
    let dropped = "";
    const failing = db.transaction().execute(async (trx) => {
      await kyselySql.raw(TWO).execute(trx);
      dropped = (await millrace.within(trx).submit(charge, order(2), keyed(2))).id;
      throw new Error("back");
    });
    await assert.rejects(failing, /back/);
    await check(shop, { kept, dropped });
  });

  test("take Knex", async (t) => {
    const shop = await openShop(t);
    const { millrace } = shop;
    const knex = createKnex({ client: "pg", connection: shop.url });
    t.after(() => knex.destroy());
    const kept = await millrace.transaction(knex, async (trx, jobs) => {
      await trx.raw(ONE);
      return (await jobs.submit(charge, order(1), keyed(1))).id;
    });
    let dropped = "";
    const failing = knex.transaction(async (trx) => {
      await trx.raw(TWO);
      dropped = (await millrace.within(trx).submit(charge, order(2), keyed(2))).id;
      throw new Error("back");
    });
    await assert.rejects(failing, /back/);
    await check(shop, { kept, dropped });
  });

  test("take a client and a pool of pg, and say so when the database object itself is passed", async (t) => {
    const shop = await openShop(t);
    const { millrace, pool } = shop;
    const kept = await millrace.transaction(pool, async (client, jobs) => {
      await client.query(INSERT_ORDER, [1]);
      return (await jobs.submit(charge, order(1), keyed(1))).id;
    });
    await assert.rejects(millrace.within(drizzleOnPg(pool)).submit(charge, order(2)), {
      message: /No transaction is open/,
    });
    await assert.rejects(
      millrace.transaction({}, async () => 1),
      { code: "transaction-unusable" },
    );
    await check(shop, { kept, dropped: "job_00000000" });
  });
});
