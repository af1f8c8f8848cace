import { order } from "@shop/contracts";
import { JobFailure, work } from "millrace";

const LIMIT_CENTS = 1_000_000;

export const orderWork = work(order)
  .stage("charge", {
    processors: 4,
    maxAttempts: 5,
    run: async (ctx, { id, cents }) => {
      if (cents > LIMIT_CENTS) throw new JobFailure("The order is over the limit.", { permanent: true });
      // The step stores the receipt: a retry does not charge twice.
      const receipt = await ctx.step("charge", () => `receipt-${id}-${cents}`);
      return { receipt };
    },
  })
  .stage("pack", {
    run: async (ctx, { receipt }) => ({ receipt, parcel: `parcel-${ctx.payload.id}` }),
  });
