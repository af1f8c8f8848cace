// Stage 3. Without models the site's own text is asked. With them, every (prompt, model, sample) is a call of its own, paid
// once; what is limited or fails for the moment is come back to, and the processor is free meanwhile.

import { type Context, JobFailure } from "millrace";
import type { SiteFacts } from "../analysis/coverage.ts";
import type { Coverage } from "../api/report.ts";
import type { Answer, SiteProfile } from "../api/shapes.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { addBills, type Bill } from "../models/budget.ts";
import { EARLIER_CAP } from "../models/model-options.ts";
import { CALL_CONTRACT } from "../models/paid-call.ts";
import { modelsOf, type SitePayload } from "../payload.ts";
import { reading } from "../reading/reading.ts";
import type { RunFacts } from "../report/build.ts";
import { ARTIFACTS, earlierRun } from "./earlier.ts";
import type { FormedPrompts } from "./form-prompts.ts";
import { judgeAnswers } from "./judge-answers.ts";
import { type Measurement, measure } from "./measure.ts";
import { isMissing } from "./missing.ts";

export interface SiteResult {
  reportUrl: string;
  mode: "extractive" | "model";
  tier: string;
  brand: string;
  headline: string;
  partial: boolean;
  missing: number;
  promptSetHash: string;
  kpis: { id: string; k: number; n: number; low: number; high: number }[];
  coverage: { k: number; n: number; low: number; high: number } | null;
  cost: { calls: number; usd: number | null };
}

export async function askModels(
  ctx: Context<SitePayload>,
  asked: FormedPrompts,
  dependencies: SiteDependencies,
): Promise<SiteResult> {
  const { payload } = ctx;
  const { profile, prompts, passages, bill, told = [], modelOptions } = asked;
  // A user who lets the run finish before any model was asked wants the results without models.
  const finished = told.some((answer) => "finish" in answer);
  // Nothing to ask is no failure of a model.
  const models = finished || prompts.prompts.length === 0 ? [] : modelsOf(payload, dependencies.settings);
  const coverage: Coverage[] =
    passages.length === 0
      ? []
      : await reading.call("coverageOf", [prompts.prompts, passages, aboutSite(profile)], ctx.signal);
  const before = await earlierRun(ctx, dependencies.earlier);
  const known = before?.report.answers ?? [];
  const asking = { prompts: prompts.prompts, models, known, bill, told, modelOptions };
  const measured = models.length === 0 ? NOT_ASKED : await askedAndJudged(ctx, asking, profile, dependencies);
  const createdAt = await ctx.step("created-at", () => new Date().toISOString());
  const facts: RunFacts = {
    jobId: ctx.jobId,
    createdAt,
    profile,
    prompts,
    models,
    samples: payload.samples,
    parameters:
      models.length === 0
        ? {}
        : {
            // Runs that began before options were stored had one cap for all models.
            ...(modelOptions ? { modelOptions } : { maxOutputTokens: EARLIER_CAP }),
            temperature: "provider's default",
          },
    callContract: CALL_CONTRACT,
    answers: measured.answers,
    coverage,
    ...(measured.judge !== undefined && { judge: measured.judge }),
    ...((bill || measured.judgeBill) && { bill: addBills(bill ?? NO_BILL, measured.judgeBill ?? NO_BILL) }),
    perhapsBilled: measured.perhapsBilled + (before?.report.cost.perhapsBilled ?? 0),
    perhapsTwice: measured.perhapsTwice + (before?.report.cost.perhapsTwice ?? 0),
    notes: [...asked.notes, ...measured.notes, ...(finished ? [NO_BUDGET_NOTE] : [])],
  };
  const { report, html, csv, json } = await reading.call("writeReport", [facts], ctx.signal);
  await ctx.artifact(ARTIFACTS.html, html, "text/html; charset=utf-8");
  await ctx.artifact(ARTIFACTS.csv, csv, "text/csv; charset=utf-8");
  await ctx.artifact(ARTIFACTS.passages, new TextEncoder().encode(JSON.stringify(passages)), "application/json");
  await ctx.artifact(ARTIFACTS.json, json, "application/json");
  // A user who ends the run gets its report, however little came.
  if (models.length > 0 && !measured.finishing && !report.byModel.some((model) => model.measured)) {
    throw new JobFailure(`No model gave enough answers to measure anything: ${whyNot(measured.answers)}`, {
      code: "models-failed",
      permanent: true,
    });
  }
  ctx.progress(1, "report written");
  return {
    reportUrl: `/sites/${ctx.jobId}/report`,
    mode: report.mode,
    tier: report.tier,
    brand: report.brand.name,
    headline: report.headline,
    partial: report.partial,
    missing: report.answers.filter(isMissing).length,
    promptSetHash: prompts.hash,
    kpis: report.kpis.map(({ id, k, n, low, high }) => ({ id, k, n, low, high })),
    coverage: report.coverageFigure && {
      k: report.coverageFigure.k,
      n: report.coverageFigure.n,
      low: report.coverageFigure.low,
      high: report.coverageFigure.high,
    },
    cost: { calls: report.cost.calls, usd: report.cost.usd },
  };
}

interface AskedAnswers {
  readonly answers: readonly Answer[];
  readonly perhapsTwice: number;
  readonly perhapsBilled: number;
  readonly notes: readonly string[];
  readonly finishing: boolean;
  readonly judge?: string;
  readonly judgeBill?: Bill;
}

const NOT_ASKED: AskedAnswers = { answers: [], perhapsTwice: 0, perhapsBilled: 0, notes: [], finishing: false };
const NO_BILL: Bill = { calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, usd: 0, perhapsTwice: 0 };

/** All answers first, then what a judge says of them. */
async function askedAndJudged(
  ctx: Context<SitePayload>,
  asking: Measurement,
  profile: SiteProfile,
  dependencies: SiteDependencies,
): Promise<AskedAnswers> {
  const measured = await measure(ctx, asking, dependencies);
  const { judge } = ctx.payload;
  if (judge === undefined) return measured;
  const { answers, funds, finishing } = measured;
  const task = { ref: judge, answers, profile, funds, modelOptions: asking.modelOptions, sending: !finishing };
  const judged = await judgeAnswers(ctx, task, dependencies);
  return {
    ...measured,
    answers: judged.answers,
    perhapsBilled: measured.perhapsBilled + judged.perhapsBilled,
    notes: [...measured.notes, ...judged.notes],
    judge,
    judgeBill: judged.bill,
  };
}

function aboutSite({ site, brand, offer }: SiteProfile): SiteFacts {
  return { lang: site.lang, brand, keyphrases: offer.keyphrases.map(({ text }) => text) };
}

const NO_BUDGET_NOTE = "The budget was too small to ask a model about the site.";

function whyNot(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const { status, error, model } of answers) {
    if (status !== "ok")
      counts.set(`${model.ref}: ${error ?? status}`, (counts.get(`${model.ref}: ${error ?? status}`) ?? 0) + 1);
  }
  const worst = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  return `${worst.map(([why, count]) => `${why} (${count} answers)`).join("; ")} The answers so far are kept; a retry repeats only the missing calls.`;
}
