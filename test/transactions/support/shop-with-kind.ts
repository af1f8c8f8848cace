// A shop with one kind, whose processor uses the shop.

import { type Context, defineKind, type Kind, type MillraceOptions } from "millrace";
import { z } from "zod";
import { openShop, type Shop } from "./shop.ts";

type Run = (ctx: Context, shop: Shop) => unknown;

/** A kind whose processor uses the shop, which is opened with it. */
export function kindOf(run: Run, more: Partial<Parameters<typeof defineKind>[0]> = {}) {
  const made: { shop?: Shop } = {};
  const kind = defineKind({
    name: "book",
    payload: z.object({}),
    retry: { baseMs: 1 },
    run: (ctx: Context) => run(ctx, made.shop as Shop),
    ...more,
  } as never) as Kind;
  return { kind, made };
}

export async function open(
  t: Parameters<typeof openShop>[0],
  run: Run,
  more: Partial<Parameters<typeof defineKind>[0]> = {},
  options: Partial<MillraceOptions> = {},
) {
  const { kind, made } = kindOf(run, more);
  const shop = await openShop(t, { kinds: [kind], ...options });
  made.shop = shop;
  return { ...shop, kind };
}
