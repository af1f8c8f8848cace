// What a caller asks of a site's analysis and is shown of it. What a run itself stores is in shapes.ts.

import { z } from "zod";
import { EFFORTS } from "../models/model-options.ts";
import { Brand, Evidence, PROMPT_CHARS, PromptSet, SiteProfile } from "./shapes.ts";
import { Job, JobId, Moment, Text } from "./wire.ts";

export const ModelName = Text(120).regex(/^[a-z][a-z0-9-]*\/\S+$/, "provider/model, such as openai/gpt-5-mini");

export const SiteBudget = z
  .strictObject({
    usd: z.number().positive().max(1_000_000).optional(),
    tokens: z.int().min(1).max(10_000_000_000).optional(),
    calls: z.int().min(1).max(1_000_000).optional(),
  })
  .meta({ id: "SiteBudget", description: "Limits for the whole run. A missing field sets no limit." });

export const PromptText = Text(PROMPT_CHARS.most).min(PROMPT_CHARS.least);

const Locale = Text(35).regex(/^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/, "a locale, such as en-GB");

export const SiteRequest = z
  .strictObject({
    url: Text(2_000).meta({ description: "The address of the site; a domain such as example.com is enough." }),
    /** The brand to look for. Default: found on the site. */
    brand: Brand.optional(),
    /** Competitors to look for, at most 10. Default: found on the site. */
    competitors: z.array(Brand).max(10).optional(),
    /** The language of the prompts, such as en or de. Default: that of the site. */
    language: Text(35)
      .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*$/, "a language, such as en or de")
      .optional(),
    models: z
      .array(ModelName)
      .max(5)
      .optional()
      .meta({ description: "Models to ask, from those that the server offers. Default: all of them. `[]`: none." }),
    prompts: z
      .array(PromptText)
      .min(1)
      .max(50)
      .optional()
      .meta({ description: "Your own prompts, instead of generated ones." }),
    /** The number of prompts, 3 to 50. Default: 10. */
    promptCount: z.int().min(3).max(50).default(10),
    /** The number of pages to read, 1 to 50. Default: 10. */
    maxPages: z.int().min(1).max(50).default(10),
    samples: z.int().min(1).max(10).default(3).meta({ description: "Answers per prompt and model." }),
    /** The most to spend on models. Default: no limit. */
    budget: SiteBudget.optional(),
    reviewPrompts: z
      .boolean()
      .default(false)
      .meta({ description: "Wait for your approval of the prompts before any model call." }),
    onDoubt: z.enum(["hold", "fail", "continue"]).default("hold").meta({
      description:
        "What to do if the prompts may be wrong, because the site is empty or walled or the model gave none: wait for your approval before any model call, fail, or continue. It does not apply to your own prompts.",
    }),
    locales: z
      .array(Locale)
      .min(1)
      .max(5)
      .optional()
      .meta({ description: "Ask each prompt for each locale, such as en-GB and en-IE: the country is added to it." }),
    personas: z
      .array(Text(160).min(3))
      .min(1)
      .max(5)
      .optional()
      .meta({ description: "Ask each prompt as each persona. Its sentence begins the prompt: `I run a small café.`" }),
    modelOptions: z
      .record(
        ModelName,
        z.strictObject({
          maxOutputTokens: z.int().min(16).max(128_000).optional(),
          reasoningEffort: z.enum(EFFORTS).optional(),
        }),
      )
      .optional()
      .meta({
        description:
          "By model: the most tokens of an answer, reasoning included (default 8000), and the effort of models that reason.",
      }),
    webSearch: z.boolean().default(false).meta({
      description:
        "Let models search the web before they answer, by their provider's own tool. Perplexity's models always search. Answers with and without a search never count in one figure.",
    }),
    ownSite: z.boolean().default(false).meta({
      description:
        "The site is yours: its first page is also fetched as GPTBot, ClaudeBot and PerplexityBot, where robots.txt allows them, to see whether a firewall lets them in.",
    }),
    judge: ModelName.optional().meta({
      description:
        "A model that reads each answer once and says how it speaks of the brands, quoting the words. It uses the run's budget. Default: rules read the answers.",
    }),
    onInterrupted: z.enum(["retry", "skip"]).default("retry").meta({
      description:
        "What to do with a call that a crash interrupted: repeat it, though it may be billed twice, or skip it.",
    }),
  })
  .meta({ id: "SiteRequest" });
export type SiteRequest = z.output<typeof SiteRequest>;

export const SiteSummary = z
  .strictObject({
    /** The id of the job. */
    jobId: JobId,
    /** The address that was submitted. */
    url: z.string(),
    /** The status of the job. */
    status: z.string(),
    /** True exactly while a processor holds the job. */
    inProgress: z.boolean(),
    /** What the analysis waits for: a review of its prompts, or a budget. */
    waitsFor: z.enum(["review", "budget"]).optional(),
    /** When it was submitted. */
    createdAt: Moment,
    /** When it ended. */
    completedAt: Moment.optional(),
    /** The name of the brand. */
    brand: z.string().optional(),
    /** The result in one sentence. */
    headline: z.string().optional(),
    /** Whether models were asked, or the site's own text. */
    mode: z.enum(["extractive", "model"]).optional(),
    /** Why it failed. */
    error: z.string().optional(),
  })
  .meta({ id: "SiteSummary" });
/** An analysis in a list. */
export type SiteSummary = z.infer<typeof SiteSummary>;

export const Estimate = z.strictObject({ calls: z.int(), tokens: z.int(), usd: z.number().nullable() });

export const SiteCell = z
  .strictObject({
    promptId: z.string(),
    model: z.string(),
    sample: z.int(),
    state: z.enum(["answered", "sent", "waits", "failed"]),
  })
  .meta({
    id: "SiteCell",
    description: "One call for each prompt, model and sample. Calls that are not listed were not sent yet.",
  });

/** All that is known of a run at this moment, also in the middle of it. */
export const SiteView = z
  .strictObject({
    ...SiteSummary.shape,
    /** The job itself. */
    job: Job,
    /** The pages that were read or skipped. */
    pages: z.array(
      z.strictObject({
        url: z.string(),
        title: z.string().optional(),
        words: z.int().optional(),
        skipped: z.string().optional(),
      }),
    ),
    /** Failed attempts by stage. */
    retriesByStage: z.record(z.string(), z.int()),
    /** What the site says about itself. */
    profile: SiteProfile.optional(),
    /** The prompts. */
    prompts: PromptSet.optional(),
    /** What asking the prompts is expected to cost. */
    estimate: Estimate.optional(),
    /** The questions that were sent, by prompt, model and sample. */
    cells: z.array(SiteCell),
    /** The cost so far. */
    spent: Estimate,
    /** The most to spend. */
    budget: SiteBudget.optional(),
    missing: z.int().optional().meta({ description: "Number of missing answers; `retry` repeats only these calls." }),
    /** The path of the report on the server. */
    reportUrl: z.string().optional(),
  })
  .meta({ id: "SiteView" });
/** Everything that is known about an analysis at this moment, also while it runs. */
export type SiteView = z.infer<typeof SiteView>;

const Change = z
  .strictObject({
    id: z.string(),
    label: z.string(),
    before: z.string(),
    after: z.string(),
    difference: z.number().nullable(),
    beyondChance: z.boolean().meta({ description: "The change, paired by prompt, is outside the noise." }),
    low: z.number().optional().meta({ description: "Lower end of the 95 % interval of the difference, over prompts." }),
    high: z.number().optional().meta({ description: "Upper end of that interval." }),
    noticeable: z
      .number()
      .optional()
      .meta({ description: "The smallest change that such a comparison notices in four of five cases." }),
  })
  .meta({ id: "SiteChange" });

export const SiteComparison = z
  .strictObject({
    /** The earlier analysis. */
    before: JobId,
    /** The later analysis. */
    after: JobId,
    /** False: the figures cannot be compared; `reasons` says why. */
    comparable: z.boolean(),
    reasons: z.array(z.string()).meta({ description: "Why the figures cannot be compared." }),
    /** The figures that changed. */
    changes: z.array(Change),
    /** Models whose version changed behind the same name. */
    versions: z.array(z.strictObject({ ref: z.string(), before: z.string(), after: z.string() })),
    /** The readiness checks whose outcome changed. */
    readiness: z.array(z.strictObject({ id: z.string(), label: z.string(), before: z.string(), after: z.string() })),
    /** The prompts whose coverage changed. */
    coverage: z.array(
      z.strictObject({ prompt: z.string(), before: z.string(), after: z.string(), passage: Evidence.optional() }),
    ),
  })
  .meta({ id: "SiteComparison" });
/** Two analyses of the same site, compared. */
export type SiteComparison = z.infer<typeof SiteComparison>;
