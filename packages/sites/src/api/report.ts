// What a run reports, and the figures in it. Kept for as long as the run, so that two runs can be compared.

import { z } from "zod";
import { Evidence } from "./evidence.ts";
import { NextStep } from "./next-step.ts";
import { Answer, AnswerFinding, Brand, PromptSet, ReadinessCheck, SiteProfile } from "./shapes.ts";
import { Moment } from "./wire.ts";

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
