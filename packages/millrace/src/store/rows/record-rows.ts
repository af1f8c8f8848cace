// What both stores share about records: how a row is read, and which keys a list covers.

import type { RecordEntry, RecordFilter } from "../verbs/records.ts";

export interface RecordRow {
  key: string;
  value: string;
  version: number;
  updatedAt: number;
  expiresAt: number | null;
}

export function recordOf({ key, value, version, updatedAt, expiresAt }: RecordRow): RecordEntry {
  return { key, value, version, updatedAt, ...(expiresAt !== null && { expiresAt }) };
}

/** The keys of a list: `from` included, `below` not. Without `below` the list has no upper end. */
export function keyRange({ prefix = "", after }: Pick<RecordFilter, "prefix" | "after">): {
  from: string;
  below?: string;
} {
  // Keys never hold U+0000, so this is the first key that can follow `after`.
  const next = after === undefined ? "" : `${after}\u0001`;
  const from = Buffer.compare(Buffer.from(next), Buffer.from(prefix)) > 0 ? next : prefix;
  const below = endOf(prefix);
  return below === "" ? { from } : { from, below };
}

const LAST_CODE_POINT = 0x10ffff;
const SURROGATES = { first: 0xd800, next: 0xe000 };

/** The first string, by code points, that is above all strings with this prefix; empty if there is none. */
function endOf(prefix: string): string {
  const points = Array.from(prefix, (each) => each.codePointAt(0) as number);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return "";
  const next = last + 1 === SURROGATES.first ? SURROGATES.next : last + 1;
  return String.fromCodePoint(...points, next);
}
