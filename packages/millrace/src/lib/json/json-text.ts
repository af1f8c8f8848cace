import { AppError, messageOf } from "../app-error.ts";
import { jsonLoss } from "./json-loss.ts";

/**
 * The JSON that is stored: `undefined` becomes null. A value that JSON would drop or change, or that the stores cannot
 * keep alike, is refused with its path.
 */
export function toJsonText(value: unknown, what: string, maxBytes: number): string {
  const text = textOf(value === undefined ? null : value, what);
  // A character takes at most 3 bytes of UTF-8 per UTF-16 unit, so short texts need no counting.
  if (text.length * 3 > maxBytes) {
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
      throw new AppError("too-large", `The ${what} has ${bytes} bytes of JSON; the limit is ${maxBytes}.`, {
        hint: "Store large data elsewhere and pass a reference, or store it as an artifact.",
      });
    }
  }
  // JSON.stringify writes U+0000 and lone surrogates as escapes; PostgreSQL takes neither.
  if (text.includes("\\u") && UNSTORABLE.test(text)) {
    throw new AppError("invalid-request", `The ${what} contains U+0000 or an unpaired surrogate.`, {
      hint: "Remove the character, or encode the bytes as base64.",
    });
  }
  return text;
}

function textOf(value: unknown, what: string): string {
  try {
    const loss = jsonLoss(value);
    // A toJSON method may give nothing.
    if (!loss) return JSON.stringify(value) ?? "null";
    const { path, found, hint } = loss;
    throw new AppError("invalid-request", `The ${what} cannot be stored as JSON: ${lossText(loss)}.`, {
      ...(hint !== undefined && { hint }),
      details: { issues: [{ path, message: `is ${found}` }] },
    });
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    // A getter or a toJSON method of the value threw.
    throw new AppError("invalid-request", `The ${what} cannot be stored as JSON: ${messageOf(cause)}`, { cause });
  }
}

/** `"items.3.when" is an invalid Date` */
export function lossText({ path, found }: { path: string; found: string }): string {
  return `${path === "" ? "it" : `"${path}"`} is ${found}`;
}

const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;
