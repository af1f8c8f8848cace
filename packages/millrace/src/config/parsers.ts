import { parseRange } from "../lib/ip-address.ts";

/** The result of a parser: a value, or which values are allowed. */
export type ParseResult<T> = { readonly value: T } | { readonly allowed: string };
/** Reads the text of a setting. */
export type Parser<T> = (text: string) => ParseResult<T>;

/** Parses a whole number within a range. */
export function integer(range: { readonly min: number; readonly max?: number }): Parser<number> {
  const { min, max = Number.MAX_SAFE_INTEGER } = range;
  const allowed = range.max === undefined ? `a whole number, ${min} or more` : `a whole number from ${min} to ${max}`;
  return (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? { value } : { allowed };
  };
}

// A timer set further ahead than 2^31 - 1 ms fires at once, on both runtimes.
const MAX_TIMER_MS = 2_147_483_647;

/** Parses milliseconds that a timer can wait for, up to 24.8 days. */
export function timerMs(range: { readonly min: number }): Parser<number> {
  return integer({ min: range.min, max: MAX_TIMER_MS });
}

/** Parses seconds; the value is in milliseconds. */
export function seconds(range: { readonly min: number; readonly max: number }): Parser<number> {
  const whole = integer(range);
  return (text) => {
    const parsed = whole(text);
    return "value" in parsed ? { value: parsed.value * 1000 } : parsed;
  };
}

/** Parses one of several words. */
export function oneOf<const T extends string>(...words: readonly T[]): Parser<T> {
  const allowed = words.join(" or ");
  return (text) => {
    const value = words.find((word) => word === text.toLowerCase());
    return value === undefined ? { allowed } : { value };
  };
}

/** Parses `true`, `false`, `1` or `0`. */
export const yesNo: Parser<boolean> = (text) => {
  const word = text.toLowerCase();
  if (word === "true" || word === "1") return { value: true };
  if (word === "false" || word === "0") return { value: false };
  return { allowed: "true or false" };
};

/** Parses the path of a file. */
export const path: Parser<string> = (text) =>
  text.includes("\0") ? { allowed: "the path of a file" } : { value: text };

/** Parses a host name or an IP address, without a port. */
export const hostName: Parser<string> = (text) =>
  /^[\w.:-]+$/.test(text) ? { value: text } : { allowed: "a host name or an IP address, without port" };

// A key travels in a header, so it must consist of what every client can send there.
/** Parses a secret that can be sent in a header: printable ASCII characters without spaces. */
export const headerSafe: Parser<string> = (text) =>
  /^[\x21-\x7e]+$/.test(text) ? { value: text } : { allowed: "printable ASCII characters without spaces" };

/** Parses a few words: 1 to 40 characters without control characters. */
export const shortText: Parser<string> = (text) =>
  text.length <= 40 && /^[^\p{C}]+$/u.test(text) ? { value: text } : { allowed: "1 to 40 characters in one line" };

/** Parses a label: 1 to 100 letters, digits and `. _ - + : /`. */
export const label: Parser<string> = (text) =>
  /^[\w.+:/-]{1,100}$/.test(text) ? { value: text } : { allowed: "1 to 100 letters, digits and . _ - + : /" };

export const postgresUrl: Parser<string> = (text) =>
  /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
    ? { value: text }
    : { allowed: "an address like postgres://user:password@host:5432/name" };

/** Parses an address that starts with `http://` or `https://`. */
export const httpUrl: Parser<string> = (text) =>
  /^https?:\/\//.test(text) && URL.canParse(text)
    ? { value: text }
    : { allowed: "an address like http://127.0.0.1:3000" };

/** Parses `*`, or origins like `https://example.com`, separated by commas. */
export const origins: Parser<readonly string[]> = (text) => {
  const value = text
    .split(",")
    .map((origin) => origin.trim())
    .filter((origin) => origin !== "");
  if (value.every((origin) => origin === "*" || isOrigin(origin))) return { value: Object.freeze(value) };
  return { allowed: "* or origins like https://example.com, separated by commas" };
};

/** Parses IP addresses and ranges such as `10.0.0.0/8`, separated by commas. */
export const addressRanges: Parser<readonly string[]> = (text) => {
  const value = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (value.every((part) => parseRange(part) !== undefined)) return { value: Object.freeze(value) };
  return { allowed: "addresses like 10.0.0.7 or ranges like 10.0.0.0/8, separated by commas" };
};

/** Parses words separated by commas. `item` returns undefined for a word that is not allowed. */
export function list<T>(item: (text: string) => T | undefined, allowed: string): Parser<readonly T[]> {
  return (text) => {
    const values = text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "")
      .map(item);
    return values.includes(undefined) ? { allowed } : { value: Object.freeze(values as T[]) };
  };
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** At most `count` starts in any `perMs` milliseconds. */
export interface PaceSetting {
  /** The number of starts. */
  readonly count: number;
  /** The period, in milliseconds. */
  readonly perMs: number;
}

const PACE_UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export const pace: Parser<PaceSetting> = (text) => {
  const [, count = "", amount = "1", unit = ""] = /^(\d+)\/(\d+)?(ms|s|m|h)$/.exec(text) ?? [];
  const perMs = Number(amount) * (PACE_UNIT_MS[unit] ?? 0);
  if (Number(count) < 1 || perMs < 1 || perMs > MAX_TIMER_MS) {
    return { allowed: "starts per period, such as 3/5s (units: ms, s, m, h)" };
  }
  return { value: Object.freeze({ count: Number(count), perMs }) };
};
