import type { Context } from "millrace";
import { isRefusal } from "../analysis/verdict/refusals.ts";
import type { Answer, Prompt } from "../api/shapes.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { type Bill, type Budget, budgetInForce, estimateTokens, Ledger, NEEDS_BUDGET } from "../models/budget.ts";
import { modelClient } from "../models/client.ts";
import type { ModelFaultCode } from "../models/fault.ts";
import { type ModelOptions, optionsOf } from "../models/model-options.ts";
import { accountFor, type CallFunds, callKey, NoRoom, type PaidCallResult, paidCall } from "../models/paid-call.ts";
import { loadPrices, type PriceOf } from "../models/price.ts";
import { parseRef } from "../models/provider.ts";
import type { SitePayload } from "../payload.ts";
import { askingTimeoutMs, turnMs } from "../settings.ts";
import { type BudgetAnswer, isMissing } from "./missing.ts";

export interface Measurement {
  prompts: readonly Prompt[];
  models: readonly string[];
  /** Answers of the run that this one completes. */
  known: readonly Answer[];
  /** Of the stage before: it shares the budget. */
  bill: Bill | undefined;
  told: readonly BudgetAnswer[];
  modelOptions: Readonly<Record<string, ModelOptions>> | undefined;
}

export interface MeasuredAnswers {
  answers: Answer[];
  perhapsTwice: number;
  perhapsBilled: number;
  notes: string[];
}

interface Cell {
  key: string;
  prompt: Prompt;
  ref: string;
  sample: number;
  options: ModelOptions;
}

export async function measure(
  ctx: Context<SitePayload>,
  wanted: Measurement,
  dependencies: SiteDependencies,
): Promise<MeasuredAnswers> {
  const { settings } = dependencies;
  const { payload } = ctx;
  const cells = cellsOf(wanted, payload.samples);
  const known = new Map(wanted.known.filter((answer) => !isMissing(answer)).map((answer) => [answer.callKey, answer]));
  const told = [...wanted.told, ...(await ctx.answers<BudgetAnswer>())];
  const budget = budgetInForce(payload.budget ?? { calls: settings.budgetCalls }, told);
  const priceOf = await loadPrices(settings.providers);
  const purse: CallFunds = {
    ctx,
    ledger: new Ledger(budget),
    priceOf,
    onInterrupted: payload.onInterrupted,
    retryBaseMs: settings.retryBaseMs,
  };
  if (wanted.bill) purse.ledger.spentBefore(wanted.bill);
  const open = cells.filter(({ key }) => !known.has(key));
  await accountFor(
    open.map(({ key }) => key),
    purse,
  );
  const run = new Run(open, purse, dependencies);
  const finishing = told.some((answer) => "finish" in answer);
  await run.go({ sending: !finishing });
  if (!finishing) run.yieldIfNotDone(cells.length, known.size);
  const answers = cells.map((cell) => known.get(cell.key) ?? answerOf(cell, run.outcomes.get(cell.key)));
  return {
    answers,
    perhapsTwice: run.repeats,
    perhapsBilled: run.perhapsBilled,
    notes: priceNotes(wanted.models, payload.budget, priceOf),
  };
}

/** Samples first, then prompts: a run cut short has asked everything once rather than the first question ten times. */
function cellsOf({ prompts, models, modelOptions }: Measurement, samples: number): Cell[] {
  return Array.from({ length: samples }, (_, i) => i + 1).flatMap((sample) =>
    prompts.flatMap((prompt) =>
      models.map((ref) => {
        const options = optionsOf(ref, modelOptions);
        return { prompt, ref, sample, options, key: callKey({ prompt: prompt.text, ref, sample, ...options }) };
      }),
    ),
  );
}

class Run {
  readonly outcomes = new Map<string, PaidCallResult>();
  readonly #cells: readonly Cell[];
  readonly #purse: CallFunds;
  readonly #dependencies: SiteDependencies;
  readonly #stopped = new Set<string>();
  #limited: unknown;
  #lacks: string | undefined;
  #sending = true;
  #outOfTime = false;

  constructor(cells: readonly Cell[], purse: CallFunds, dependencies: SiteDependencies) {
    this.#cells = cells;
    this.#purse = purse;
    this.#dependencies = dependencies;
  }

  get repeats(): number {
    return [...this.outcomes.values()].reduce((sum, paid) => sum + ("repeats" in paid ? paid.repeats : 0), 0);
  }

  get perhapsBilled(): number {
    return [...this.outcomes.values()].reduce(
      (sum, paid) => sum + ("perhapsBilled" in paid ? paid.perhapsBilled : 0),
      0,
    );
  }

  /** Each provider has its own line, so that one that is slow or limited holds up no other; all share the calls in flight. */
  async go({ sending }: { sending: boolean }): Promise<void> {
    this.#sending = sending;
    const startedAt = performance.now();
    // The jobs of a pool take turns.
    const longestMs = turnMs(askingTimeoutMs(this.#dependencies.settings));
    const lines = [...Map.groupBy(this.#cells, ({ ref }) => parseRef(ref).provider).values()];
    const lanes = Math.max(1, Math.floor(this.#dependencies.settings.callsInFlight / lines.length));
    const failures: unknown[] = [];
    const work = async (line: Cell[]) => {
      for (let cell = line.shift(); cell; cell = line.shift()) {
        if (failures.length > 0) return;
        this.#outOfTime ||= performance.now() - startedAt > longestMs;
        if (this.#outOfTime) return;
        await this.#one(cell);
        this.#purse.ctx.progress(
          Math.min(1, this.outcomes.size / this.#cells.length),
          `${this.outcomes.size} of ${this.#cells.length} answers`,
        );
      }
    };
    const all = lines.flatMap((line) => {
      const waiting = [...line];
      return Array.from({ length: lanes }, () => work(waiting).catch((error: unknown) => failures.push(error)));
    });
    await Promise.all(all);
    if (failures.length > 0) throw failures[0];
  }

  async #one(cell: Cell): Promise<void> {
    const { provider } = parseRef(cell.ref);
    if (this.#stopped.has(provider)) return;
    const paid = await this.#paid(cell, provider);
    if (!paid) return;
    if (paid.state === "no-budget") this.#lacks = paid.lacks;
    this.outcomes.set(cell.key, paid);
    // A key that is refused once is refused for all the rest: nothing more is sent with it.
    if (paid.state === "failed" && ENDS_PROVIDER.has(paid.code)) this.#refuse(provider, paid);
  }

  async #paid(cell: Cell, provider: string): Promise<PaidCallResult | undefined> {
    const { settings } = this.#dependencies;
    const client = this.#dependencies.models ?? modelClient(settings.providers);
    const { ctx, priceOf } = this.#purse;
    const usage = { inputTokens: estimateTokens(cell.prompt.text), outputTokens: cell.options.maxOutputTokens };
    const options = {
      ...cell.options,
      timeoutMs: settings.modelTimeoutMs,
      signal: ctx.signal,
    };
    const { tokensPerMinute = 0 } = settings.providers.find(({ name }) => name === provider) ?? {};
    try {
      // A finished run looks only at what is stored. So does one without calls left: no call is cheaper than another in calls.
      if ((!this.#sending || this.#lacks === "calls") && (await ctx.stored(`sent ${cell.key} 1`)) === undefined) {
        return { state: "no-budget", lacks: "calls" };
      }
      return await paidCall(
        {
          key: cell.key,
          ref: cell.ref,
          estimate: { usage, usd: priceOf(cell.ref, usage) },
          tokensPerMinute,
          send: () => client.ask(cell.ref, cell.prompt.text, options),
        },
        this.#purse,
      );
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
    for (const { key, ref } of this.#cells) {
      if (parseRef(ref).provider !== provider || this.outcomes.has(key)) continue;
      this.outcomes.set(key, { ...paid, attempts: 0, repeats: 0, perhapsBilled: 0, usd: 0, usage: undefined });
    }
  }

  /** Anything left to ask: come back when it can be asked. Leaves by throwing. */
  yieldIfNotDone(total: number, known: number): void {
    const { ctx, ledger } = this.#purse;
    const waits = [...this.outcomes.values()].flatMap((paid) => (paid.state === "waits" ? [paid.until] : []));
    if (this.#outOfTime) ctx.defer({ delayMs: 0 }, "waiting for other runs");
    if (this.#limited !== undefined) throw this.#limited;
    if (waits.length > 0) ctx.defer({ runAt: new Date(Math.min(...waits)) }, "waits for a model");
    if (this.#lacks !== undefined) {
      const answered = known + [...this.outcomes.values()].filter(({ state }) => state === "answered").length;
      ctx.hold(`${NEEDS_BUDGET}: ${answered} of ${total} answers received for ${ledger.spent.calls} calls`);
    }
  }
}

/** What one call meets, the others of the same key will meet. */
const ENDS_PROVIDER: ReadonlySet<ModelFaultCode> = new Set(["key-refused", "quota-used-up", "not-installed"]);

function answerOf(cell: Cell, paid: PaidCallResult | undefined): Answer {
  const base = {
    callKey: cell.key,
    promptId: cell.prompt.id,
    sample: cell.sample,
    mode: "model" as const,
    grounded: false,
    text: "",
    sources: [],
    costUsd: 0,
    ms: 0,
    attempts: 0,
  };
  const model = { ref: cell.ref };
  switch (paid?.state) {
    case "answered": {
      const { reply, usd, attempts } = paid;
      return {
        ...base,
        model: { ref: cell.ref, ...(reply.reported !== undefined && { reported: reply.reported }) },
        grounded: reply.sources.length > 0,
        status: statusOf(reply),
        text: reply.text,
        sources: reply.sources,
        ...(reply.usage && { usage: reply.usage }),
        costUsd: usd,
        ms: reply.ms,
        attempts,
      };
    }
    case "failed":
      return {
        ...base,
        model,
        status: "failed",
        error: paid.message,
        costUsd: paid.usd,
        attempts: paid.attempts,
        ...(paid.usage && { usage: paid.usage }),
      };
    case "interrupted":
      return { ...base, model, status: "interrupted", attempts: paid.attempts, costUsd: null };
    default:
      return { ...base, model, status: "skipped-budget" };
  }
}

/** How an answer ended: a refusal is no answer, and an answer cut off is still one. */
function statusOf({ text, finish }: { text: string; finish: string }): Answer["status"] {
  if (finish === "refused" || isRefusal(text)) return "refused";
  if (text.trim() === "") return "empty";
  return finish === "length" ? "truncated" : "ok";
}

function priceNotes(models: readonly string[], budget: Budget | undefined, priceOf: PriceOf): string[] {
  const unknown = models.filter((ref) => priceOf(ref, { inputTokens: 1_000, outputTokens: 1_000 }) === null);
  if (unknown.length === 0 || budget?.usd === undefined) return [];
  return [`The price of ${unknown.join(", ")} is unknown, so the budget in dollars did not limit it.`];
}
