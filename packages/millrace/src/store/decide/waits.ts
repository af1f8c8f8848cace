// What answers which wait. Both stores load the facts under the job's lock, ask here, and write.
//
// Time comes first: a wait whose time is up is over, and a signal that comes later stays for the next wait.

import { hash } from "node:crypto";
import { type EventMatch, type NewWait, plainName, type WaitType } from "../../job/wait.ts";
import { RUNNING, SCHEDULED } from "../codes.ts";
import type { JobRow } from "../rows/job-row.ts";
import { WAITING } from "../waits/codes.ts";
import { isMatchable } from "./waits/filed-events.ts";

/** A stored wait without an answer. */
export interface OpenWait {
  id: number;
  type: WaitType;
  name: string;
  until: number | null;
}

export interface QueuedSignal {
  id: number;
  name: string;
  value: string;
}

/** An event that fits the wait and that the job has not had. */
export interface FittingEvent {
  wait: number;
  id: number;
  fields: string;
}

export type WaitAnswer =
  | { wait: number; type: "timed-out" }
  | { wait: number; type: "signal"; source: number; value: string }
  | { wait: number; type: "event"; source: number; value: string };

export interface WaitFacts {
  waits: readonly OpenWait[];
  /** The queued signals, in the order in which they came. */
  signals: readonly QueuedSignal[];
  /** The fitting events, the oldest first. */
  events: readonly FittingEvent[];
  now: number;
}

export function answersOf({ waits, signals, events, now }: WaitFacts): WaitAnswer[] {
  const taken = new Set<number>();
  const answers: WaitAnswer[] = [];
  for (const wait of waits) {
    if (wait.until !== null && wait.until <= now) {
      answers.push({ wait: wait.id, type: "timed-out" });
    } else if (wait.type === "signal") {
      const signal = signals.find(({ id, name }) => name === plainName(wait.name) && !taken.has(id));
      if (!signal) continue;
      taken.add(signal.id);
      answers.push({ wait: wait.id, type: "signal", source: signal.id, value: signal.value });
    } else if (wait.type === "event") {
      const event = events.find((each) => each.wait === wait.id);
      if (event) answers.push({ wait: wait.id, type: "event", source: event.id, value: event.fields });
    }
  }
  return answers;
}

/** The names of the fields to match, as they are stored: sorted, so that equal sets are equal strings. */
export function matchKeys(match: EventMatch["match"]): string {
  return JSON.stringify(Object.keys(match).sort());
}

/** A hash of the values of these fields. Undefined: the event lacks one of them, so it fits no wait for them. */
export function matchHash(keys: string, fields: Readonly<Record<string, unknown>>): string | undefined {
  const values: unknown[] = [];
  for (const key of JSON.parse(keys) as string[]) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!isMatchable(value)) return undefined;
    values.push(value);
  }
  return hash("sha256", JSON.stringify(values), "hex").slice(0, 32);
}

/** What is stored of a wait when it starts, beside its job, its type and its name. */
export interface WaitStart {
  until: number | null;
  topic: string | null;
  match_keys: string | null;
  match_hash: string | null;
  published_since: number | null;
  /** Of an approval: what is asked. Of an event: the match. */
  details: string | null;
}

export function waitStart(
  { until, timeoutMs, event, details }: NewWait,
  { submittedAt, now }: { submittedAt: number; now: number },
): WaitStart {
  const end = { until: until ?? (timeoutMs === undefined ? null : now + timeoutMs), details: details ?? null };
  if (!event) return { ...end, topic: null, match_keys: null, match_hash: null, published_since: null };
  const { topic, match, since = submittedAt } = event;
  const keys = matchKeys(match);
  return {
    ...end,
    topic,
    match_keys: keys,
    match_hash: matchHash(keys, match) ?? null,
    published_since: since,
    details: JSON.stringify(match),
  };
}

/** Open waits that the attempt which is suspended did not come to. They rest until an attempt does. */
export function notReached(open: readonly OpenWait[], reached: readonly NewWait[]): OpenWait[] {
  const wanted = new Set(reached.map(({ type, name }) => `${type} ${name}`));
  return open.filter(({ type, name }) => !wanted.has(`${type} ${name}`));
}

/** When the first of these waits ends without an answer. Undefined: none of them does. */
export function firstEnd(open: readonly OpenWait[]): number | undefined {
  const ends = open.flatMap(({ until }) => (until === null ? [] : [until]));
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** The job, if a call that came after the suspension of its attempt wakes it. */
export function lateWake<Row extends Pick<JobRow, "token" | "standing" | "flags">>(
  row: Row | undefined,
  token: number,
): Row | "running" | "lease-lost" {
  if (row?.token !== token) return "lease-lost";
  if (row.standing === RUNNING) return "running";
  return row.standing === SCHEDULED && row.flags & WAITING ? row : "lease-lost";
}
