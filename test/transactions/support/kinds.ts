import { defineKind } from "millrace";
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
