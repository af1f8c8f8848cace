// The cause of a failure, so that jobs which failed for the same reason form one group. The message is reduced to its pattern: what
// differs from job to job (ids, numbers, quoted values, paths, addresses) becomes a placeholder.

import { createHash } from "node:crypto";

/** The version of the patterns. Causes of another version are computed again in the background. */
export const CAUSE_VERSION = 1;

export interface FailedWork {
  readonly kind: string;
  readonly stage: string;
  readonly code: string;
  readonly message: string;
}

/** The start of every stored cause of this version. */
export const CAUSE_PREFIX = `${CAUSE_VERSION}-`;
const FINGERPRINT_DIGITS = 16;
const VARIANT_DIGITS = 8;
const FINGERPRINT_LENGTH = CAUSE_PREFIX.length + FINGERPRINT_DIGITS;

/** Longer messages are cut: the beginning of a message says why. Stacks and dumps follow it. */
const MOST_CHARS = 1_000;

/**
 * In this order: an address holds numbers, and a quoted path is a value. Every expression reads a message in linear time, because
 * processors write the messages, and what they quote comes from outside.
 */
const PLACEHOLDERS: readonly (readonly [what: RegExp, placeholder: string])[] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>)\]]+/gi, "<url>"],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, "<email>"],
  [/=\s?\([^()]{0,500}\)/g, "=(<value>)"],
  [/"[^"\n]{0,500}"|`[^`\n]{0,500}`|“[^”\n]{0,500}”|«[^»\n]{0,500}»|„[^“”\n]{0,500}[“”]/g, "<value>"],
  [/(?<![\p{L}\p{N}])'[^'\n]{0,500}'(?![\p{L}\p{N}])/gu, "<value>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?/g, "<time>"],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, "<time>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?![\w.])/g, "<address>"],
  [/(?<![\w:])\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\]?(?::\d{1,5})?(?![\w:])/gi, "<address>"],
  [/\b[a-z]:\\[^\s:*?"<>|]+/gi, "<path>"],
  [/(?<![\p{L}\p{N}_<>])\.{0,2}(?:\/[\p{L}\p{N}_.@~%+=-]+){2,}\/?/gu, "<path>"],
  // Words with a digit in them: order numbers, hashes, job ids, and numbers with their unit, such as 250ms.
  [/(?<![\p{L}\p{N}_-])(?=[\p{L}\p{N}_-]{0,99}[\p{L}_])(?=[\p{L}_-]{0,99}\d)[\p{L}\p{N}_-]+/gu, "<id>"],
  [/(?<![\p{L}\p{N}_])[-+]?\d+(?:[.,_:]\d+)*(?![\p{L}\p{N}_])/gu, "<n>"],
  [/\s+/g, " "],
];

/** The message without what differs from job to job. */
export function patternOf(message: string): string {
  const start = message.slice(0, MOST_CHARS);
  return PLACEHOLDERS.reduce((text, [what, placeholder]) => text.replace(what, placeholder), start).trim();
}

/** What is stored with a dead letter: its fingerprint, followed by the variant, which tells the messages of one pattern apart. */
export function causeOf({ kind, stage, code, message }: FailedWork): string {
  const fingerprint = hash(JSON.stringify([kind, stage, code, patternOf(message)]), FINGERPRINT_DIGITS);
  return `${CAUSE_PREFIX}${fingerprint}-${hash(message, VARIANT_DIGITS)}`;
}

/** The same for all causes with the same kind, stage, code and pattern. */
export function fingerprintOf(cause: string): string {
  return cause.slice(0, FINGERPRINT_LENGTH);
}

const FINGERPRINT = new RegExp(`^\\d{1,4}-[0-9a-f]{${FINGERPRINT_DIGITS}}$`);

/** The first cause with this fingerprint, and the first one after them. Undefined: it is no fingerprint of ours. */
export function causesWith(fingerprint: string): { from: string; to: string } | undefined {
  // "." follows "-" in the order of both stores.
  return FINGERPRINT.test(fingerprint) ? { from: `${fingerprint}-`, to: `${fingerprint}.` } : undefined;
}

function hash(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
