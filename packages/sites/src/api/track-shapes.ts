// A track: a site that is run again and again with the same prompts, and what its figures did over time.

import { z } from "zod";
import { PromptText, SiteRequest } from "./site-shapes.ts";
import { JobId, Moment, Tenant, Text } from "./wire.ts";

export const TrackName = Text(64).regex(
  /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/,
  "a name of lower-case letters, digits, points, dashes and underscores",
);

const run = SiteRequest.shape;

export const TrackRequest = z
  .strictObject({
    /** The address of the site. */
    url: run.url,
    prompts: z
      .array(PromptText)
      .min(1)
      .max(50)
      .optional()
      .meta({ description: "The prompts of every run. Default: those that the first run generates." }),
    every: Text(80).meta({
      description: "How often it runs: days or hours, such as `7d` or `12h`, or a cron expression in UTC.",
    }),
    alertUrl: Text(2_000).optional().meta({
      description: "Gets one POST for each change outside the noise. It must be public, unless the operator allows it.",
    }),
    /** The brand to look for. Default: found on the site. */
    brand: run.brand,
    /** Competitors to look for, at most 10. Default: found on the site. */
    competitors: run.competitors,
    /** The language of the prompts, such as en or de. Default: that of the site. */
    language: run.language,
    /** Models to ask, from those that the server offers. Default: all of them. */
    models: run.models,
    /** The number of prompts that the first run generates, 3 to 50. Default: 10. */
    promptCount: run.promptCount,
    /** The number of pages to read in each run, 1 to 50. Default: 10. */
    maxPages: run.maxPages,
    /** Answers per prompt and model. Default: 3. */
    samples: run.samples,
    /** The most to spend on models in each run. Default: no limit. */
    budget: run.budget,
    /** Asks each prompt for each locale. Default: none. */
    locales: run.locales,
    /** Asks each prompt as each persona. Default: none. */
    personas: run.personas,
    /** The cap and the reasoning effort, by model. Default: 8,000 tokens. */
    modelOptions: run.modelOptions,
    /** Lets models search the web. Default: false. */
    webSearch: run.webSearch,
    /** The model that judges the answers. Default: rules judge them. */
    judge: run.judge,
  })
  .meta({ id: "SiteTrackRequest" });
/** A site to run again and again with the same prompts. */
export type TrackRequest = z.output<typeof TrackRequest>;

export const TrendPoint = z
  .strictObject({
    at: Moment,
    /** The run that it comes from. */
    jobId: JobId,
    model: z.string().meta({ description: "A model, or `all`." }),
    k: z.int(),
    n: z.int(),
    low: z.number(),
    high: z.number(),
    version: z.string().optional().meta({ description: "Under which version the model answered." }),
    newVersion: z.literal(true).optional().meta({ description: "The version is another one than in the run before." }),
  })
  .meta({ id: "SiteTrendPoint", description: "How many answers of one run name the brand, with the 95 % interval." });
export type TrendPoint = z.infer<typeof TrendPoint>;

export const TrackChange = z
  .strictObject({
    /** When that run was made. */
    at: Moment,
    /** The run that differs. */
    jobId: JobId,
    /** The run that it differs from. */
    since: JobId,
    /** The figures that changed. */
    changes: z.array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        before: z.string(),
        after: z.string(),
        difference: z.number().nullable(),
      }),
    ),
    /** Models that answered under another version. */
    versions: z.array(z.strictObject({ ref: z.string(), before: z.string(), after: z.string() })),
  })
  .meta({ id: "SiteTrackChange", description: "Figures that changed by more than the noise, paired by prompt." });
export type TrackChange = z.infer<typeof TrackChange>;

export const Track = TrackRequest.extend({
  /** The name of the track. */
  name: TrackName,
  /** The tenant that it belongs to. */
  tenant: Tenant,
  /** When the track was created. */
  createdAt: Moment,
  /** When it looks next whether a run is due. */
  nextAt: Moment.optional(),
  /** The last run, and why it failed. */
  lastRun: z.strictObject({ jobId: JobId, at: Moment, error: z.string().optional() }).optional(),
  trend: z.array(TrendPoint).meta({ description: "Mention rates by run and model, oldest first." }),
  changes: z.array(TrackChange).meta({ description: "Changes outside the noise, newest first." }),
}).meta({ id: "SiteTrack" });
/** A site that runs again and again with the same prompts. */
export type Track = z.infer<typeof Track>;

export const TrackSummary = Track.omit({ trend: true, changes: true, prompts: true })
  .extend({
    latest: TrendPoint.optional().meta({ description: "The newest point of the trend over all models." }),
    changeCount: z.int().meta({ description: "How many changes outside the noise the track has." }),
  })
  .meta({ id: "SiteTrackSummary" });
/** A track in a list, without its trend, its changes and its prompts. */
export type TrackSummary = z.infer<typeof TrackSummary>;
