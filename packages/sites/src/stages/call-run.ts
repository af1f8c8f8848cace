// Many paid calls of one job. Each provider has its own line, so that one that is slow or limited holds up no other. What is
// limited or fails for the moment is come back to, and the processor is free meanwhile.

import type { CostEstimate } from "../models/budget.ts";
import { NEEDS_BUDGET } from "../models/budget.ts";
import type { ModelReply } from "../models/client.ts";
import type { ModelFaultCode } from "../models/fault.ts";
import { type CallFunds, NoRoom, type PaidCallResult, paidCall } from "../models/paid-call.ts";
import { parseRef } from "../models/provider.ts";
import { askingTimeoutMs, type SiteSettings, turnMs } from "../settings.ts";

export interface PlannedCall {
  readonly key: string;
  readonly ref: string;
  readonly estimate: CostEstimate;
  readonly send: () => Promise<ModelReply>;
}

export interface CallRunOptions {
  readonly settings: SiteSettings;
  /** What the calls bring, for the progress: `answers`. */
  readonly noun: string;
}

/** What one call meets, the others of the same key will meet. */
const ENDS_PROVIDER: ReadonlySet<ModelFaultCode> = new Set(["key-refused", "quota-used-up", "not-installed"]);

export class CallRun {
  readonly outcomes = new Map<string, PaidCallResult>();
  readonly #calls: readonly PlannedCall[];
  readonly #funds: CallFunds;
  readonly #options: CallRunOptions;
  readonly #stopped = new Set<string>();
  readonly #startedAt = performance.now();
  #limited: unknown;
  #lacks: Extract<PaidCallResult, { state: "no-budget" }>["lacks"] | undefined;
  #sending = true;
  #outOfTime = false;

  constructor(calls: readonly PlannedCall[], funds: CallFunds, options: CallRunOptions) {
    this.#calls = calls;
    this.#funds = funds;
    this.#options = options;
  }

  get repeats(): number {
    return this.#sum((paid) => ("repeats" in paid ? paid.repeats : 0));
  }

  get perhapsBilled(): number {
    return this.#sum((paid) => ("perhapsBilled" in paid ? paid.perhapsBilled : 0));
  }

  /** Without `sending` only what is stored is looked at. */
  async go({ sending }: { sending: boolean }): Promise<void> {
    this.#sending = sending;
    await this.#askAll(this.#calls);
  }

  async #askAll(calls: readonly PlannedCall[]): Promise<void> {
    const { settings, noun } = this.#options;
    // The jobs of a pool take turns.
    const longestMs = turnMs(askingTimeoutMs(settings));
    const lines = [...Map.groupBy(calls, ({ ref }) => parseRef(ref).provider).values()];
    const lanes = Math.max(1, Math.floor(settings.callsInFlight / Math.max(1, lines.length)));
    const failures: unknown[] = [];
    const work = async (line: PlannedCall[]) => {
      for (let call = line.shift(); call; call = line.shift()) {
        if (failures.length > 0) return;
        this.#outOfTime ||= performance.now() - this.#startedAt > longestMs;
        if (this.#outOfTime) return;
        await this.#one(call);
        const done = this.outcomes.size;
        this.#funds.ctx.progress(Math.min(1, done / this.#calls.length), `${done} of ${this.#calls.length} ${noun}`);
      }
    };
    const all = lines.flatMap((line) => {
      const waiting = [...line];
      return Array.from({ length: lanes }, () => work(waiting).catch((error: unknown) => failures.push(error)));
    });
    await Promise.all(all);
    if (failures.length > 0) throw failures[0];
  }

  async #one(call: PlannedCall): Promise<void> {
    const { provider } = parseRef(call.ref);
    if (this.#stopped.has(provider)) return;
    const paid = await this.#paid(call, provider);
    if (!paid) return;
    if (paid.state === "no-budget") this.#lacks = this.#lacks === "calls" ? "calls" : paid.lacks;
    this.outcomes.set(call.key, paid);
    // A key that is refused once is refused for all the rest: nothing more is sent with it.
    if (paid.state === "failed" && ENDS_PROVIDER.has(paid.code)) this.#refuse(provider, paid);
  }

  async #paid(call: PlannedCall, provider: string): Promise<PaidCallResult | undefined> {
    const { settings } = this.#options;
    const { ctx } = this.#funds;
    const { tokensPerMinute = 0 } = settings.providers.find(({ name }) => name === provider) ?? {};
    try {
      // A finished run looks only at what is stored. So does one without calls left: no call is cheaper than another in calls.
      if ((!this.#sending || this.#lacks === "calls") && (await ctx.stored(`sent ${call.key} 1`)) === undefined) {
        return { state: "no-budget", lacks: "calls" };
      }
      return await paidCall({ ...call, tokensPerMinute }, this.#funds);
    } catch (error) {
      // A limiter without room: this provider's line ends here, the others go on, and the job comes back.
      if (!(error instanceof NoRoom)) throw error;
      this.#limited ??= error.yielding;
      this.#stopped.add(provider);
      return undefined;
    }
  }

  #refuse(provider: string, paid: Extract<PaidCallResult, { state: "failed" }>): void {
    this.#stopped.add(provider);
    for (const { key, ref } of this.#calls) {
      if (parseRef(ref).provider !== provider || this.outcomes.has(key)) continue;
      this.outcomes.set(key, { ...paid, attempts: 0, repeats: 0, perhapsBilled: 0, usd: 0, usage: undefined });
    }
  }

  /** Anything left to ask: come back when it can be asked. Leaves by throwing. */
  yieldIfNotDone(total: number, known: number): void {
    const { ctx, ledger } = this.#funds;
    const waits = [...this.outcomes.values()].flatMap((paid) => (paid.state === "waits" ? [paid.until] : []));
    if (this.#outOfTime) ctx.defer({ delayMs: 0 }, "waiting for other runs");
    if (this.#limited !== undefined) throw this.#limited;
    if (waits.length > 0) ctx.defer({ runAt: new Date(Math.min(...waits)) }, "waits for a model");
    // A reservation is as large as a call may be, and most calls take less: what was refused may fit now. Each return has settled
    // a call, so this ends.
    if (this.#lacks !== undefined && this.#lacks !== "calls" && ledger.settlements > 0)
      ctx.defer({ delayMs: 0 }, "looks for room in its budget");
    if (this.#lacks !== undefined) {
      const answered = known + [...this.outcomes.values()].filter(({ state }) => state === "answered").length;
      const { noun } = this.#options;
      ctx.hold(`${NEEDS_BUDGET}: ${answered} of ${total} ${noun} received for ${ledger.spent.calls} calls`);
    }
  }

  #sum(pick: (paid: PaidCallResult) => number): number {
    return [...this.outcomes.values()].reduce((sum, paid) => sum + pick(paid), 0);
  }
}
