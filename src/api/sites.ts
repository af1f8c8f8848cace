import { z } from "zod";
import { JobId, JobIdInPath, Moment, QueryInt, Tag, Tenant, Text } from "./common.ts";
import { Job, startsOnce, submissionOptions } from "./job-shape.ts";
import { route } from "./route.ts";
import { Brand, Evidence, PROMPT_CHARS, PromptSet, Report, SiteProfile } from "./site-shapes.ts";

export const ModelName = Text(120).regex(/^[a-z][a-z0-9-]*\/\S+$/, "provider/model, such as openai/gpt-5-mini");

export const SiteBudget = z
  .strictObject({
    usd: z.number().positive().max(1_000_000).optional(),
    tokens: z.int().min(1).max(10_000_000_000).optional(),
    calls: z.int().min(1).max(1_000_000).optional(),
  })
  .meta({ id: "SiteBudget", description: "In all, over the whole run; what is missing is not bounded." });

const PromptText = Text(PROMPT_CHARS.most).min(PROMPT_CHARS.least);

export const SiteRequest = z
  .strictObject({
    url: Text(2_000).meta({ description: "The first page; a bare name such as example.com is enough." }),
    brand: Brand.optional(),
    competitors: z.array(Brand).max(10).optional(),
    language: Text(35)
      .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*$/, "a language, such as en or de")
      .optional(),
    models: z
      .array(ModelName)
      .max(5)
      .optional()
      .meta({ description: "Of those the operator offers; all of them where left out. `[]`: ask none." }),
    prompts: z.array(PromptText).min(1).max(50).optional().meta({ description: "Your own, instead of formed ones." }),
    promptCount: z.int().min(3).max(50).default(10),
    maxPages: z.int().min(1).max(50).default(10),
    samples: z.int().min(1).max(10).default(3).meta({ description: "Answers per prompt and model." }),
    budget: SiteBudget.optional(),
    reviewPrompts: z.boolean().default(false).meta({ description: "Hold before money is spent." }),
    onInterrupted: z
      .enum(["retry", "skip"])
      .default("retry")
      .meta({ description: "A call that a crash cut off: ask again, though it may be billed twice, or leave it out." }),
  })
  .meta({ id: "SiteRequest" });
export type SiteRequest = z.output<typeof SiteRequest>;

export const SiteSummary = z
  .strictObject({
    jobId: JobId,
    url: z.string(),
    status: z.string(),
    inProgress: z.boolean(),
    waitsFor: z.enum(["review", "budget"]).optional(),
    createdAt: Moment,
    completedAt: Moment.optional(),
    brand: z.string().optional(),
    headline: z.string().optional(),
    mode: z.enum(["extractive", "model"]).optional(),
    error: z.string().optional(),
  })
  .meta({ id: "SiteSummary" });
export type SiteSummary = z.infer<typeof SiteSummary>;

const Estimate = z.strictObject({ calls: z.int(), tokens: z.int(), usd: z.number().nullable() });

export const SiteCell = z
  .strictObject({
    promptId: z.string(),
    model: z.string(),
    sample: z.int(),
    state: z.enum(["answered", "sent", "waits", "failed"]),
  })
  .meta({ id: "SiteCell", description: "One question to one model; those not listed were not sent yet." });

/** All that is known of a run at this moment, also in the middle of it. */
export const SiteView = z
  .strictObject({
    ...SiteSummary.shape,
    job: Job,
    pages: z.array(
      z.strictObject({
        url: z.string(),
        title: z.string().optional(),
        words: z.int().optional(),
        skipped: z.string().optional(),
      }),
    ),
    retriesByStage: z.record(z.string(), z.int()),
    profile: SiteProfile.optional(),
    prompts: PromptSet.optional(),
    estimate: Estimate.optional(),
    cells: z.array(SiteCell),
    spent: Estimate,
    budget: SiteBudget.optional(),
    missing: z.int().optional().meta({ description: "Answers that did not come; `retry` asks for these alone." }),
    reportUrl: z.string().optional(),
  })
  .meta({ id: "SiteView" });
export type SiteView = z.infer<typeof SiteView>;

const Change = z
  .strictObject({
    id: z.string(),
    label: z.string(),
    before: z.string(),
    after: z.string(),
    difference: z.number().nullable(),
    beyondChance: z.boolean().meta({ description: "The intervals do not overlap." }),
  })
  .meta({ id: "SiteChange" });

export const SiteComparison = z
  .strictObject({
    before: JobId,
    after: JobId,
    comparable: z.boolean(),
    reasons: z.array(z.string()).meta({ description: "Why the figures cannot be set side by side." }),
    changes: z.array(Change),
    readiness: z.array(z.strictObject({ id: z.string(), label: z.string(), before: z.string(), after: z.string() })),
    coverage: z.array(
      z.strictObject({ prompt: z.string(), before: z.string(), after: z.string(), passage: Evidence.optional() }),
    ),
  })
  .meta({ id: "SiteComparison" });
export type SiteComparison = z.infer<typeof SiteComparison>;

const SiteParams = z.strictObject({ jobId: JobIdInPath });
const ReportQuery = z.strictObject({
  tenant: Tenant.optional().meta({
    description: "Whose run it is, for an administrator who follows a link: a link carries no X-Tenant-Id.",
  }),
});
const exampleRequest = { url: "example.com", maxPages: 10, promptCount: 10 };

export const siteRoutes = {
  submit: route({
    method: "POST",
    path: "/sites",
    tag: "sites",
    summary: "Analyse a website: read it, form prompts, ask models or answer from its own text, report.",
    access: "submit",
    body: SiteRequest.extend({
      ...submissionOptions,
      // The run has a tag of its own, by which the runs of a site are found.
      tags: z.array(Tag).max(19).optional().meta({ description: "To find it again." }),
    }).refine(startsOnce.holds, startsOnce.issue),
    status: 202,
    answer: z.strictObject({ jobId: JobId, status: z.string(), statusUrl: z.string() }),
    idempotent: true,
    errors: [
      "already-queued",
      "already-processing",
      "in-other-stage",
      "rate-limited",
      "tenant-busy",
      "backpressure",
      "disk-full",
    ],
    example: {
      body: exampleRequest,
      answer: { jobId: "job_4fQ81xZa", status: "not-started", statusUrl: "/jobs/job_4fQ81xZa" },
    },
  }),
  list: route({
    method: "GET",
    path: "/sites",
    tag: "sites",
    summary: "Runs, newest first.",
    access: "read",
    query: z.strictObject({
      domain: Text(253).optional().meta({ description: "Of this site alone, such as example.com." }),
      limit: QueryInt(1, 500).optional(),
      cursor: z.string().min(1).max(100).optional(),
    }),
    status: 200,
    answer: z.strictObject({ sites: z.array(SiteSummary), nextCursor: z.string().optional() }),
  }),
  get: route({
    method: "GET",
    path: "/sites/{jobId}",
    tag: "sites",
    summary:
      "One run with all that is known of it so far: pages, profile, prompts, answers as they come, what was spent.",
    access: "read",
    params: SiteParams,
    status: 200,
    answer: SiteView,
    errors: ["job-not-found"],
  }),
  prompts: route({
    method: "GET",
    path: "/sites/{jobId}/prompts",
    tag: "sites",
    summary: "The prompts of a run, with what asking them is estimated to cost.",
    access: "read",
    params: SiteParams,
    status: 200,
    answer: z.strictObject({ prompts: PromptSet, estimate: Estimate, waitsForReview: z.boolean() }),
    errors: ["job-not-found", "conflict"],
  }),
  editPrompts: route({
    method: "PUT",
    path: "/sites/{jobId}/prompts",
    tag: "sites",
    summary: "Put other prompts in the place of those that wait for review; they are checked and wait again.",
    access: "submit",
    params: SiteParams,
    body: z.strictObject({ prompts: z.array(PromptText).min(1).max(50) }),
    status: 202,
    answer: z.strictObject({ prompts: PromptSet }),
    errors: ["job-not-found", "conflict"],
    example: { body: { prompts: ["Which cargo bike is best for two children?"] } },
  }),
  approvePrompts: route({
    method: "POST",
    path: "/sites/{jobId}/prompts/approve",
    tag: "sites",
    summary: "Let a run that waits for review go on, with its prompts or with these.",
    access: "submit",
    params: SiteParams,
    body: z.strictObject({ prompts: z.array(PromptText).min(1).max(50).optional() }),
    bodyOptional: true,
    status: 202,
    answer: Job,
    errors: ["job-not-found", "conflict"],
    example: { body: {} },
  }),
  raiseBudget: route({
    method: "POST",
    path: "/sites/{jobId}/budget",
    tag: "sites",
    summary: "Give a run that needs budget a new one (in all, not on top), or let it finish with what it has.",
    access: "submit",
    params: SiteParams,
    body: z
      .strictObject({
        budget: SiteBudget.optional(),
        finish: z.boolean().optional().meta({ description: "Ask nothing more; report what came." }),
      })
      .refine(({ budget, finish }) => (budget === undefined) !== (finish !== true), {
        path: ["budget"],
        error: "give budget or finish, one of them",
      }),
    status: 202,
    answer: Job,
    errors: ["job-not-found", "conflict"],
    example: { body: { budget: { calls: 60 } } },
  }),
  retry: route({
    method: "POST",
    path: "/sites/{jobId}/retry",
    tag: "sites",
    summary: "Ask for what is missing in a finished run, and for nothing else.",
    access: "submit",
    params: SiteParams,
    status: 201,
    answer: Job,
    errors: ["job-not-found", "conflict", "already-queued", "already-processing", "in-other-stage"],
  }),
  compare: route({
    method: "GET",
    path: "/sites/{jobId}/compare",
    tag: "sites",
    summary: "This run beside an earlier one of the same site.",
    access: "read",
    params: SiteParams,
    query: z.strictObject({
      with: JobIdInPath.optional().meta({ description: "Default: the run of this site before this one." }),
    }),
    status: 200,
    answer: SiteComparison,
    errors: ["job-not-found", "conflict"],
  }),
  report: route({
    method: "GET",
    path: "/sites/{jobId}/report",
    tag: "sites",
    summary: "The report as one page that needs nothing else.",
    access: "read",
    params: SiteParams,
    query: ReportQuery,
    status: 200,
    answerType: "text/html",
    errors: ["job-not-found", "conflict"],
  }),
  reportJson: route({
    method: "GET",
    path: "/sites/{jobId}/report.json",
    tag: "sites",
    summary: "The report as data.",
    access: "read",
    params: SiteParams,
    query: ReportQuery,
    status: 200,
    answer: Report,
    errors: ["job-not-found", "conflict"],
  }),
  reportCsv: route({
    method: "GET",
    path: "/sites/{jobId}/report.csv",
    tag: "sites",
    summary: "One row per answer.",
    access: "read",
    params: SiteParams,
    query: ReportQuery,
    status: 200,
    answerType: "text/csv",
    errors: ["job-not-found", "conflict"],
  }),
  reportPdf: route({
    method: "GET",
    path: "/sites/{jobId}/report.pdf",
    tag: "sites",
    summary: "The page, printed by a Chromium on the server.",
    access: "read",
    params: SiteParams,
    query: ReportQuery,
    status: 200,
    answerType: "application/pdf",
    errors: ["job-not-found", "conflict", "no-browser", "print-timeout"],
  }),
};
