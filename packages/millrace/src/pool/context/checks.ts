// Checks of what a processor passes to `ctx`.

import { JobFailure } from "../../job/failure.ts";
import { clip } from "../../job/report/error-account.ts";
import { AppError } from "../../lib/app-error.ts";
import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import { ms } from "../../lib/options/option.ts";
import { MAX_PAYLOAD_BYTES } from "../../submit/submit.ts";
import { storableText } from "./storable.ts";
import type { AttemptYield } from "./yielded.ts";

const MAX_REASON_CHARS = 1_000;
const MAX_KEY_CHARS = 255;
const MAX_ARTIFACT_BYTES = 64 * 1_048_576;
const TEN_YEARS_MS = 3_660 * 24 * 3_600_000;
const HOLD: OptionBag = { what: "ctx.hold", options: { timeoutMs: ms(1, TEN_YEARS_MS) } };

export function checkCost(cost: number): void {
  if (!(cost > 0))
    throw new AppError("invalid-request", `The cost of a limiter must be a number above 0, not ${cost}.`);
}

export function checkUniqueKey(key: string): void {
  if (isKey(key)) return;
  throw new AppError("invalid-request", `A unique key has 1 to ${MAX_KEY_CHARS} characters.`);
}

export function checkShareKey(key: string): void {
  if (isKey(key)) return;
  const message = `The key of a shared artifact must be a string of 1 to ${MAX_KEY_CHARS} characters.`;
  throw new AppError("invalid-request", message);
}

function isKey(key: unknown): boolean {
  return typeof key === "string" && key.length > 0 && key.length <= MAX_KEY_CHARS;
}

export function checkBytes(name: string, bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array))
    throw new AppError("invalid-request", "The bytes of an artifact must be a Uint8Array.");
  if (bytes.byteLength <= MAX_ARTIFACT_BYTES) return;
  const message = `The artifact "${name}" has ${bytes.byteLength} bytes; the limit is ${MAX_ARTIFACT_BYTES}.`;
  throw new AppError("too-large", message);
}

/** The outcome of `ctx.defer`. */
export function deferral(
  when: { delayMs: number } | { runAt: Date },
  reason: string | undefined,
): AttemptYield["outcome"] {
  const { runAt, delayMs } = (when ?? {}) as { runAt?: Date; delayMs?: number };
  const time = runAt === undefined ? { delayMs: Number(delayMs) } : { runAt: Number(runAt) };
  if (!Object.values(time).every((value) => Number.isFinite(value) && value >= 0)) {
    const message = "ctx.defer() needs { delayMs } of 0 or more, or { runAt } with a valid Date.";
    throw new AppError("invalid-request", message);
  }
  const why = reason === undefined ? {} : { reason: clip(String(reason), MAX_REASON_CHARS) };
  return { type: "deferred", ...time, ...why };
}

/** The outcome of `ctx.continueAsNew`. The pool checks the payload by the schema of the kind. */
export function continuation(payload: unknown): AttemptYield["outcome"] {
  if (payload === undefined) {
    const message = "ctx.continueAsNew() needs a payload. Pass null for a kind that takes no payload.";
    throw new JobFailure(message, { code: "payload-mismatch", permanent: true });
  }
  try {
    return { type: "continued", payload: storableText(payload, "payload", MAX_PAYLOAD_BYTES) };
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    // The next attempt would pass the same payload.
    throw new JobFailure(cause.message, { code: cause.code, permanent: true });
  }
}

/** The outcome of `ctx.hold`. */
export function hold(reason: string, options: { timeoutMs?: number }): AttemptYield["outcome"] {
  if (typeof reason !== "string" || reason.trim() === "") {
    throw new AppError("invalid-request", "ctx.hold() needs a reason, which people read to release the job.", {
      hint: 'ctx.hold("needs approval", { timeoutMs: 3 * 24 * 3_600_000 })',
    });
  }
  checkOptions(HOLD, options);
  const { timeoutMs } = options;
  return { type: "held", reason: clip(reason, MAX_REASON_CHARS), ...(timeoutMs !== undefined && { timeoutMs }) };
}
