// 1 SUBMIT: validate and fingerprint; the store does the rest in one transaction.

import { hash } from "node:crypto";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Kind, Memory } from "../job/kind/kind.ts";
import type { Debounce, Throttle } from "../job/options/kind-options.ts";
import { SUBMISSION, type SubmitOptions } from "../job/options/submit-options.ts";
import { AppError, messageOf } from "../lib/app-error.ts";
import { defined } from "../lib/defined.ts";
import { toJsonText } from "../lib/json/json-text.ts";
import { checkOptions } from "../lib/options/check.ts";
import { schemaError } from "../lib/schema-error.ts";
import { traceIdIn } from "../lib/trace-parent.ts";
import type { NewJob, SubmitAnswer } from "../store/verbs/submission.ts";

export const MAX_PAYLOAD_BYTES = 1_048_576;
const MAX_RESULT_BYTES = 1_048_576;
const MAX_KEY_CHARS = 255;

/** A valid payload and valid options, as the store takes them. */
export async function prepareJob(kind: Kind, payload: unknown, options: SubmitOptions): Promise<NewJob> {
  return withPayload(kind, payload, prepareOptions(kind, options));
}

/** What jobs of the same kind and options share; checked once, however many payloads follow. */
export function prepareOptions(kind: Kind, options: SubmitOptions): Omit<NewJob, "payload"> {
  checkOptions(SUBMISSION, options);
  if (options.concurrencyKey !== undefined && !kind.concurrencyKey && kind.stages.length > 0) {
    throw new AppError("invalid-request", `The kind "${kind.name}" has no concurrency key.`, {
      hint: "Define one: concurrency: { key: (payload) => … }.",
    });
  }
  if (options.uniqueKey !== undefined) checkOwnUniqueKey(kind, options.uniqueKey);
  const { tenant: _tenant, idempotencyKey: _key, runAt, ...stored } = options;
  const traceId = options.traceId ?? (options.traceParent === undefined ? undefined : traceIdIn(options.traceParent));
  return { kind: kind.name, ...kind.defaults, ...defined({ ...stored, traceId, runAt: runAt?.getTime() }) };
}

/** Checks a unique key that the submission names. */
function checkOwnUniqueKey(kind: Kind, key: string): void {
  checkKey(key, "unique key");
  if (!kind.debounce && !kind.throttle) return;
  const rule = kind.debounce ? "debounced" : "throttled";
  throw new AppError("invalid-request", `The kind "${kind.name}" is ${rule}, so its jobs take no unique key.`, {
    hint: `Leave out uniqueKey, or give the kind a uniqueKey instead of its ${kind.debounce ? "debounce" : "throttle"}.`,
  });
}

/**
 * Synchronous if schema and kind are synchronous, so that a thousand payloads take one turn of the loop instead of a
 * thousand.
 */
export function withPayload(
  kind: Kind,
  payload: unknown,
  shared: Omit<NewJob, "payload">,
  memory?: Memory,
): NewJob | Promise<NewJob> {
  if (payload === undefined) {
    throw new AppError("invalid-request", `The payload for the kind "${kind.name}" is missing.`, {
      hint: "Pass null for a kind that takes no payload.",
    });
  }
  const text = toJsonText(payload, "payload", MAX_PAYLOAD_BYTES);
  const checked = ownCode(kind, "The payload schema", () => kind.schema["~standard"].validate(JSON.parse(text)));
  const known = (valid: unknown) => withKnown(kind, valid, { ...shared, payload: text }, memory);
  return checked instanceof Promise ? checked.then((each) => known(parsed(kind, each))) : known(parsed(kind, checked));
}

/**
 * Runs a function of the kind's author. Errors that it throws are reported as errors of the kind, not of the
 * submission.
 */
function ownCode<T>(kind: Kind, what: string, run: () => T): T {
  try {
    const made = run();
    return made instanceof Promise ? (made.catch((cause) => blame(kind, what, cause)) as T) : made;
  } catch (cause) {
    return blame(kind, what, cause);
  }
}

function blame(kind: Kind, what: string, cause: unknown): never {
  throw new AppError("kind-invalid", `${what} of kind "${kind.name}" threw: ${messageOf(cause)}`, { cause });
}

/** Adds what the kind derives from the payload: the keys of the job, and its result if that is known already. */
function withKnown(kind: Kind, valid: unknown, job: NewJob, memory: Memory | undefined): NewJob | Promise<NewJob> {
  if (kind.uniqueKey && job.uniqueKey === undefined) {
    const key = ownCode(kind, "uniqueKey", () => kind.uniqueKey?.(valid as never));
    if (key !== undefined) job.uniqueKey = checkKey(key, "unique key");
  }
  if (job.uniqueKey !== undefined && kind.ifUnique) job.ifUnique = kind.ifUnique;
  if (kind.concurrencyKey && job.concurrencyKey === undefined) {
    const key = ownCode(kind, "concurrency.key", () => kind.concurrencyKey?.(valid as never));
    if (key !== undefined) job.concurrencyKey = checkKey(key, "concurrency key");
  }
  if (kind.debounce) debounce(kind, kind.debounce, valid, job);
  if (kind.throttle) throttle(kind, kind.throttle, valid, job);
  const isDue = job.runAt === undefined && job.delayMs === undefined;
  return kind.recall && memory && isDue
    ? withResult(
        ownCode(kind, "recall", () => kind.recall?.(valid as never, memory)),
        job,
      )
    : job;
}

/** The last submission of a key wins, and starts when no other has come for a while. */
function debounce(kind: Kind, { key: keyOf, waitMs, maxWaitMs }: Debounce, valid: unknown, job: NewJob): void {
  if (job.runAt !== undefined || job.delayMs !== undefined) {
    throw new AppError("invalid-request", `The kind "${kind.name}" is debounced, so its jobs take no start time.`, {
      hint: "Leave out runAt and delayMs.",
    });
  }
  const key = ownCode(kind, "debounce.key", () => keyOf(valid as never));
  if (key === undefined) return;
  job.uniqueKey = checkKey(key, "debounce key");
  job.ifUnique = "replace";
  job.delayMs = waitMs;
  if (maxWaitMs !== undefined) job.latestMs = maxWaitMs;
}

function throttle(kind: Kind, { key: keyOf, perMs }: Throttle, valid: unknown, job: NewJob): void {
  const key = ownCode(kind, "throttle.key", () => keyOf(valid as never));
  if (key !== undefined) job.throttle = { key: checkKey(key, "throttle key"), perMs };
}

async function withResult(recalled: ReturnType<NonNullable<Kind["recall"]>> | undefined, job: NewJob): Promise<NewJob> {
  const known = await recalled;
  if (!known) return job;
  return { ...job, completed: { result: toJsonText(known.result, "result", MAX_RESULT_BYTES), share: known.share } };
}

/** The payload is stored as given. It is parsed again when the job is claimed, and a transform must not run twice. */
function parsed(kind: Kind, checked: StandardSchemaV1.Result<unknown>): unknown {
  if (!checked.issues) return checked.value;
  throw schemaError("invalid-request", `The payload does not fit the kind "${kind.name}"`, checked.issues);
}

/**
 * A hash that is the same for the same request, whatever the order of its fields and whatever is known of its result.
 */
export function fingerprintOf(jobs: NewJob[]): string {
  const request = jobs.map(({ traceId: _traceId, traceParent: _traceParent, completed: _known, payload, ...job }) => ({
    ...job,
    payload: JSON.parse(payload),
  }));
  return hash("sha256", canonicalJson(request));
}

/** A hash that is the same for the same body on the same route, whatever the order of its fields. */
export function requestFingerprint(route: string, body: unknown): string {
  return hash("sha256", `${route} ${canonicalJson(body)}`);
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

export function checkKey(key: string, what: string): string {
  if (
    typeof key === "string" &&
    key.length > 0 &&
    key.length <= MAX_KEY_CHARS &&
    key.isWellFormed() &&
    !key.includes("\0")
  ) {
    return key;
  }
  throw new AppError("invalid-request", `The ${what} must be a string of 1 to ${MAX_KEY_CHARS} characters.`);
}

const TENANT = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

export function checkTenant(tenant: string): string {
  if (typeof tenant === "string" && TENANT.test(tenant)) return tenant;
  throw new AppError(
    "invalid-request",
    "Invalid tenant name. Use 1 to 64 letters, digits, dots, colons, dashes or underscores.",
  );
}

const HINTS: Partial<Record<string, string>> = {
  "idempotency-conflict": "Use a new key for a new request.",
  "already-queued": "Wait for the existing job, or cancel it.",
  "already-processing": "Wait for the existing job, or cancel it.",
  "in-other-stage": "Wait for the existing job, or cancel it.",
  "tenant-busy": "Wait for running jobs to finish, or set TENANT_OVERFLOW=queue.",
  "kind-unknown": "Register the kind: Millrace.open({ kinds: [...] }).",
  "disk-full": "Free some space on the disk.",
};

/** The limit that was reached, as the caller reads it. */
const LIMITS: Partial<Record<string, string>> = {
  "rate-limited": "rate",
  "tenant-busy": "concurrency",
  backpressure: "queue",
};

/** What the store refused, as an error with its next step. */
export function refusal(answer: Extract<SubmitAnswer, { type: "refused" }>, count = 1): AppError {
  const hint = HINTS[answer.code] ?? laterHint(answer, count);
  const { jobId, retryAfterMs } = answer;
  return new AppError(answer.code, answer.message, {
    ...(hint && { hint }),
    details: defined({ jobId, retryAfterMs, limit: LIMITS[answer.code] }),
  });
}

/** Many jobs at once may never fit, so waiting alone would not help. */
function laterHint({ retryAfterMs }: { retryAfterMs?: number }, count: number): string | undefined {
  if (retryAfterMs === undefined) return undefined;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return `Submit again in ${seconds} s${count > 1 ? `, or submit fewer jobs at once: these are ${count}` : ""}.`;
}
