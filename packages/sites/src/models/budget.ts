import type { Usage } from "../api/shapes.ts";

export interface Budget {
  calls?: number | undefined;
  tokens?: number | undefined;
  usd?: number | undefined;
}

/** How a hold for want of budget begins. */
export const NEEDS_BUDGET = "needs budget";

/** The money that is spent or reserved. Built from the stored steps at each attempt, so that nothing is lost. */
export class Ledger {
  readonly budget: Budget;
  #calls = 0;
  #tokens = 0;
  #usd = 0;
  #settlements = 0;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  get spent(): Required<Budget> {
    return { calls: this.#calls, tokens: this.#tokens, usd: this.#usd };
  }

  /** Calls that ended in this attempt: each gave back what it had reserved too much. */
  get settlements(): number {
    return this.#settlements;
  }

  /** Takes room for a call of this size, or says what is used up. */
  reserve(estimate: CostEstimate): "calls" | "tokens" | "usd" | undefined {
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
  release({ usage, usd }: CostEstimate): void {
    this.#calls--;
    this.#tokens -= usage.inputTokens + usage.outputTokens;
    this.#usd -= usd ?? 0;
  }

  /** The call is over: what it really took stands in the place of what was spoken for. */
  settle(estimate: CostEstimate, actual: { usage?: Usage | undefined; usd: number | null }): void {
    const { inputTokens, outputTokens } = estimate.usage;
    this.#settlements++;
    const used = actual.usage ? actual.usage.inputTokens + actual.usage.outputTokens : 0;
    this.#tokens += used - (inputTokens + outputTokens);
    this.#usd += (actual.usd ?? 0) - (estimate.usd ?? 0);
  }

  /** Calls of an earlier attempt or stage. One that was cut off counts in full, since it may have been billed. */
  spentBefore({ usage, usd, calls = 1 }: { usage?: Usage | undefined; usd: number | null; calls?: number }): void {
    this.#calls += calls;
    this.#tokens += usage ? usage.inputTokens + usage.outputTokens : 0;
    this.#usd += usd ?? 0;
  }
}

/** What calls were billed in all. `usd` is null where a price is not known. */
export interface Bill {
  calls: number;
  usage: Usage;
  usd: number | null;
  /** Calls that a crash cut off: they may have been billed, and were asked again. */
  perhapsTwice: number;
}

export function addBills(a: Bill, b: Bill): Bill {
  return {
    calls: a.calls + b.calls,
    usage: {
      inputTokens: a.usage.inputTokens + b.usage.inputTokens,
      outputTokens: a.usage.outputTokens + b.usage.outputTokens,
    },
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
    perhapsTwice: a.perhapsTwice + b.perhapsTwice,
  };
}

/** The budget of a run: the latest that it was given. */
export function budgetInForce(given: Budget, told: readonly object[]): Budget {
  return told.flatMap((answer) => ("budget" in answer ? [answer.budget as Budget] : [])).at(-1) ?? given;
}

export interface CostEstimate {
  usage: Usage;
  usd: number | null;
}

/** About three characters to a token: high for English, fair for most. Only for what is reserved; bills are settled by usage. */
export function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).byteLength / 3) + 10;
}
