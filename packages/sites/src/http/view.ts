// A run as it stands, from what its stages have stored: pages as they were read, answers as they came.

import type { AttemptView, JobView, Step } from "millrace";
import type { SiteProfile, Usage } from "../api/shapes.ts";
import type { SiteSummary, SiteView } from "../api/site-shapes.ts";
import { NEEDS_BUDGET } from "../models/budget.ts";
import { optionsOf } from "../models/model-options.ts";
import { callKey } from "../models/paid-call.ts";
import { modelsOf, type SitePayload, siteUrl } from "../payload.ts";
import type { SiteSettings } from "../settings.ts";
import type { SiteResult } from "../stages/ask-models.ts";
import { type ReviewedSet, WAITS_FOR_REVIEW } from "../stages/form-prompts.ts";

export function summaryOf(job: JobView): SiteSummary {
  const result = job.result as Partial<SiteResult> | undefined;
  const waitsFor = waitsOn(job);
  const { url } = job.payload as { url?: string };
  return {
    jobId: job.jobId,
    url: typeof url === "string" ? siteUrl(url) : "",
    status: job.status,
    inProgress: job.inProgress,
    createdAt: job.createdAt,
    ...(waitsFor && { waitsFor }),
    ...(job.completedAt !== undefined && { completedAt: job.completedAt }),
    ...(result?.brand !== undefined && { brand: result.brand }),
    ...(result?.headline !== undefined && { headline: result.headline }),
    ...(result?.mode !== undefined && { mode: result.mode }),
    ...(job.error !== undefined && { error: job.error }),
  };
}

export function waitsOn({ heldFor }: JobView): "review" | "budget" | undefined {
  if (heldFor === undefined) return undefined;
  if (heldFor.startsWith(WAITS_FOR_REVIEW)) return "review";
  return heldFor.startsWith(NEEDS_BUDGET) ? "budget" : undefined;
}

interface KeptRun {
  job: JobView;
  steps: readonly Step[];
  attempts: readonly AttemptView[];
  settings: SiteSettings;
}

export function viewOfRun({ job, steps, attempts, settings }: KeptRun): SiteView {
  const payload = job.payload as SitePayload;
  const reviewed = latestSet(steps);
  const result = job.result as Partial<SiteResult> | undefined;
  const profile = storedValue<SiteProfile>(steps, "website-analysis", "profile");
  const calls = callsOf(steps);
  const budget = budgetOf(payload, steps, settings);
  return {
    ...summaryOf(job),
    job,
    pages: pagesOf(steps),
    retriesByStage: retriesOf(attempts, job),
    ...(profile && { profile, brand: profile.brand.name }),
    ...(reviewed && { prompts: reviewed.set, estimate: reviewed.estimate }),
    cells: reviewed ? cellsOf(reviewed, payload, settings, calls) : [],
    spent: spentOf(calls),
    ...(budget && { budget }),
    ...(result?.missing !== undefined && { missing: result.missing }),
    ...(result?.reportUrl !== undefined && { reportUrl: result.reportUrl }),
  };
}

function storedValue<T>(steps: readonly Step[], stage: string, name: string): T | undefined {
  const step = steps.find((each) => each.stage === stage && each.name === name);
  return step && (JSON.parse(step.value) as T);
}

/** The set as it was last reviewed. */
export function latestSet(steps: readonly Step[]): ReviewedSet | undefined {
  const sets = steps.filter(({ name }) => /^prompt-set \d+$/.test(name));
  const number = ({ name }: Step) => Number(name.slice("prompt-set ".length));
  const last = sets.sort((a, b) => number(b) - number(a))[0];
  return last && (JSON.parse(last.value) as ReviewedSet);
}

function pagesOf(steps: readonly Step[]): SiteView["pages"] {
  return steps
    .filter(({ stage, name }) => stage === "website-analysis" && name.startsWith("page "))
    .map(({ value }) => {
      const page = JSON.parse(value) as { url: string; title?: string; words?: number; skipped?: string };
      if (page.skipped !== undefined) return { url: page.url, skipped: page.skipped };
      return { url: page.url, title: page.title ?? "", words: page.words ?? 0 };
    });
}

function retriesOf(attempts: readonly AttemptView[], job: JobView): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { stage, outcome } of attempts) {
    counts[stage] =
      (counts[stage] ?? 0) + (outcome === "failed" || outcome === "abandoned" || outcome === "crashed" ? 1 : 0);
  }
  // The last failure of a failed run was followed by none.
  if (job.state === "failed" && job.stage !== null) counts[job.stage] = Math.max(0, (counts[job.stage] ?? 0) - 1);
  return counts;
}

interface Call {
  outcome: "answered" | "limited" | "interrupted" | "error" | "sent";
  usage?: Usage;
  usd: number | null;
}

/** What was sent, by key: the latest try of each, and all that was paid. */
function callsOf(steps: readonly Step[]): Map<string, Call[]> {
  const calls = new Map<string, Call[]>();
  const paid = steps.filter(({ stage }) => stage === "prompt-forming" || stage === "model-analysis");
  const tries = new Map(
    paid.filter(({ name }) => name.startsWith("try ")).map(({ name, value }) => [name.slice(4), value]),
  );
  for (const { name } of paid) {
    if (!name.startsWith("sent ")) continue;
    const rest = name.slice(5);
    const key = rest.split(" ")[0] as string;
    const text = tries.get(rest);
    const made =
      text === undefined
        ? undefined
        : (JSON.parse(text) as {
            outcome: Call["outcome"];
            usd?: number | null;
            usage?: Usage;
            reply?: { usage?: Usage };
          });
    const usage = made?.usage ?? made?.reply?.usage;
    const call: Call = { outcome: made?.outcome ?? "sent", usd: made?.usd ?? 0, ...(usage && { usage }) };
    if (made?.usd === null) call.usd = null;
    calls.set(key, [...(calls.get(key) ?? []), call]);
  }
  return calls;
}

const STATES = { answered: "answered", limited: "waits", interrupted: "sent", error: "failed", sent: "sent" } as const;

function cellsOf(
  { set, modelOptions }: ReviewedSet,
  payload: SitePayload,
  settings: SiteSettings,
  calls: Map<string, Call[]>,
): SiteView["cells"] {
  const samples = Array.from({ length: payload.samples ?? 3 }, (_, i) => i + 1);
  return set.prompts.flatMap(({ id, text }) =>
    modelsOf(payload, settings).flatMap((model) =>
      samples.flatMap((sample) => {
        const last = calls
          .get(callKey({ prompt: text, ref: model, sample, ...optionsOf(model, modelOptions) }))
          ?.at(-1);
        return last ? [{ promptId: id, model, sample, state: STATES[last.outcome] }] : [];
      }),
    ),
  );
}

function spentOf(calls: Map<string, Call[]>): SiteView["spent"] {
  const all = [...calls.values()].flat().filter(({ outcome }) => outcome !== "limited");
  const usd = all.some((call) => call.usd === null) ? null : all.reduce((sum, call) => sum + (call.usd ?? 0), 0);
  return {
    calls: all.length,
    tokens: all.reduce((sum, { usage }) => sum + (usage ? usage.inputTokens + usage.outputTokens : 0), 0),
    usd: usd === null ? null : Math.round(usd * 1e6) / 1e6,
  };
}

function budgetOf(payload: SitePayload, steps: readonly Step[], settings: SiteSettings): SiteView["budget"] {
  if (modelsOf(payload, settings).length === 0) return undefined;
  const raised = steps
    .filter(({ name }) => name.startsWith("released:"))
    .map(({ value }) => (JSON.parse(value) as { budget?: SiteView["budget"] }).budget)
    .filter((budget) => budget !== undefined);
  return raised.at(-1) ?? payload.budget ?? { calls: settings.budgetCalls };
}
