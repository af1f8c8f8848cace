import type { Usage } from "../api/shapes.ts";
import type { ProviderSettings } from "./provider.ts";
import { parseRef } from "./provider.ts";

/** Dollars for these tokens of this model; null where no price is known, which is not the same as free. */
export type PriceOf = (ref: string, usage: Usage) => number | null;

/** The price table is an optional package; without it all prices are unknown. */
export async function loadPrices(providers: readonly ProviderSettings[]): Promise<PriceOf> {
  const types = new Map(providers.map(({ name, type }) => [name, type]));
  const table = await import("@pydantic/genai-prices").catch(() => undefined);
  if (!table) return () => null;
  return (ref, usage) => {
    const { provider, model } = parseRef(ref);
    const type = types.get(provider);
    // A server of one's own may carry any model under any name: no table knows what its hours cost.
    if (type === undefined || type === "compatible") return null;
    const tokens = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
    return table.calcPrice(tokens, model, { providerId: type })?.total_price ?? null;
  };
}
