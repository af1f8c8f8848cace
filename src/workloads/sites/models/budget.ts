import type { Usage } from "../../../api/site-shapes.ts";

export interface Budget {
  calls?: number | undefined;
  tokens?: number | undefined;
  usd?: number | undefined;
}

/** What was spent and what is spoken for. Made anew from the stored steps at each attempt, so nothing can be forgotten. */
export class Ledger {
  readonly budget: Budget;
  #calls = 0;
  #tokens = 0;
  #usd = 0;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  get spent(): Required<Budget> {
    return { calls: this.#calls, tokens: this.#tokens, usd: this.#usd };
  }

  /** Takes room for a call of this size, or says what is used up. */
  reserve(estimate: Estimate): "calls" | "tokens" | "usd" | undefined {
    const { calls, tokens, usd } = this.budget;
    const size = estimate.usage.inputTokens + estimate.usage.outputTokens;
    if (calls !== undefined && this.#calls + 1 > calls) return "calls";
    if (tokens !== undefined && this.#tokens + size > tokens) return "tokens";
    if (usd !== undefined && this.#usd + (estimate.usd ?? 0) > usd) return "usd";
    this.#calls++;
    this.#tokens += size;
    this.#usd += estimate.usd ?? 0;
    return undefined;
  }

  /** The call was not made. */
  release({ usage, usd }: Estimate): void {
    this.#calls--;
    this.#tokens -= usage.inputTokens + usage.outputTokens;
    this.#usd -= usd ?? 0;
  }

  /** The call is over: what it really took stands in the place of what was spoken for. */
  settle(estimate: Estimate, actual: { usage?: Usage | undefined; usd: number | null }): void {
    const { inputTokens, outputTokens } = estimate.usage;
    const used = actual.usage ? actual.usage.inputTokens + actual.usage.outputTokens : 0;
    this.#tokens += used - (inputTokens + outputTokens);
    this.#usd += (actual.usd ?? 0) - (estimate.usd ?? 0);
  }

  /** A call of an earlier attempt. One that was cut off counts in full, since it may have been billed. */
  spentBefore(actual: { usage?: Usage | undefined; usd: number | null }): void {
    this.#calls++;
    this.#tokens += actual.usage ? actual.usage.inputTokens + actual.usage.outputTokens : 0;
    this.#usd += actual.usd ?? 0;
  }
}

export interface Estimate {
  usage: Usage;
  usd: number | null;
}

/** About three characters to a token: high for English, fair for most. Only for what is reserved; bills are settled by usage. */
export function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).byteLength / 3) + 10;
}
