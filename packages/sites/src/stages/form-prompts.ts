import type { Context } from "millrace";
import type { PromptSet } from "../api/shapes.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { type Bill, budgetInForce, estimateTokens, Ledger } from "../models/budget.ts";
import { modelClient } from "../models/client.ts";
import { billFor } from "../models/paid-call.ts";
import { loadPrices, type PriceOf } from "../models/price.ts";
import { modelsOf, type SitePayload } from "../payload.ts";
import { FORMING, proposeByModel } from "../prompts/by-model.ts";
import type { PromptCandidate, PromptRequest } from "../prompts/form.ts";
import { reading } from "../reading/reading.ts";
import { earlierRun } from "./earlier.ts";
import type { BudgetAnswer } from "./missing.ts";
import type { ReadSite } from "./read-site.ts";

export interface FormedPrompts extends ReadSite {
  prompts: PromptSet;
  notes: string[];
  /** What forming them by a model took of the run's budget. */
  bill?: Bill;
  /** What was said here to a run that needed budget; it holds for the next stage too. */
  told?: BudgetAnswer[];
}

export const WAITS_FOR_REVIEW = "waits for review";

/** The answer to prompts that wait for review. */
export type Review = { edit: string[] } | { approve: true; prompts?: string[] };

/** A set of prompts as it is stored for its reviewer. */
export interface ReviewedSet {
  set: PromptSet;
  estimate: { calls: number; tokens: number; usd: number | null };
}

/** Stage 2: from the profile alone. With review, the set waits before money is spent. */
export async function formSitePrompts(
  ctx: Context<SitePayload>,
  site: ReadSite,
  dependencies: SiteDependencies,
): Promise<FormedPrompts> {
  const { settings } = dependencies;
  const { payload } = ctx;
  const before = await earlierRun(ctx, dependencies.earlier);
  if (before) return { ...site, prompts: before.report.prompts, notes: before.report.method.notes };
  const models = modelsOf(payload, settings);
  const priceOf = await loadPrices(settings.providers);
  const answers = await ctx.answers<Review | BudgetAnswer>();
  const told = answers.filter((answer): answer is BudgetAnswer => "budget" in answer || "finish" in answer);
  const proposed = await proposals(ctx, site, dependencies, { models, priceOf, told });
  const form = (request: PromptRequest, candidates: readonly PromptCandidate[] = []) =>
    reading.call("formPrompts", [site.profile, request, candidates], ctx.signal);
  const formed = await form(payload, proposed.candidates);
  const estimateOf = (set: PromptSet) =>
    estimate(set, { models, samples: payload.samples, maxOutputTokens: settings.maxOutputTokens, priceOf });
  const reviews = answers.filter((answer): answer is Review => "edit" in answer || "approve" in answer);
  let set = formed;
  for (const [i, review] of reviews.entries()) {
    const texts = "edit" in review ? review.edit : review.prompts;
    if (texts) set = { ...(await form({ ...payload, prompts: texts })), rivals: formed.rivals };
    await ctx.step(`prompt-set ${i + 1}`, (): ReviewedSet => ({ set, estimate: estimateOf(set) }));
  }
  await ctx.step("prompt-set 0", (): ReviewedSet => ({ set: formed, estimate: estimateOf(formed) }));
  if (payload.reviewPrompts && !reviews.some((review) => "approve" in review)) ctx.hold(WAITS_FOR_REVIEW);
  ctx.progress(1, `${set.prompts.length} prompts`);
  return { ...site, prompts: set, notes: proposed.notes, bill: await billFor(FORMING, ctx), told };
}

async function proposals(
  ctx: Context<SitePayload>,
  { profile }: ReadSite,
  { settings, models: client }: SiteDependencies,
  { models, priceOf, told }: { models: readonly string[]; priceOf: PriceOf; told: readonly BudgetAnswer[] },
) {
  const [ref] = models;
  const nothing = { candidates: [], notes: [] as string[] };
  if (ref === undefined || ctx.payload.prompts || profile.coverage.note !== undefined) return nothing;
  if (told.some((answer) => "finish" in answer)) return nothing;
  return proposeByModel(profile, {
    ctx,
    ref,
    count: ctx.payload.promptCount,
    settings,
    client: client ?? modelClient(settings.providers),
    ledger: new Ledger(budgetInForce(ctx.payload.budget ?? { calls: settings.budgetCalls }, told)),
    priceOf,
  });
}

function estimate(
  set: PromptSet,
  {
    models,
    samples,
    maxOutputTokens,
    priceOf,
  }: { models: readonly string[]; samples: number; maxOutputTokens: number; priceOf: PriceOf },
): ReviewedSet["estimate"] {
  const total = { calls: set.prompts.length * models.length * samples, tokens: 0, usd: 0 as number | null };
  for (const { text } of set.prompts) {
    for (const ref of models) {
      // Answers are seldom as long as they may be; half is what a plan can be made with.
      const usage = { inputTokens: estimateTokens(text), outputTokens: Math.ceil(maxOutputTokens / 2) };
      const usd = priceOf(ref, usage);
      total.tokens += (usage.inputTokens + usage.outputTokens) * samples;
      total.usd = usd === null || total.usd === null ? null : total.usd + usd * samples;
    }
  }
  return { ...total, usd: total.usd === null ? null : Math.round(total.usd * 1e6) / 1e6 };
}
