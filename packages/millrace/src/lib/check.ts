// What a program passes in is checked where it comes in: by name, with what is allowed.

import { AppError } from "./app-error.ts";
import { unknownOption } from "./did-you-mean.ts";

export function checkInteger(what: string, value: unknown, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most)) return;
  throw new AppError("invalid-request", `${what} must be a whole number from ${least} to ${most}.`);
}

export function checkWord(what: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || words.includes(value as string)) return;
  throw new AppError("invalid-request", `${what} must be ${words.map((word) => `"${word}"`).join(" or ")}.`);
}

export function checkSwitch(what: string, value: unknown): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new AppError("invalid-request", `${what} must be true or false.`);
}

/** A string that every store keeps as it is: PostgreSQL takes neither U+0000 nor half of a surrogate pair. */
export function checkText(what: string, value: unknown, most: number): void {
  if (value === undefined || isText(value, most)) return;
  throw new AppError("invalid-request", `${what} must be a string of 1 to ${most} characters.`);
}

export function checkTexts(what: string, value: unknown, most: number): void {
  if (value === undefined || (Array.isArray(value) && value.every((each) => isText(each, most)))) return;
  throw new AppError("invalid-request", `${what} must be an array of strings of 1 to ${most} characters each.`);
}

/** A mistyped option must be refused: its author would believe that it works. */
export function checkNames(what: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new AppError("invalid-request", `The options for ${what} must be an object.`);
  }
  refuseUnknown(what, options, known);
}

export function refuseUnknown(what: string, options: object, known: readonly string[]): void {
  for (const name in options) {
    if (known.includes(name)) continue;
    throw new AppError("invalid-request", unknownOption(name, what, known, SYNONYMS), {
      hint: `Known options: ${known.join(", ")}.`,
    });
  }
}

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

function isText(value: unknown, most: number): boolean {
  return (
    typeof value === "string" &&
    value.length > 0 &&
    value.length <= most &&
    value.isWellFormed() &&
    !value.includes("\0")
  );
}
