import { z } from "zod";
import { JobId, Milliseconds, Moment, Name, QueryBool, QueryInt, Tag, Text, YEAR_MS } from "./common.ts";
import { route } from "./route.ts";

export const JobState = z.enum(["pending", "running", "completed", "failed", "cancelled"]);

export const Job = z
  .strictObject({
    jobId: JobId,
    kind: z.string(),
    tenant: z.string(),
    status: z.string().meta({ description: "The word people see: the stage's own while the job is there." }),
    state: JobState,
    stage: z.string(),
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
      })
      .optional(),
    heldFor: z.string().optional().meta({ description: "Why it waits to be released." }),
    processor: z.string().optional().meta({ description: "Which processor has (or last had) the lease." }),
    retryOf: JobId.optional(),
    retriedAs: JobId.optional(),
  })
  .meta({ id: "Job" });
export type Job = z.infer<typeof Job>;

export const SubmitRequest = z
  .strictObject({
    kind: Name.default("text").meta({ description: "What sort of work it is; see `GET /kinds`." }),
    payload: z.unknown().meta({ description: "Any JSON; the kind's own schema checks it." }),
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
  })
  .refine((request) => "payload" in request && request.payload !== undefined, {
    path: ["payload"],
    error: "is missing",
  })
  .refine((request) => request.runAt === undefined || request.delayMs === undefined, {
    path: ["delayMs"],
    error: "give runAt or delayMs, not both",
  })
  .meta({ id: "SubmitRequest" });
export type SubmitRequest = z.infer<typeof SubmitRequest>;

/** The shown words, the states, and what is derived from them. */
const Status = Text(64).meta({
  description: "A status or state as shown on a job, or `running`, `done`, `scheduled`, `retrying`, `held`.",
});

export const JobFilterQuery = {
  status: Status.optional(),
  kind: Text(64).optional(),
  stage: Text(64).optional(),
  tenant: Text(64).optional().meta({ description: "Administrators only." }),
  tag: Tag.optional(),
  since: Moment.optional().meta({ description: "Created at or after." }),
  until: Moment.optional().meta({ description: "Created before." }),
  q: Text(200).optional().meta({ description: "Text in payload, result or error; or a job id." }),
};

export const JobListQuery = z.strictObject({
  ...JobFilterQuery,
  inProgress: QueryBool.optional(),
  brief: QueryBool.optional().meta({
    description: "A payload or result over 1,000 characters is cut, and given as text.",
  }),
  limit: QueryInt(1, 500).optional(),
  offset: QueryInt(0, 1_000_000).optional(),
  cursor: z.string().min(1).max(100).optional(),
});

export const JobList = z
  .strictObject({ jobs: z.array(Job), limit: z.int(), offset: z.int(), nextCursor: z.string().optional() })
  .meta({ id: "JobList" });

/** The same filter in a body, for acts on many jobs. */
export const JobFilterBody = z
  .strictObject({ ...JobFilterQuery })
  .meta({ id: "JobFilter", description: "As the query of `GET /jobs`." });

const Many = {
  ids: z.array(JobId).min(1).max(1_000).optional(),
  filter: JobFilterBody.optional(),
  dryRun: z.boolean().optional().meta({ description: "Only count." }),
};
const oneOfBoth = {
  check: (request: { ids?: unknown; filter?: unknown }) =>
    (request.ids === undefined) !== (request.filter === undefined),
  error: { path: ["ids"], error: "give ids or filter, one of them" },
};
export const CancelMany = z
  .strictObject({ ...Many, reason: Text(500).optional() })
  .refine(oneOfBoth.check, oneOfBoth.error);
export const RetryMany = z.strictObject(Many).refine(oneOfBoth.check, oneOfBoth.error);
export const ManyAnswer = z
  .strictObject({
    matched: z.int(),
    changed: z.int(),
    dryRun: z.boolean(),
    jobIds: z.array(JobId).meta({ description: "The jobs changed, or the new ones; 1,000 at most." }),
  })
  .meta({ id: "ManyAnswer" });

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
    failure: z.looseObject({ code: z.string(), message: z.string(), permanent: z.boolean() }).optional(),
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

const JobParams = z.strictObject({ jobId: JobId });
const example = {
  jobId: "job_4fQ81xZa",
  kind: "text",
  tenant: "default",
  status: "pending",
  state: "pending",
  stage: "running",
  inProgress: false,
  payload: { text: "hello" },
  priority: 0,
  tags: [],
  createdAt: "2026-11-15T10:00:00.000Z",
  updatedAt: "2026-11-15T10:00:00.000Z",
  runAt: "2026-11-15T10:00:00.000Z",
  attempt: 0,
  maxAttempts: 3,
  retries: 0,
  retriesTotal: 0,
  crashes: 0,
};

export const jobRoutes = {
  submit: route({
    method: "POST",
    path: "/jobs",
    tag: "jobs",
    summary: "Submit one job, or an array of up to 1,000 in one transaction.",
    access: "submit",
    body: z.union([SubmitRequest, z.array(SubmitRequest).min(1).max(1_000)]),
    status: 201,
    answer: z.union([Job, z.strictObject({ jobs: z.array(Job) })]),
    idempotent: true,
    errors: [
      "kind-unknown",
      "already-queued",
      "already-processing",
      "in-other-stage",
      "rate-limited",
      "tenant-busy",
      "backpressure",
      "disk-full",
    ],
    example: { body: { kind: "text", payload: { text: "hello" } }, answer: example },
  }),
  list: route({
    method: "GET",
    path: "/jobs",
    tag: "jobs",
    summary: "Jobs, newest first.",
    access: "read",
    query: JobListQuery,
    status: 200,
    answer: JobList,
    example: { answer: { jobs: [example], limit: 50, offset: 0 } },
  }),
  cancelMany: route({
    method: "POST",
    path: "/jobs/cancel",
    tag: "jobs",
    summary: "Cancel many jobs, by ids or by filter.",
    access: "submit",
    body: CancelMany,
    status: 200,
    answer: ManyAnswer,
    example: {
      body: { filter: { kind: "text", status: "pending" }, dryRun: true },
      answer: { matched: 3, changed: 0, dryRun: true, jobIds: [] },
    },
  }),
  retryMany: route({
    method: "POST",
    path: "/jobs/retry",
    tag: "jobs",
    summary: "Revive many failed or cancelled jobs, by ids or by filter.",
    access: "submit",
    body: RetryMany,
    status: 200,
    answer: ManyAnswer,
    example: {
      body: { ids: ["job_4fQ81xZa"] },
      answer: { matched: 1, changed: 1, dryRun: false, jobIds: ["job_9aB2kLmN"] },
    },
  }),
  get: route({
    method: "GET",
    path: "/jobs/{jobId}",
    tag: "jobs",
    summary: "One job; with `wait`, answered when it is finished or after that many seconds.",
    access: "read",
    params: JobParams,
    query: z.strictObject({ wait: QueryInt(0, 30).optional() }),
    status: 200,
    answer: Job,
    errors: ["job-not-found"],
    example: { answer: example },
  }),
  forget: route({
    method: "DELETE",
    path: "/jobs/{jobId}",
    tag: "jobs",
    summary: "Forget a finished job and all that belongs to it.",
    access: "submit",
    params: JobParams,
    status: 204,
    errors: ["job-not-found", "conflict"],
  }),
  retry: route({
    method: "POST",
    path: "/jobs/{jobId}/retry",
    tag: "jobs",
    summary: "Revive a failed or cancelled job as a new one, with the same payload or an edited one.",
    access: "submit",
    params: JobParams,
    body: z.strictObject({
      payload: z.unknown().optional(),
      from: z.enum(["failed-stage", "start"]).optional().meta({ description: "Default: the stage that failed." }),
    }),
    bodyOptional: true,
    status: 201,
    answer: Job,
    errors: ["job-not-found", "conflict", "already-queued", "already-processing", "in-other-stage"],
    example: { body: { payload: { text: "fine now" } }, answer: { ...example, retryOf: "job_9aB2kLmN" } },
  }),
  cancel: route({
    method: "POST",
    path: "/jobs/{jobId}/cancel",
    tag: "jobs",
    summary: "Cancel a pending or running job.",
    access: "submit",
    params: JobParams,
    body: z.strictObject({ reason: Text(500).optional() }),
    bodyOptional: true,
    status: 200,
    answer: Job,
    errors: ["job-not-found", "conflict"],
    example: { body: { reason: "not needed any more" } },
  }),
  release: route({
    method: "POST",
    path: "/jobs/{jobId}/release",
    tag: "jobs",
    summary: "Put a held job back in the queue.",
    access: "submit",
    params: JobParams,
    status: 200,
    answer: Job,
    errors: ["job-not-found", "conflict"],
  }),
  attempts: route({
    method: "GET",
    path: "/jobs/{jobId}/attempts",
    tag: "jobs",
    summary: "Every attempt, oldest first.",
    access: "read",
    params: JobParams,
    status: 200,
    answer: z.strictObject({ attempts: z.array(Attempt) }),
    errors: ["job-not-found"],
  }),
  logs: route({
    method: "GET",
    path: "/jobs/{jobId}/logs",
    tag: "jobs",
    summary: "What its processors wrote, oldest first.",
    access: "read",
    params: JobParams,
    query: z.strictObject({ after: QueryInt(0, 999_999_999).optional(), limit: QueryInt(1, 1_000).optional() }),
    status: 200,
    answer: z.strictObject({ logs: z.array(LogLine) }),
    errors: ["job-not-found"],
  }),
  steps: route({
    method: "GET",
    path: "/jobs/{jobId}/steps",
    tag: "jobs",
    summary: "Stored results of finished steps.",
    access: "read",
    params: JobParams,
    status: 200,
    answer: z.strictObject({ steps: z.array(Step) }),
    errors: ["job-not-found"],
  }),
};
