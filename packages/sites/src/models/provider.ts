/** Where models are asked, and with whose key. */
export interface ProviderSettings {
  /** The part of a model's name before the slash. */
  readonly name: string;
  readonly type: "openai" | "anthropic" | "google" | "perplexity" | "compatible";
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly requestsPerMinute: number;
  /** 0: not limited. */
  readonly tokensPerMinute: number;
}

export const requestLimiter = (provider: string) => `model-requests-${provider}`;
export const tokenLimiter = (provider: string) => `model-tokens-${provider}`;

/** Limiters in the store, one per provider's key: all processes and all jobs share them. */
export function limitersOf(providers: readonly ProviderSettings[]): Record<string, { count: number; perMs: number }> {
  return Object.fromEntries(
    providers.flatMap(({ name, requestsPerMinute, tokensPerMinute }) => [
      [requestLimiter(name), neverMoreThan(requestsPerMinute, Math.floor(requestsPerMinute / 12))],
      ...(tokensPerMinute > 0
        ? [[tokenLimiter(name), neverMoreThan(tokensPerMinute, mostTokensAtOnce(tokensPerMinute))]]
        : []),
    ]),
  );
}

/** What a call takes of the tokens at most: a larger one would never find room. */
export function mostTokensAtOnce(tokensPerMinute: number): number {
  return Math.ceil(tokensPerMinute / 2);
}

/**
 * A bucket of the whole minute's worth, full at rest, would let nearly twice as many through in its first minute. What is
 * in it and what flows in during a minute are the limit together: so no minute, wherever it begins, has more.
 */
function neverMoreThan(perMinute: number, atOnce: number): { count: number; perMs: number } {
  const count = Math.max(1, Math.min(atOnce, perMinute - 1));
  return { count, perMs: Math.ceil((60_000 * count) / Math.max(1, perMinute - count)) };
}

export interface ModelRef {
  provider: string;
  model: string;
}

/** `openai/gpt-5-mini`; the model's own name may have slashes too. */
export function parseRef(ref: string): ModelRef {
  const slash = ref.indexOf("/");
  return { provider: ref.slice(0, slash), model: ref.slice(slash + 1) };
}

/** Perplexity's models search the web for every answer. */
export function alwaysSearches({ type }: Pick<ProviderSettings, "type">): boolean {
  return type === "perplexity";
}
