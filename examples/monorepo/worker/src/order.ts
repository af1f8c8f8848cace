import { order } from "@shop/contracts";
import { JobFailure, moduleOf, work } from "millrace";

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
    isolation: "process",
    // Millrace finds the compiled pack.js by the name of its source.
    module: moduleOf<typeof import("./pack.ts")>(new URL("./pack.ts", import.meta.url)),
    processors: 1,
  });
