// The three stages without a server: the same kind, on an engine in memory that lives for one run.

import { AppError, type JobView, Millrace, sqlite } from "millrace";
import { findChromium } from "millrace/chromium";
import type { Report } from "../api/report.ts";
import type { SiteDependencies, SiteProgress } from "../dependencies.ts";
import { siteKind } from "../kind.ts";
import { NEEDS_BUDGET } from "../models/budget.ts";
import { limitersOf } from "../models/provider.ts";
import { Renderer } from "../render/renderer.ts";
import { ARTIFACTS } from "../stages/earlier.ts";
import { AnalyseError } from "./error.ts";
import { checkUrl, settingsOf } from "./options.ts";
import type { AnalyseOptions, AnalyseProgress, Analysis } from "./types.ts";

/** How often a run is looked at that may have come to the end of its budget. */
const LOOK_MS = 250;
const RENDER_MS = 20_000;

export async function analyseSite(url: string, options: AnalyseOptions): Promise<Analysis> {
  options.signal?.throwIfAborted();
  const settings = settingsOf(options);
  checkUrl(url, settings);
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
  const renderer = options.render ? new Renderer({ findBrowser: findChromium, limitMs: RENDER_MS }) : undefined;
  const onProgress = listener(options.onProgress, failed);
  const run = await startRun(url, options, { settings, onProgress, ...(renderer && { renderer }) });
  try {
    const ended = await run.ended(signal);
    const report = await run.report();
    if (ended.state === "completed" && report !== undefined) return { report };
    const { code = "internal", message = "The analysis ended without a report." } = ended.failure ?? {};
    throw new AnalyseError(code, message, { report });
  } finally {
    await run.stop();
  }
}

async function startRun(url: string, options: AnalyseOptions, dependencies: SiteDependencies) {
  const kind = siteKind(dependencies);
  const limiters = limitersOf(dependencies.settings.providers);
  const engine = await Millrace.open({ store: sqlite(":memory:"), kinds: [kind], limiters, log: false });
  const stop = () => engine.stop({ graceMs: 0 });
  try {
    const { id } = await engine.submit(kind, requestOf(url, options));
    return { ended: (signal: AbortSignal) => endOf(engine, id, signal), report: () => reportOf(engine, id), stop };
  } catch (error) {
    await stop();
    if (!(error instanceof AppError)) throw error;
    throw new AnalyseError(error.code, error.message, { hint: error.hint, cause: error });
  }
}

function requestOf(url: string, options: AnalyseOptions) {
  const { brand, competitors, language, prompts, promptCount, maxPages, samples, budget, models = [] } = options;
  // There is no one to approve doubtful prompts, so a hold would never end.
  const { locales, personas, onDoubt = "fail", webSearch, judge, modelOptions, ownSite } = options;
  const subject = { brand, competitors, language, maxPages, ownSite };
  const asking = { prompts, promptCount, samples, budget, locales, personas, webSearch, judge, modelOptions };
  const request = { ...subject, ...asking };
  const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  return { ...given, url, models, onDoubt };
}

/** An error of the listener ends the analysis: in the stage that calls it, it would only count as a failed attempt. */
function listener(onProgress: AnalyseOptions["onProgress"], failed: AbortController) {
  return (progress: SiteProgress) => {
    try {
      onProgress?.(progress as AnalyseProgress);
    } catch (error) {
      failed.abort(error);
    }
  };
}

/** A run without budget is finished with what came: there is no one to ask for more. */
async function endOf(engine: Millrace, jobId: string, signal: AbortSignal): Promise<JobView> {
  for (;;) {
    const job = await endsSoon(engine, jobId, signal);
    if (job.state !== "pending" && job.state !== "running") return job;
    if (job.heldFor?.startsWith(NEEDS_BUDGET)) await engine.release(jobId, { answer: { finish: true } });
  }
}

async function endsSoon(engine: Millrace, jobId: string, signal: AbortSignal): Promise<JobView> {
  try {
    return await engine.wait(jobId, { timeoutMs: LOOK_MS, signal });
  } catch (error) {
    const job = error instanceof AppError && error.code === "wait-timeout" ? await engine.find(jobId) : undefined;
    if (job === undefined) throw error;
    return job;
  }
}

async function reportOf(engine: Millrace, jobId: string): Promise<Report | undefined> {
  const kept = await engine.artifact(jobId, ARTIFACTS.json);
  return kept && (JSON.parse(new TextDecoder().decode(kept.bytes)) as Report);
}
