import { AppError } from "./app-error.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** JSON as stored: `undefined` becomes null; what both stores cannot keep alike is refused with a sentence. */
export function toJsonText(value: unknown, what: string, maxBytes: number): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value === undefined ? null : value);
  } catch (cause) {
    throw new AppError("invalid-request", `The ${what} cannot be written as JSON.`, { cause });
  }
  if (text === undefined) throw new AppError("invalid-request", `The ${what} cannot be written as JSON.`);
  // A character takes at most 3 bytes of UTF-8 per UTF-16 unit, so short texts need no counting.
  if (text.length * 3 > maxBytes) {
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
      throw new AppError("too-large", `The ${what} has ${bytes} bytes of JSON; at most ${maxBytes} are kept.`, {
        hint: "Store large data elsewhere and pass a reference, or keep it as an artifact.",
      });
    }
  }
  // JSON.stringify writes U+0000 and lone surrogates as escapes; PostgreSQL takes neither.
  if (text.includes("\\u") && UNSTORABLE.test(text)) {
    throw new AppError("invalid-request", `The ${what} contains U+0000 or half of a surrogate pair.`, {
      hint: "Remove the character, or encode the bytes as base64.",
    });
  }
  return text;
}

const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;
