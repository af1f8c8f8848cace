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
    when: "The body is not JSON, is not UTF-8, is nested deeper than 64, has a key like __proto__, or a number beyond 1.8e308.",
  },
  "invalid-request": {
    status: 422,
    when: "A field is missing, unknown, or of the wrong type; `issues` has the paths.",
  },
  unauthorized: { status: 401, when: "No key was given, or it is not valid any more." },
  forbidden: { status: 403, when: "The key lacks the scope this needs, or the request came from another site." },
  "not-found": { status: 404, when: "There is nothing at this address." },
  "job-not-found": { status: 404, when: "There is no such job for this tenant." },
  "kind-unknown": { status: 404, when: "No kind has this name." },
  "deployment-unknown": { status: 404, when: "No deployment has this label." },
  "method-not-allowed": { status: 405, when: "The address exists, but not for this method; see `Allow`." },
  conflict: { status: 409, when: "The job is not in a state that allows this." },
  "already-queued": { status: 409, when: "Unique work: such a job waits in its first stage." },
  "already-processing": { status: 409, when: "Unique work: such a job is running." },
  "in-other-stage": { status: 409, when: "Unique work: such a job waits in a later stage." },
  "too-large": {
    status: 413,
    when: "The body is over 1 MiB, an object in it has over 10,000 keys or all of them over 50,000, or a part is over its own bound.",
  },
  "unsupported-media-type": { status: 415, when: "A body must be sent as application/json." },
  "record-conflict": { status: 409, when: "Another writer changed the record. Read it again." },
  "idempotency-conflict": { status: 422, when: "The idempotency key was used before with another body." },
  "rate-limited": { status: 429, when: "Too many new jobs in the last minute, or too many misses; see `Retry-After`." },
  "tenant-busy": { status: 429, when: "As many jobs of this tenant run as may at once." },
  backpressure: { status: 429, when: "The queue of the first stage is full." },
  internal: { status: 500, when: "A fault of ours; the trace id finds it in the log." },
  "store-unavailable": { status: 503, when: "The store did not take the request in time; nothing was stored." },
  "store-failed": { status: 503, when: "The store can no longer be trusted; the server is about to restart." },
  "store-replaced": {
    status: 503,
    when: "A file of the store was deleted or replaced while the server had it open; nothing was stored. See `GET /health`.",
  },
  stopping: { status: 503, when: "The server is shutting down." },
  "query-timeout": {
    status: 504,
    when: "A list or search took longer than `QUERY_TIMEOUT_MS`, its wait for a turn included. Narrow the filter.",
  },
  "disk-full": { status: 507, when: "There is no room on the disk; nothing was stored." },
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
    code: z.string().meta({ description: "A stable word for programs." }),
    hint: z.string().optional().meta({ description: "The next step." }),
    traceId: z.string(),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "What is wrong, and where." }),
    jobId: z.string().optional().meta({ description: "The job in the way, or the one that answers." }),
    statusUrl: z.string().optional(),
    line: z.int().optional().meta({ description: "Where the fault in the input is, counted from 1." }),
    column: z.int().optional(),
    limit: z
      .enum(["rate", "concurrency", "queue", "misses"])
      .optional()
      .meta({ description: "Which limit was reached." }),
  })
  .meta({ id: "Error", description: "Every error answer has this shape." });
export type ErrorBody = z.infer<typeof ErrorBody>;
