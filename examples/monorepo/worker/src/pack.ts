import type { Context } from "millrace/processor";

/** Packs an order. The stage runs this module in a process of its own. */
export default async function pack(ctx: Context<{ id: string }>, input: { receipt: string }) {
  ctx.log.info("packing", { receipt: input.receipt });
  return { receipt: input.receipt, parcel: `parcel-${ctx.payload.id}` };
}
