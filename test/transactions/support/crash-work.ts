// Transactions that insert an order, and submit its job in every way that a transaction can. Each order has one job if it is committed.

import { defineKind, type Millrace } from "millrace";
import { outbox } from "millrace/outbox";
import type pg from "pg";
import { z } from "zod";
import { charge, INSERT_ORDER, parcel } from "./kinds.ts";

/** The last edit wins: the second submission of a transaction replaces the first. */
const edit = defineKind({
  name: "edit",
  payload: z.object({ order: z.number() }),
  uniqueKey: ({ order }) => `e${order}`,
  ifUnique: "replace",
  run: (_ctx, { order }) => order,
});
export const KINDS = [charge, parcel, edit];

type Work = (millrace: Millrace, client: pg.PoolClient, order: number) => Promise<unknown>;

/** What each does after `BEGIN` and the order. */
const WORKS: readonly Work[] = [
  (millrace, client, order) => millrace.within(client).submit(charge, { order }),
  (millrace, client, order) =>
    millrace.within(client).submit(charge, { order }, { uniqueKey: `u${order}`, idempotencyKey: `i${order}` }),
  (millrace, client, order) =>
    millrace.within(client).signal(parcel, { uniqueKey: `p${order}`, orSubmit: { order } }, "paid", { amount: order }),
  async (millrace, client, order) => {
    await millrace.within(client).submit(edit, { order });
    await millrace.within(client).submit(edit, { order });
  },
  (_millrace, client, order) => outbox.within(client).submit(charge, { order }),
  (_millrace, client, order) =>
    client.query(`SELECT millrace.submit('charge', $1::text, '{"uniqueKey": null}')`, [JSON.stringify({ order })]),
];
/** The works above, and `millrace.transaction()`. */
export const WORK_COUNT = WORKS.length + 1;

export async function transact(
  millrace: Millrace,
  pool: pg.Pool,
  { work, order }: { work: number; order: number },
): Promise<void> {
  const run = WORKS[work];
  if (run === undefined) {
    await millrace.transaction(pool, async (tx, jobs) => {
      await tx.query(INSERT_ORDER, [order]);
      await jobs.submit(charge, { order });
    });
    return;
  }
  const client = await pool.connect();
  await client.query("BEGIN");
  await client.query(INSERT_ORDER, [order]);
  await run(millrace, client, order);
  await client.query("COMMIT");
  client.release();
}
