import { JobFailure } from "../../job/failure.ts";
import { AppError } from "../../lib/app-error.ts";
import { toJsonText } from "../../lib/json/json-text.ts";

/**
 * The JSON to store. A value that JSON cannot hold fails the job for good, because the next attempt would make the same
 * value.
 */
export function storableText(value: unknown, what: string, maxBytes: number): string {
  try {
    return toJsonText(value, what, maxBytes);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code === "too-large") throw cause;
    const { code, message, hint } = cause;
    throw new JobFailure(hint === undefined ? message : `${message} ${hint}`, { code, permanent: true });
  }
}
