import { setTimeout as delay } from "node:timers/promises";
import type { Context } from "../../../packages/millrace/src/processor.ts";

export default async function work(ctx: Context, { fails }: { fails: boolean }): Promise<string> {
  const charge = async () => {
    if (fails) return "receipt";
    ctx.progress(0.5);
    await delay(1_500);
    return "receipt";
  };
  const step = ctx.step as (name: string, fn: () => Promise<string>, options: { undo: string }) => Promise<string>;
  await step.call(ctx, "charge", charge, { undo: "refund" });
  if (fails) throw new Error("No stock.");
  await ctx.step("next", () => "next");
  return "done";
}

export const undo = {
  refund: async (_ctx: Context, receipt: string) => `refunded ${receipt}`,
};
