import { defineKind } from "millrace";
import type pg from "pg";
import { z } from "zod";

export const charge = defineKind({
  name: "charge",
  payload: z.object({ order: z.number() }),
  uniqueKey: ({ order }) => (order < 0 ? `o${order}` : undefined),
  run: (_ctx, { order }) => ({ charged: order }),
});

export const INSERT_ORDER = 'INSERT INTO public."order" (id) VALUES ($1)';

/** Waits for its payment, which transactions signal. Without an amount it waits again, as a new job. */
export const parcel = defineKind({
  name: "parcel",
  payload: z.object({ order: z.number() }),
  uniqueKey: ({ order }) => `p${order}`,
  signals: { paid: z.object({ amount: z.number() }) },
  run: async (ctx, { order }) => {
    const paid = await ctx.waitForSignal("paid");
    if (paid?.amount === 0) ctx.continueAsNew({ order });
    return { order, amount: paid?.amount };
  },
});

/** Books an order in a transaction, which completes the job if its payload says so. `onBegun` is called in the transaction. */
export function bookingOn(pool: pg.Pool, onBegun: (order: number) => void = () => {}) {
  return defineKind({
    name: "booking",
    payload: z.object({ order: z.number(), complete: z.boolean() }),
    maxAttempts: 50,
    // Its processes are killed on purpose.
    maxCrashes: 1_000,
    retry: { baseMs: 1, maxMs: 10 },
    run: (ctx, { order, complete }) => {
      const book = async (tx: pg.PoolClient) => {
        onBegun(order);
        await tx.query(INSERT_ORDER, [order]);
        return { order };
      };
      return ctx.transaction("book", pool, book, { complete });
    },
  });
}

/** A job whose payload is the number of the row that it came from. */
export const noted = defineKind({
  name: "noted",
  payload: z.object({ row: z.number() }),
  run: (_ctx, { row }) => row,
});
