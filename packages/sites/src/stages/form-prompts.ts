import { type Context, JobFailure } from "millrace/processor";
import type { PromptSet } from "../api/shapes.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { addBills, type Bill, budgetInForce, estimateTokens, Ledger } from "../models/budget.ts";
import { modelClient } from "../models/client.ts";
import { type ModelOptions, optionsOf, optionsOfModels } from "../models/model-options.ts";
import { billFor } from "../models/paid-call.ts";
import { loadPrices, type PriceOf } from "../models/price.ts";
import { modelsOf, type SitePayload } from "../payload.ts";
import { FORMING, type Proposals, proposeByModel, REPAIR } from "../prompts/by-model.ts";
import type { PromptCandidate, PromptRequest } from "../prompts/form.ts";
import { reading } from "../reading/reading.ts";
import { wallSentence } from "../report/headline.ts";
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
  /** How each model is asked. Missing in runs that began before it was stored. */
  modelOptions?: Record<string, ModelOptions>;
}

export const WAITS_FOR_REVIEW = "waits for review";

/** The answer to prompts that wait for review. */
export type Review = { edit: string[] } | { approve: true; prompts?: string[] };

/** A set of prompts as it is stored for its reviewer. */
export interface ReviewedSet {
  set: PromptSet;
  estimate: { calls: number; tokens: number; usd: number | null };
  modelOptions?: Record<string, ModelOptions>;
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
  if (before) {
    const { notes, parameters } = before.report.method;
    return { ...site, prompts: before.report.prompts, notes, ...optionsIn(parameters) };
  }
  if (payload.track !== undefined) failOnWall(site);
  const models = modelsOf(payload, settings);
  const asked = payload.judge === undefined ? models : [...new Set([...models, payload.judge])];
  const modelOptions = optionsOfModels(asked, payload.modelOptions, settings.maxOutputTokens, payload.webSearch);
  const priceOf = await loadPrices(settings.providers);
  const answers = await ctx.answers<Review | BudgetAnswer>();
  const told = answers.filter((answer): answer is BudgetAnswer => "budget" in answer || "finish" in answer);
  const form = (request: PromptRequest, candidates: readonly PromptCandidate[] = []) =>
    reading.call("formPrompts", [site.profile, request, candidates], ctx.signal);
  const estimateOf = (set: PromptSet) => estimate(set, { models, samples: payload.samples, modelOptions, priceOf });
  const reviews = answers.filter((answer): answer is Review => "edit" in answer || "approve" in answer);
  const isApproved = reviews.some((review) => "approve" in review);
  const isPaid = models.length > 0 && !told.some((answer) => "finish" in answer);
  // The templates' questions cost nothing. If the site itself is doubtful, not even the call that forms prompts is made.
  const isWalled = site.profile.coverage.note !== undefined;
  const proposed: Proposals =
    isWalled || !isPaid || payload.prompts
      ? { candidates: [] }
      : await proposals(ctx, site, dependencies, { models, priceOf, told, modelOptions });
  const formed = withDoubt(await form(payload, proposed.candidates), proposed.failed);
  let set = formed;
  for (const [i, review] of reviews.entries()) {
    const texts = "edit" in review ? review.edit : review.prompts;
    if (texts) set = { ...(await form({ ...payload, prompts: texts })), rivals: formed.rivals };
    await ctx.step(`prompt-set ${i + 1}`, (): ReviewedSet => ({ set, estimate: estimateOf(set), modelOptions }));
  }
  await ctx.step("prompt-set 0", (): ReviewedSet => ({ set: formed, estimate: estimateOf(formed), modelOptions }));
  const doubts = isPaid && !payload.prompts ? (formed.doubts ?? []) : [];
  if (doubts.length > 0) decideOnDoubt(ctx, doubts, isApproved);
  if (payload.reviewPrompts && !isApproved) ctx.hold(WAITS_FOR_REVIEW);
  ctx.progress(1, `${set.prompts.length} prompts`);
  const bill = addBills(await billFor(FORMING, ctx), await billFor(REPAIR, ctx));
  return { ...site, prompts: set, notes: doubts, bill, told, modelOptions };
}

function withDoubt(set: PromptSet, failed: string | undefined): PromptSet {
  if (failed === undefined) return set;
  return { ...set, doubts: [`${failed} Templates took their place.`, ...(set.doubts ?? [])] };
}

/** The figures of a track are compared over time, so a run that could not read the site is none of them. */
function failOnWall({ profile }: ReadSite): void {
  const { note } = profile.coverage;
  if (note === undefined || note === "little-text") return;
  throw new JobFailure(wallSentence(profile) ?? "The site could not be read.", {
    code: "site-walled",
    permanent: true,
  });
}

/** Before any paid call. A person who approves the prompts has decided that they are worth it. */
function decideOnDoubt(ctx: Context<SitePayload>, doubts: readonly string[], isApproved: boolean): void {
  if (isApproved || ctx.payload.onDoubt === "continue") return;
  const why = doubts.join(" ").slice(0, MAX_REASON_CHARS);
  if (ctx.payload.onDoubt === "fail") {
    throw new JobFailure(`The prompts are doubtful, so no model was asked. ${why}`, {
      code: "prompts-doubtful",
      permanent: true,
    });
  }
  ctx.hold(`${WAITS_FOR_REVIEW}: the prompts are doubtful. ${why}`);
}

const MAX_REASON_CHARS = 400;

interface ProposalTerms {
  readonly models: readonly string[];
  readonly priceOf: PriceOf;
  readonly told: readonly BudgetAnswer[];
  readonly modelOptions: Readonly<Record<string, ModelOptions>>;
}

async function proposals(
  ctx: Context<SitePayload>,
  { profile }: ReadSite,
  { settings, models: client }: SiteDependencies,
  { models, priceOf, told, modelOptions }: ProposalTerms,
): Promise<Proposals> {
  const [ref = ""] = models;
  return proposeByModel(profile, {
    ctx,
    ref,
    options: optionsOf(ref, modelOptions),
    count: ctx.payload.promptCount,
    settings,
    client: client ?? modelClient(settings.providers),
    ledger: new Ledger(budgetInForce(ctx.payload.budget ?? { calls: settings.budgetCalls }, told)),
    priceOf,
  });
}

const TYPICAL_ANSWER = 1_000;

/** The options that an earlier run was asked with, from its report. */
function optionsIn(parameters: Record<string, unknown>): Pick<FormedPrompts, "modelOptions"> {
  const { modelOptions } = parameters as { modelOptions?: Record<string, ModelOptions> };
  return modelOptions ? { modelOptions } : {};
}

function estimate(
  set: PromptSet,
  {
    models,
    samples,
    modelOptions,
    priceOf,
  }: {
    models: readonly string[];
    samples: number;
    modelOptions: Readonly<Record<string, ModelOptions>>;
    priceOf: PriceOf;
  },
): ReviewedSet["estimate"] {
  const total = { calls: set.prompts.length * models.length * samples, tokens: 0, usd: 0 as number | null };
  for (const { text } of set.prompts) {
    for (const ref of models) {
      // Answers are seldom as long as they may be.
      const outputTokens = Math.min(TYPICAL_ANSWER, optionsOf(ref, modelOptions).maxOutputTokens);
      const usage = { inputTokens: estimateTokens(text), outputTokens };
      const usd = priceOf(ref, usage);
      total.tokens += (usage.inputTokens + usage.outputTokens) * samples;
      total.usd = usd === null || total.usd === null ? null : total.usd + usd * samples;
    }
  }
  return { ...total, usd: total.usd === null ? null : Math.round(total.usd * 1e6) / 1e6 };
}
