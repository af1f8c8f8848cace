// What a site's run knows and reports. Kept as it is for as long as the run: two runs can be compared by their hashes.

import { z } from "zod";
import { Evidence } from "./evidence.ts";
import { Judgement } from "./judgement.ts";
import { NextStep } from "./next-step.ts";
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

/** k of n with its Wilson interval at 95 %; without n there is nothing to show. */
export const Figure = z
  .strictObject({ id: z.string(), label: z.string(), k: z.number(), n: z.int(), low: z.number(), high: z.number() })
  .meta({ id: "SiteFigure" });
export type Figure = z.infer<typeof Figure>;

export const Coverage = z
  .strictObject({
    promptId: z.string(),
    verdict: z.enum(["answered", "partly", "not found"]),
    passage: Evidence.optional(),
    score: z.number(),
    why: z.string(),
  })
  .meta({ id: "SiteCoverage", description: "Whether the site's own text answers a prompt." });
export type Coverage = z.infer<typeof Coverage>;

const Mean = z.strictObject({ mean: z.number(), n: z.int() });

export const Report = z
  .strictObject({
    /** The version of this shape. */
    schemaVersion: z.literal(1),
    /** The id of the job. */
    jobId: z.string(),
    /** The site: its address, domain and language, and when it was read. */
    site: SiteProfile.shape.site,
    /** The brand. */
    brand: Brand,
    /** When the report was made. */
    createdAt: Moment,
    /** Whether models were asked, or the site's own text. */
    mode: z.enum(["extractive", "model"]),
    tier: z
      .enum(["exploratory", "directional"])
      .meta({ description: "A set of fewer than 50 prompts is exploratory." }),
    /** The result in one sentence. */
    headline: z.string(),
    /** True: some answers are missing. */
    partial: z.boolean(),
    /** Mention rate, share of voice and own pages cited; empty where no model was asked: "not measured", never 0. */
    kpis: z.array(Figure),
    /** How many answers to unbranded prompts gave each verdict on the brand. */
    verdicts: z.array(Figure).optional(),
    known: Figure.nullable().optional().meta({
      description:
        "Answers to prompts that name the brand in which the model knows it. These prompts count nowhere else.",
    }),
    sentiment: z
      .array(Figure)
      .optional()
      .meta({ description: "How answers that name the brand speak of it. Only a judge can say so." }),
    wrongFacts: z
      .array(z.strictObject({ promptId: z.string(), ref: z.string(), quote: z.string(), fact: Evidence }))
      .optional()
      .meta({ description: "Statements of answers that contradict the site, as the judge found them." }),
    grounding: z
      .strictObject({
        counted: z.enum(["search", "memory"]),
        search: z.int(),
        memory: z.int(),
        other: z.array(Figure).meta({ description: "The figures of the answers that were not counted." }),
      })
      .optional()
      .meta({
        description:
          "Answers that searched the web and answers from memory. All other figures of the report count one of them.",
      }),
    queries: z
      .array(z.strictObject({ query: z.string(), answers: z.int() }))
      .optional()
      .meta({ description: "What models searched the web for, the most frequent first." }),
    rivalsDiscovered: z
      .array(
        z.strictObject({
          name: z.string(),
          aliases: z.array(z.string()),
          answers: z.int(),
          prompts: z.int(),
          quote: z.string(),
        }),
      )
      .optional()
      .meta({
        description:
          "Companies that answers name and that are not among the rivals. `PUT /sites/:id/rivals` adds them.",
      }),
    /** The mean position of the brand among the brands named, if it was measured. */
    position: Mean.nullable(),
    /** The figures of each model. */
    byModel: z.array(
      z.strictObject({
        ref: z.string(),
        reported: z.array(z.string()),
        measured: z.boolean().meta({ description: "True if at least 60 % of its answers were received." }),
        ok: z.int(),
        asked: z.int(),
        mention: Figure.nullable(),
        outcomes: z.record(z.string(), z.int()),
      }),
    ),
    /** The figures of each intent. */
    byIntent: z.array(z.strictObject({ intent: z.string(), mention: Figure.nullable(), coverage: Figure.nullable() })),
    /** How often the brand was named, by prompt and model. */
    matrix: z.array(
      z.strictObject({
        promptId: z.string(),
        cells: z.array(z.strictObject({ ref: z.string(), mentioned: z.int(), ok: z.int(), asked: z.int() })),
      }),
    ),
    /** The brand and its competitors, by mentions. */
    brands: z.array(z.strictObject({ id: z.string(), own: z.boolean(), mention: Figure, mentions: z.int() })),
    /** Prompts whose answers name competitors and not the brand. */
    gaps: z.array(z.strictObject({ promptId: z.string(), named: z.array(z.string()), next: NextStep.optional() })),
    /** Prompts whose answers name the brand. */
    wins: z.array(z.strictObject({ promptId: z.string(), refs: z.array(z.string()) })),
    /** The domains that answers cite. */
    citations: z.array(
      z.strictObject({
        domain: z.string(),
        class: z.enum(["own", "rival", "other"]),
        answers: z.int(),
        pages: z
          .array(z.strictObject({ url: z.string(), answers: z.int() }))
          .optional()
          .meta({ description: "Its pages that answers cite, the most cited first." }),
        position: z.number().optional().meta({ description: "Mean place of its first citation in an answer, from 1." }),
      }),
    ),
    /** Sentences that name the brand. */
    quotes: z.array(z.strictObject({ promptId: z.string(), ref: z.string(), quote: z.string() })),
    /** Whether the site's own text answers each prompt. */
    coverage: z.array(Coverage),
    /** The share of prompts that the site's own text answers. */
    coverageFigure: Figure.nullable(),
    /** Checks of how well machines can read the site. */
    readiness: z.array(ReadinessCheck),
    /** Text that visitors do not see. */
    hiddenText: z.array(Evidence),
    /** What to improve, with effort and impact. */
    actions: z.array(
      z.strictObject({
        title: z.string(),
        why: z.array(Evidence),
        effort: z.enum(["small", "medium", "large"]),
        impact: z.enum(["small", "medium", "large"]),
      }),
    ),
    /** The prompts. */
    prompts: PromptSet,
    /** The answers. */
    answers: z.array(Answer),
    /** The brands and citations found in each answer. */
    findings: z.array(AnswerFinding),
    /** What the site says about itself. */
    profile: SiteProfile,
    /** How the figures were measured. */
    method: z.strictObject({
      analyst: z.string(),
      promptSetHash: z.string(),
      callContract: z
        .int()
        .meta({ description: "Version of the measurement call. It rises when the text sent to models changes." }),
      models: z.array(z.string()),
      judge: z.string().optional(),
      samples: z.int(),
      parameters: z.record(z.string(), z.unknown()),
      language: z.string(),
      pages: z.int(),
      notes: z.array(z.string()),
    }),
    /** What the analysis cost. */
    cost: z.strictObject({
      calls: z.int(),
      inputTokens: z.int(),
      outputTokens: z.int(),
      usd: z.number().nullable().meta({ description: "null: a price is unknown." }),
      perhapsTwice: z
        .int()
        .meta({ description: "Calls that a crash interrupted, and that may have been billed twice." }),
      perhapsBilled: z.int().optional().meta({
        description: "Calls without an answer after a time-out or a dropped connection: they may have been billed.",
      }),
    }),
    /** Answers that were left out, by reason. */
    notCounted: z.array(z.strictObject({ status: z.string(), answers: z.int() })),
  })
  .meta({ id: "SiteReport" });
/** The report of an analysis, as data. */
export type Report = z.infer<typeof Report>;
