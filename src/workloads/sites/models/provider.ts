/** Where models are asked, and with whose key. */
export interface ProviderSettings {
  /** The part of a model's name before the slash. */
  readonly name: string;
  readonly type: "openai" | "anthropic" | "compatible";
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
      [requestLimiter(name), { count: requestsPerMinute, perMs: 60_000 }],
      ...(tokensPerMinute > 0 ? [[tokenLimiter(name), { count: tokensPerMinute, perMs: 60_000 }]] : []),
    ]),
  );
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
