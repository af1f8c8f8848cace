import type { Context } from "millrace";
import { isRefusal } from "../analysis/verdict/refusals.ts";
import type { Answer, Prompt } from "../api/shapes.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { type Bill, type Budget, budgetInForce, estimateTokens, Ledger } from "../models/budget.ts";
import { modelClient } from "../models/client.ts";
import { type ModelOptions, optionsOf } from "../models/model-options.ts";
import { accountFor, type CallFunds, callKey, type PaidCallResult } from "../models/paid-call.ts";
import { loadPrices, type PriceOf } from "../models/price.ts";
import { alwaysSearches, parseRef } from "../models/provider.ts";
import type { SitePayload } from "../payload.ts";
import { CallRun } from "./call-run.ts";
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
  /** What a judge of the answers spends from. */
  funds: CallFunds;
  /** The user ended the run: nothing more is sent. */
  finishing: boolean;
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
  const client = dependencies.models ?? modelClient(settings.providers);
  const calls = open.map((cell) => {
    const usage = estimatedUsage(cell, settings.providers);
    const options = { ...cell.options, timeoutMs: settings.modelTimeoutMs, signal: ctx.signal };
    return {
      key: cell.key,
      ref: cell.ref,
      estimate: { usage, usd: priceOf(cell.ref, usage) },
      send: () => client.ask(cell.ref, cell.prompt.text, options),
    };
  });
  const run = new CallRun(calls, purse, { settings, noun: "answers" });
  const finishing = told.some((answer) => "finish" in answer);
  await run.go({ sending: !finishing });
  if (!finishing) run.yieldIfNotDone(cells.length, known.size);
  const answers = cells.map((cell) => known.get(cell.key) ?? answerOf(cell, run.outcomes.get(cell.key)));
  return {
    answers,
    perhapsTwice: run.repeats,
    perhapsBilled: run.perhapsBilled,
    notes: priceNotes(wanted, payload.budget, priceOf),
    funds: purse,
    finishing,
  };
}

/** What a search finds is read by the model, and billed as its input. */
const SEARCHED_TOKENS = 12_000;

function estimatedUsage({ prompt, ref, options }: Cell, providers: SiteDependencies["settings"]["providers"]) {
  const provider = providers.find(({ name }) => name === parseRef(ref).provider);
  // Perplexity bills a search by the request, and not its text.
  const isRead = options.webSearch === true && !(provider && alwaysSearches(provider));
  return {
    inputTokens: estimateTokens(prompt.text) + (isRead ? SEARCHED_TOKENS : 0),
    outputTokens: options.maxOutputTokens,
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
        grounded: reply.sources.length > 0 || (reply.queries?.length ?? 0) > 0 || isAlwaysGrounded(cell.ref),
        status: statusOf(reply),
        text: reply.text,
        sources: reply.sources,
        ...(reply.queries && reply.queries.length > 0 && { queries: reply.queries }),
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

/** Perplexity answers nothing from memory, also where it lists no page. */
function isAlwaysGrounded(ref: string): boolean {
  return parseRef(ref).provider === "perplexity";
}

/** How an answer ended: a refusal is no answer, and an answer cut off is still one. */
function statusOf({ text, finish }: { text: string; finish: string }): Answer["status"] {
  if (finish === "refused" || isRefusal(text)) return "refused";
  if (text.trim() === "") return "empty";
  return finish === "length" ? "truncated" : "ok";
}

function priceNotes({ models, modelOptions }: Measurement, budget: Budget | undefined, priceOf: PriceOf): string[] {
  const unknown = models.filter((ref) => priceOf(ref, { inputTokens: 1_000, outputTokens: 1_000 }) === null);
  const searches = models.filter((ref) => optionsOf(ref, modelOptions).webSearch || isAlwaysGrounded(ref));
  return [
    ...(unknown.length > 0 && budget?.usd !== undefined
      ? [`The price of ${unknown.join(", ")} is unknown, so the budget in dollars did not limit it.`]
      : []),
    ...(searches.length > 0
      ? ["Providers bill web searches beside tokens. Their fee per search is not in the cost given here."]
      : []),
  ];
}
