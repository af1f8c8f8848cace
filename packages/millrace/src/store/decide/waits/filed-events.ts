// How a wait finds its event without a look at the others of the topic: each event is filed under its fields.
//
//   event { orderId: 7, amount: 10 } ──▶ one entry for `orderId = 7`, one for `amount = 10`
//   wait  { orderId: 7 }             ──▶ reads the entries of `orderId = 7`, and no other event
//
// Events that an earlier release published have no entries, and neither has an event of very many fields. They are marked as not
// filed, and every wait for their topic reads them.

import { hash } from "node:crypto";

/** An event of more fields than this is not filed, so that one event cannot write thousands of rows. */
const MOST_FILED = 32;
const HASH_CHARS = 24;
/** Entries of a field are counted up to this number, to find the field with the fewest events. */
export const MOST_COUNTED = 100;

export interface TopicOfTenant {
  tenant: number;
  topic: string;
}

/** An open wait for an event, as both stores read it. */
export interface OpenEventWait extends TopicOfTenant {
  job: number;
  /** The names of the matched fields, and a hash of their values. */
  keys: string;
  hash: string;
  since: number;
  /** The matched fields as JSON. Null: an earlier release stored the wait. */
  match: string | null;
}

/** An event as it is looked for: `at` and `id` are its place among those of its topic. */
export interface KeptEvent {
  id: number;
  at: number;
  fields: string;
}

/** What an event is filed under. Undefined: it has too many fields. */
export function filedUnder(place: TopicOfTenant, fields: Readonly<Record<string, unknown>>): string[] | undefined {
  const matchable = Object.entries(fields).filter(([, value]) => isMatchable(value));
  return matchable.length > MOST_FILED ? undefined : matchable.map(([name, value]) => entryOf(place, name, value));
}

/** The entries that an event of this match has, all of them. Undefined: an earlier release stored the wait without its match. */
export function lookedUpUnder(place: TopicOfTenant, match: string | null): string[] | undefined {
  if (match === null) return undefined;
  const fields = JSON.parse(match) as Record<string, unknown>;
  return Object.entries(fields).map(([name, value]) => entryOf(place, name, value));
}

/** The older of two events of a topic. */
export function olderOf(a: KeptEvent | undefined, b: KeptEvent | undefined): KeptEvent | undefined {
  if (!a || !b) return a ?? b;
  return a.at < b.at || (a.at === b.at && a.id < b.id) ? a : b;
}

export function isMatchable(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function entryOf({ tenant, topic }: TopicOfTenant, name: string, value: unknown): string {
  return hash("sha256", JSON.stringify([tenant, topic, name, value]), "hex").slice(0, HASH_CHARS);
}
