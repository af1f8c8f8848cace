import { z } from "zod";

/** Error codes with their HTTP status, and a sentence that says when they occur. */
export type ErrorTable = Readonly<
  Record<
    string,
    {
      /** The HTTP status. */
      readonly status: number;
      /** When it occurs, in one sentence. */
      readonly when: string;
    }
  >
>;

/** The error codes of the API itself. Workloads bring their own. */
export const ERRORS = {
  "invalid-json": {
    status: 400,
    when: "The body is not JSON or not UTF-8, is nested more than 64 levels deep, has a key like __proto__, or has a number above 1.8e308.",
  },
  "invalid-request": {
    status: 422,
    when: "A field is missing, unknown, or has the wrong type. `issues` has the paths.",
  },
  "key-changed": { status: 422, when: "The new payload would change the unique key, or another key, of the job." },
  unauthorized: { status: 401, when: "The key is missing or no longer valid." },
  forbidden: {
    status: 403,
    when: "The key lacks the scope that the route needs, or the request came from another site.",
  },
  "not-found": { status: 404, when: "This path does not exist." },
  "job-not-found": { status: 404, when: "This tenant has no job with this id." },
  "kind-unknown": { status: 404, when: "No kind has this name." },
  "deployment-unknown": { status: 404, when: "No deployment has this label." },
  "limit-unknown": { status: 404, when: "No shared limit on running jobs has this name." },
  "approval-not-found": { status: 404, when: "This tenant has no open approval with this id." },
  "operation-not-found": { status: 404, when: "This tenant has no operation with this id." },
  "batch-not-found": { status: 404, when: "This tenant has no batch with this id." },
  "method-not-allowed": { status: 405, when: "The path exists, but not for this method. See `Allow`." },
  conflict: { status: 409, when: "The job is not in a state that allows this." },
  "already-queued": { status: 409, when: "A job with the same unique key waits in its first stage." },
  "already-processing": { status: 409, when: "A job with the same unique key is running." },
  "key-busy": {
    status: 409,
    when: "A transaction that has not committed yet has submitted the same unique or idempotency key.",
  },
  "in-other-stage": { status: 409, when: "A job with the same unique key waits in a later stage." },
  "too-large": {
    status: 413,
    when: "The body is over 1 MiB, one of its objects has over 10,000 keys, all objects together have over 50,000, or a field exceeds its own limit.",
  },
  "unsupported-media-type": { status: 415, when: "The body must be sent as application/json." },
  "record-conflict": { status: 409, when: "Another writer changed the record. Read it again." },
  "too-many-events": { status: 429, when: "The tenant has as many kept events as `MAX_EVENTS_PER_TENANT` allows." },
  "too-many-batches": {
    status: 429,
    when: "The tenant has as many open batches as `MAX_OPEN_BATCHES_PER_TENANT` allows.",
  },
  "too-many-signals": { status: 429, when: "The job has 1,000 signals that no wait has taken yet." },
  "idempotency-conflict": { status: 422, when: "The idempotency key was already used with another body." },
  "rate-limited": {
    status: 429,
    when: "Too many new jobs in the last minute, or too many requests with an unknown key, id or address. See `Retry-After`.",
  },
  "tenant-busy": { status: 429, when: "The tenant has reached its limit of running jobs." },
  backpressure: { status: 429, when: "The queue of the first stage is full." },
  internal: { status: 500, when: "An error in Millrace. Find it in the log by its trace id." },
  "store-unavailable": { status: 503, when: "The store did not accept the request in time. Nothing was stored." },
  "store-failed": { status: 503, when: "The store is no longer consistent. The server is about to restart." },
  "store-replaced": {
    status: 503,
    when: "A file of the store was deleted or replaced while the server had it open. Nothing was stored. See `GET /health`.",
  },
  stopping: { status: 503, when: "The server is shutting down." },
  "query-timeout": {
    status: 504,
    when: "A list or search took longer than `QUERY_TIMEOUT_MS`, including its wait in the queue. Use a narrower filter.",
  },
  "disk-full": { status: 507, when: "The disk is full. Nothing was stored." },
} as const satisfies ErrorTable;

/** An error code of the API itself. */
export type ErrorCode = keyof typeof ERRORS;

/** Whether a string is an error code of the API itself. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

export const ErrorBody = z
  .strictObject({
    error: z.string().meta({ description: "One sentence for people." }),
    code: z.string().meta({ description: "A stable code for programs." }),
    hint: z.string().optional().meta({ description: "What to do next." }),
    traceId: z.string(),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "The problems, each with its path." }),
    jobId: z.string().optional().meta({ description: "The job that is in the way, or that the error is about." }),
    statusUrl: z.string().optional(),
    line: z.int().optional().meta({ description: "Where the error is in the input, counted from 1." }),
    column: z.int().optional(),
    excerpt: z.string().optional().meta({ description: "The line of the error with a caret below it." }),
    advice: z.string().optional().meta({ description: "The likely cause, or what to write instead." }),
    limit: z
      .enum(["rate", "concurrency", "queue", "misses"])
      .optional()
      .meta({ description: "The limit that was reached." }),
  })
  .meta({ id: "Error", description: "Every error response has this shape." });
export type ErrorBody = z.infer<typeof ErrorBody>;
