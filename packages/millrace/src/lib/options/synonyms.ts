/** Words of other libraries, by ours. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  concurrency: "processors",
  attempts: "maxAttempts",
  retries: "maxAttempts",
  maxRetries: "maxAttempts",
  retryLimit: "maxAttempts",
  backoff: "retry",
  handler: "run",
  process: "run",
  schema: "payload",
  input: "payload",
  state: "status",
  jobId: "idempotencyKey",
  startAfter: "runAt",
  startDelay: "delayMs",
  singletonKey: "idempotencyKey",
  tz: "timeZone",
};
