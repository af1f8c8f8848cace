// A job as the API shows it, made with the zod of the caller: see shapes-of.ts.

import type { z as Zod } from "zod";
import { SHOWN_FIELDS, type StoredFacts } from "../job/options/submit-options.ts";

/** An error behind another one, as stored with a failure. */
export interface ErrorAccount {
  /** The class of the error, such as `TypeError`. */
  name: string;
  /** The message of the error. */
  message: string;
  /** The error's own code, such as `ECONNREFUSED`. */
  code?: string | undefined;
  /** The cause of this error, and its causes. */
  cause?: ErrorAccount | undefined;
  /** The errors inside an `AggregateError`. */
  errors?: ErrorAccount[] | undefined;
}

interface Parts {
  readonly JobId: Zod.ZodString;
  readonly Moment: Zod.ZodISODateTime;
}

/** The schema of a job as the API shows it, made with your own copy of zod. */
export function jobShapesOf(z: typeof Zod, { JobId, Moment }: Parts) {
  const JobState = z.enum(["pending", "running", "completed", "failed", "cancelled"]);

  const ErrorAccount: Zod.ZodType<ErrorAccount> = z
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

  const facts = Object.fromEntries(
    SHOWN_FIELDS.map(({ field, form, about }) => [
      field,
      (form === "time" ? Moment : z.string()).optional().meta({ description: about }),
    ]),
  ) as {
    -readonly [Field in keyof StoredFacts]-?: Zod.ZodOptional<
      Required<StoredFacts>[Field] extends number ? typeof Moment : Zod.ZodString
    >;
  };

  const Job = z
    .strictObject({
      /** The id of the job, such as `job_4fQ81xZa`. */
      jobId: JobId,
      /** The name of its kind. */
      kind: z.string(),
      /** The tenant that it belongs to. */
      tenant: z.string(),
      status: z
        .string()
        .meta({ description: "The status to show to people. While a job is in a stage, it is the name of the stage." }),
      /** The state of the job. */
      state: JobState,
      stage: z.string().nullable().meta({ description: "null: the kind has never had a worker." }),
      inProgress: z.boolean().meta({ description: "True while a processor holds the lease." }),
      /** The payload as it was submitted. */
      payload: z.unknown(),
      /** Lower values start first. */
      priority: z.int(),
      /** The tags that it was submitted with. */
      tags: z.array(z.string()),
      /** The trace id that it was submitted with. */
      traceId: z.string().optional(),
      /** When it was submitted. */
      createdAt: Moment,
      /** When it last changed. */
      updatedAt: Moment,
      /** When it may start, or start again. */
      runAt: Moment,
      startedAt: Moment.optional().meta({ description: "The progress of the latest attempt." }),
      /** When its current attempt started. Missing unless it is in progress. */
      leasedAt: Moment.optional(),
      /** When it ended. */
      completedAt: Moment.optional(),
      attempt: z.int().meta({ description: "The number of the latest attempt of this stage. 0 before the first." }),
      /** The attempts that the stage gets, including the first. */
      maxAttempts: z.int(),
      retries: z.int().meta({ description: "The number of failed attempts of the current stage." }),
      /** Failed attempts of all stages. */
      retriesTotal: z.int(),
      crashes: z
        .int()
        .meta({ description: "How often a processor crashed on this stage. Crashes are not counted as failures." }),
      /** What the processor last reported: a value from 0 to 1, and words for people. */
      progress: z.strictObject({ value: z.number(), message: z.string().optional() }).optional(),
      /** What the last stage returned. Missing unless the job is completed. */
      result: z.unknown().optional(),
      lastError: z
        .string()
        .optional()
        .meta({ description: "The failure of the last failed attempt, also while the job is retried." }),
      error: z.string().optional().meta({ description: "One sentence for people, present after a failure." }),
      /** The stored failure. Missing unless the job failed. */
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
      waitsFor: z
        .array(
          z.strictObject({
            type: z.enum(["sleep", "signal", "event", "approval", "children", "hold", "after", "leader", "key"]),
            name: z.string().optional().meta({ description: "The name in the code." }),
            since: Moment,
            until: Moment.optional().meta({ description: "When the wait times out." }),
          }),
        )
        .optional()
        .meta({ description: "What the job waits for, without a processor. Any one of them wakes it." }),
      undoing: z
        .strictObject({ because: z.enum(["failed", "cancelled"]) })
        .optional()
        .meta({ description: "The job has failed or was cancelled, and runs its undo handlers. Then it ends." }),
      ...facts,
      heldFor: z.string().optional().meta({ description: "Why the job is held." }),
      heldUntil: Moment.optional().meta({ description: "When the hold expires and the job fails." }),
      concurrencyKey: z
        .string()
        .optional()
        .meta({ description: "The key that the job must hold to run. Jobs with the same key wait for each other." }),
      holdsKey: z.literal(true).optional().meta({
        description: "The job failed and holds its key, so the jobs behind it wait. Revive, cancel or delete it.",
      }),
      fingerprint: z.string().optional().meta({
        description: "The fingerprint of its cause. Only dead letters have one. See `GET /dlq?group=fingerprint`.",
      }),
      processor: z.string().optional().meta({ description: "The processor that has the lease, or had it last." }),
      /** The job that this one revives. */
      retryOf: JobId.optional(),
      /** The job that revived this one. */
      retriedAs: JobId.optional(),
      continuationOf: JobId.optional().meta({ description: "The job that continued as this one." }),
      continuedAs: JobId.optional().meta({
        description: "The job that continues this one. Waiting for this job waits for that one.",
      }),
    })
    .meta({ id: "Job" });

  return { JobState, errorFields, Job };
}
