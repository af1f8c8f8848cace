// A job, what is asked for to make one, and what belongs to it.

import { z } from "zod";
import { REASON_CODES } from "../job/report/explanation.ts";
import { JobId, Moment, Name, submissionOptions } from "./common.ts";
import { jobShapesOf } from "./job-shapes-of.ts";
import { startsOnce } from "./shapes-of.ts";

export const { JobState, errorFields, Job } = jobShapesOf(z, { JobId, Moment });
export type Job = z.infer<typeof Job>;

export const SubmittedJob = Job.extend({
  accepted: z.enum(["new", "joined", "replaced", "extended", "follows"]).meta({
    description:
      "`new`: the job is stored. `joined`: an earlier job does the work, and this is that job. `replaced`: a job that was never claimed got this payload and time. `extended`: it got this time. `follows`: the job starts when the live job with the same unique key has ended. A replay has the first answer's.",
  }),
  replayed: z.boolean().meta({
    description: "True: the same idempotency key was used before, and these are the jobs of the first answer.",
  }),
});

export const SubmitRequest = z
  .strictObject({
    kind: Name.default("text").meta({ description: "The kind of the job. `GET /kinds` lists all kinds." }),
    payload: z.unknown().meta({ description: "Any JSON. It is checked against the kind's schema." }),
    ...submissionOptions,
  })
  .refine((request) => "payload" in request && request.payload !== undefined, {
    path: ["payload"],
    error: "is missing",
  })
  .refine(startsOnce.holds, startsOnce.issue)
  .meta({ id: "SubmitRequest" });
export type SubmitRequest = z.infer<typeof SubmitRequest>;

export const Attempt = z
  .strictObject({
    /** The stage. */
    stage: z.string(),
    /** The number of the attempt at this stage, counted from 1. */
    attempt: z.int(),
    /** When it started. */
    startedAt: Moment,
    /** When it ended. Missing while the attempt runs. */
    endedAt: Moment.optional(),
    /** The processor that ran it. */
    processor: z.string().optional(),
    outcome: z
      .enum(["completed", "failed", "crashed", "deferred", "held", "waiting", "released", "cancelled", "abandoned"])
      .optional()
      .meta({ description: "Missing while the attempt runs." }),
    /** The stored failure. */
    failure: z
      .looseObject({ code: z.string(), message: z.string(), permanent: z.boolean(), ...errorFields })
      .optional(),
  })
  .meta({ id: "Attempt" });

export const Explanation = z
  .strictObject({
    /** The id of the job. */
    jobId: JobId,
    /** The state of the job. */
    state: JobState,
    reasons: z
      .array(
        z.strictObject({
          code: z.enum(REASON_CODES),
          message: z.string(),
          until: Moment.optional().meta({ description: "When the reason ends without action." }),
          details: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
        }),
      )
      .meta({ description: "At least one reason, the decisive one first." }),
    next: z.string().optional().meta({ description: "What to do about the first reason." }),
  })
  .meta({ id: "Explanation" });
export type Explanation = z.infer<typeof Explanation>;

export const LogLine = z
  .strictObject({
    /** The number of the line; pass it as `after` to read on. */
    id: z.int(),
    /** When it was written. */
    at: Moment,
    /** The level of the line. */
    level: z.enum(["debug", "info", "warn", "error"]),
    /** The logged message. */
    message: z.string(),
    /** The data of the line, any JSON. */
    data: z.unknown().optional(),
  })
  .meta({ id: "LogLine" });

export const ArtifactInfo = z
  .strictObject({
    /** The name that the processor gave it. */
    name: z.string(),
    contentType: z.string().meta({ description: "The media type that the processor gave." }),
    size: z.int().meta({ description: "The size in bytes." }),
  })
  .meta({ id: "Artifact", description: "An artifact of a job, without its bytes." });

export const Step = z
  .strictObject({
    /** The stage that the step belongs to. */
    stage: z.string(),
    /** The name of the step. */
    name: z.string(),
    /** The stored result, any JSON. */
    value: z.unknown(),
    /** When it was stored. */
    savedAt: Moment,
  })
  .meta({ id: "Step" });
