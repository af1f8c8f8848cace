// What a site's run knows and reports. Kept as it is for as long as the run: two runs can be compared by their hashes.

import { z } from "zod";
import { Evidence } from "./evidence.ts";
import { Judgement } from "./judgement.ts";
import { Moment, Text } from "./wire.ts";

export { Evidence } from "./evidence.ts";

export const Domain = Text(253).regex(/^[^\s/:@?#]+\.[^\s/:@?#]+$/, "a domain, such as example.com");

export const Brand = z
  .strictObject(
    {
      name: Text(80),
      aliases: z.array(Text(80)).max(10).default([]),
      domains: z.array(Domain).max(10).default([]),
    },
    { error: ({ code }) => (code === "invalid_type" ? 'an object with a name: {"name": "Acme"}' : undefined) },
  )
  .meta({ id: "SiteBrand" });
export type Brand = z.infer<typeof Brand>;

export const SitePage = z
  .strictObject({
    url: z.string(),
    status: z.int(),
    role: z.enum(["home", "pricing", "product", "faq", "about", "docs", "contact", "blog", "other"]),
    title: z.string(),
    description: z.string(),
    canonical: z.string(),
    headings: z.array(z.string()),
    words: z.int(),
    hash: z.string().meta({ description: "Hash of the text." }),
    jsonLdTypes: z.array(z.string()),
    flags: z.array(z.string()).meta({ description: "`truncated`, `noindex`, `app-shell` ..." }),
  })
  .meta({ id: "SitePage" });
export type SitePage = z.infer<typeof SitePage>;

const Found = z.strictObject({ text: z.string(), evidence: Evidence });
export type EvidencedText = z.infer<typeof Found>;

export const ReadinessCheck = z
  .strictObject({
    id: z.string(),
    label: z.string(),
    status: z.enum(["pass", "warn", "fail", "n/a"]),
    finding: z.string(),
    evidence: z.array(Evidence),
    fix: z.string().optional(),
  })
  .meta({ id: "SiteReadinessCheck" });
export type ReadinessCheck = z.infer<typeof ReadinessCheck>;

export const SiteProfile = z
  .strictObject({
    /** The version of this shape. */
    schemaVersion: z.literal(1),
    /** The address as it was asked for and where it led. */
    site: z.strictObject({
      requested: z.string(),
      final: z.string(),
      domain: z.string(),
      lang: z.string(),
      fetchedAt: Moment,
    }),
    /** The pages that were read. */
    pages: z.array(SitePage),
    /** What the site calls itself, and where that was found. */
    brand: z.strictObject({
      name: z.string(),
      aliases: z.array(z.string()),
      domains: z.array(z.string()),
      from: z.enum(["user", "structured data", "og:site_name", "titles", "domain"]),
      confidence: z.enum(["high", "medium", "low"]),
      evidence: Evidence,
    }),
    /** What the site offers, to whom, where and for how much. */
    offer: z.strictObject({
      summary: z.array(Found),
      categories: z.array(Found),
      keyphrases: z.array(Found),
      subjects: z
        .array(Found)
        .optional()
        .meta({ description: "The offers as noun phrases that questions are asked about, the surest first." }),
      goods: z.boolean().optional().meta({ description: "True if the site sells goods that can be ordered." }),
      audiences: z.array(Found),
      places: z.array(Found),
      prices: z.array(Found),
    }),
    /** Rivals that the site names itself. */
    rivalsNamed: z.array(z.strictObject({ name: z.string(), evidence: Evidence })),
    /** Checks of how well machines can read the site. */
    readiness: z.array(ReadinessCheck),
    /** Software that the pages reveal. */
    tech: z.array(z.string()),
    /** Text that is hidden from people and reads like instructions. */
    hiddenText: z.array(Evidence),
    /** The part of the site that was read, and the skipped pages. */
    coverage: z.strictObject({
      fetched: z.int(),
      skipped: z.array(z.strictObject({ url: z.string(), reason: z.string() })),
      truncated: z.boolean(),
      note: z.enum(["needs-javascript", "little-text", "challenge", "consent-wall"]).optional(),
    }),
  })
  .meta({ id: "SiteProfile" });
/** The contents of a site: its brand, its offer and its readiness for machines. */
export type SiteProfile = z.infer<typeof SiteProfile>;

export const INTENTS = ["category", "comparison", "problem", "purchase", "fact"] as const;
export const PROMPT_CHARS = { least: 8, most: 200 };

export const Prompt = z
  .strictObject({
    id: z.string(),
    text: Text(500).min(PROMPT_CHARS.least),
    intent: z.enum(INTENTS),
    branded: z.boolean().meta({ description: "True if it names the site's brand, an alias or a domain." }),
    lang: z.string(),
    origin: z.string().meta({ description: "`template`, `model:<ref>` or `user`." }),
    basis: z.array(Evidence).meta({ description: "The passages of the site that it is based on." }),
    locale: z.string().optional().meta({ description: "The locale it is asked for, such as en-GB." }),
    persona: z.string().optional().meta({ description: "The persona that asks. Its text begins the prompt." }),
  })
  .meta({ id: "SitePrompt" });
export type Prompt = z.infer<typeof Prompt>;

export const PromptSet = z
  .strictObject({
    hash: z.string().meta({ description: "Runs with the same hash asked the same prompts." }),
    /** The prompts. */
    prompts: z.array(Prompt),
    /** The competitors that answers are searched for. */
    rivals: z.array(Brand),
    /** Prompts that were not used, and why. */
    rejected: z.array(z.strictObject({ text: z.string(), reason: z.string() })),
    shortfalls: z.array(z.string()).meta({ description: "Rules that the prompts do not meet." }),
    doubts: z
      .array(z.string())
      .optional()
      .meta({ description: "Why these prompts may be wrong for the site. `onDoubt` decides what happens then." }),
  })
  .meta({ id: "SitePromptSet" });
/** The prompts of an analysis. */
export type PromptSet = z.infer<typeof PromptSet>;

export const Usage = z.strictObject({ inputTokens: z.int(), outputTokens: z.int() });
export type Usage = z.infer<typeof Usage>;

export const VERDICTS = ["recommended", "mentioned", "warned", "unknown", "absent", "refused", "not-measured"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const Answer = z
  .strictObject({
    callKey: z.string(),
    promptId: z.string(),
    model: z.strictObject({ ref: z.string(), reported: z.string().optional() }),
    sample: z.int(),
    mode: z.enum(["model", "extractive"]),
    grounded: z
      .boolean()
      .meta({ description: "True if the model looked up sources instead of answering from memory." }),
    status: z.enum(["ok", "refused", "truncated", "empty", "failed", "skipped-budget", "interrupted"]),
    text: z.string(),
    sources: z.array(z.string()).meta({ description: "Pages that the provider says the answer cites, in its order." }),
    queries: z.array(z.string()).optional().meta({ description: "What the model searched the web for." }),
    usage: Usage.optional(),
    costUsd: z.number().nullable().meta({ description: "null: the price is unknown." }),
    ms: z.int(),
    attempts: z.int(),
    error: z.string().optional(),
    judged: Judgement.optional(),
    verdict: z
      .enum(VERDICTS)
      .optional()
      .meta({ description: "What the answer says about the brand. Missing in reports of older versions." }),
  })
  .meta({ id: "SiteAnswer" });
export type Answer = z.infer<typeof Answer>;

export const AnswerFinding = z
  .strictObject({
    callKey: z.string(),
    brands: z.array(
      z.strictObject({
        id: z.string().meta({ description: "`own`, or the rival's name." }),
        mentioned: z.boolean(),
        count: z.int(),
        position: z.int().nullable().meta({ description: "Order of first appearance among the brands, from 1." }),
        kind: z.enum(["recommended", "compared", "listed", "passing"]).nullable().meta({
          description:
            "How the answer names it, decided by rules. If it is named more than once, the most explicit form.",
        }),
        stance: z
          .enum(["recommended", "warned", "unknown", "mentioned"])
          .nullable()
          .optional()
          .meta({ description: "How the answer speaks of it, decided by rules. `unknown` is not a mention." }),
        quotes: z.array(z.string()),
      }),
    ),
    citations: z.array(
      z.strictObject({
        url: z.string(),
        domain: z.string(),
        class: z.enum(["own", "rival", "other"]),
        position: z.int().optional().meta({ description: "Place among the citations of the answer, from 1." }),
      }),
    ),
  })
  .meta({ id: "SiteFinding" });
export type AnswerFinding = z.infer<typeof AnswerFinding>;
