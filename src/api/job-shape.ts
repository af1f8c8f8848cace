// A job, what is asked for to make one, and what belongs to it.

import { z } from "zod";
import { JobId, Milliseconds, Moment, Name, Tag, YEAR_MS } from "./common.ts";

export const JobState = z.enum(["pending", "running", "completed", "failed", "cancelled"]);

/** An error behind another one. */
export interface ErrorAccount {
  name: string;
  message: string;
  code?: string | undefined;
  cause?: ErrorAccount | undefined;
  errors?: ErrorAccount[] | undefined;
}

export const ErrorAccount: z.ZodType<ErrorAccount> = z
  .strictObject({
    name: z.string(),
    message: z.string(),
    code: z.string().optional(),
    get cause() {
      return ErrorAccount.optional();
    },
    get errors() {
      return z.array(ErrorAccount).optional();
    },
  })
  .meta({ id: "ErrorAccount" });

const errorFields = {
  name: z.string().optional().meta({ description: "The class of the error that was thrown." }),
  errorCode: z.string().optional().meta({ description: "The error's own code, such as `ECONNREFUSED`." }),
  cause: ErrorAccount.optional().meta({ description: "The cause of the error, and its causes." }),
  errors: z.array(ErrorAccount).optional().meta({ description: "The errors inside an `AggregateError`." }),
};

export const Job = z
  .strictObject({
    jobId: JobId,
    kind: z.string(),
    tenant: z.string(),
    status: z.string().meta({ description: "The word people see: the stage's own while the job is there." }),
    state: JobState,
    stage: z.string().nullable().meta({ description: "null: accepted before any worker of the kind was known." }),
    inProgress: z.boolean().meta({ description: "True exactly while a lease is held." }),
    payload: z.unknown(),
    priority: z.int(),
    tags: z.array(z.string()),
    traceId: z.string().optional(),
    createdAt: Moment,
    updatedAt: Moment,
    runAt: Moment,
    startedAt: Moment.optional().meta({ description: "Of the latest attempt." }),
    leasedAt: Moment.optional(),
    completedAt: Moment.optional(),
    attempt: z.int().meta({ description: "Number of the latest attempt of this stage; 0 before the first." }),
    maxAttempts: z.int(),
    retries: z.int().meta({ description: "Failed attempts of the current stage." }),
    retriesTotal: z.int(),
    crashes: z.int().meta({ description: "Times a processor died on this stage; counted apart from failures." }),
    progress: z.strictObject({ value: z.number(), message: z.string().optional() }).optional(),
    result: z.unknown().optional(),
    lastError: z
      .string()
      .optional()
      .meta({ description: "Of the last attempt that failed, also while it is retried." }),
    error: z.string().optional().meta({ description: "One sentence for people, there once it failed." }),
    failure: z
      .strictObject({
        code: z.string(),
        message: z.string(),
        permanent: z.boolean(),
        line: z.int().optional(),
        column: z.int().optional(),
        ...errorFields,
      })
      .optional(),
    heldFor: z.string().optional().meta({ description: "Why it waits to be released." }),
    heldUntil: Moment.optional().meta({ description: "When the hold expires and the job fails." }),
    processor: z.string().optional().meta({ description: "Which processor has (or last had) the lease." }),
    retryOf: JobId.optional(),
    retriedAs: JobId.optional(),
  })
  .meta({ id: "Job" });
export type Job = z.infer<typeof Job>;

/** What every submission takes beside its payload. */
export const submissionOptions = {
  priority: z.int().min(-1_000_000).max(1_000_000).optional().meta({ description: "Lower goes first." }),
  runAt: Moment.optional().meta({ description: "Not before then." }),
  delayMs: z
    .int()
    .min(0)
    .max(10 * YEAR_MS)
    .optional()
    .meta({ description: "Not before so much later; instead of `runAt`." }),
  maxRetries: z.int().min(1).max(1_000).optional().meta({ description: "Attempts per stage, the first included." }),
  timeoutMs: Milliseconds(YEAR_MS).optional().meta({ description: "How long one attempt may take." }),
  expiresInMs: Milliseconds(10 * YEAR_MS)
    .optional()
    .meta({ description: "Not started by then, it fails with `backpressure`." }),
  tags: z.array(Tag).max(20).optional().meta({ description: "To find it again." }),
};

/** Two ways to say when a job may start exclude each other. */
export const startsOnce = {
  holds: (request: { runAt?: string | undefined; delayMs?: number | undefined }) =>
    request.runAt === undefined || request.delayMs === undefined,
  issue: { path: ["delayMs"], error: "give runAt or delayMs, not both" },
};

export const SubmitRequest = z
  .strictObject({
    kind: Name.default("text").meta({ description: "What sort of work it is; see `GET /kinds`." }),
    payload: z.unknown().meta({ description: "Any JSON; the kind's own schema checks it." }),
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
    stage: z.string(),
    attempt: z.int(),
    startedAt: Moment,
    endedAt: Moment.optional(),
    processor: z.string().optional(),
    outcome: z
      .enum(["completed", "failed", "crashed", "deferred", "held", "released", "cancelled", "abandoned"])
      .optional()
      .meta({ description: "Missing while it runs." }),
    failure: z
      .looseObject({ code: z.string(), message: z.string(), permanent: z.boolean(), ...errorFields })
      .optional(),
  })
  .meta({ id: "Attempt" });

export const LogLine = z
  .strictObject({
    id: z.int(),
    at: Moment,
    level: z.enum(["debug", "info", "warn", "error"]),
    message: z.string(),
    data: z.unknown().optional(),
  })
  .meta({ id: "LogLine" });

export const Step = z
  .strictObject({ stage: z.string(), name: z.string(), value: z.unknown(), savedAt: Moment })
  .meta({ id: "Step" });
