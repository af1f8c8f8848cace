// What answers which wait. Both stores load the facts under the job's lock, ask here, and write.
//
// Time comes first: a wait whose time is up is over, and a signal that comes later stays for the next wait.

import { hash } from "node:crypto";
import { type EventMatch, plainName, type WaitType } from "../../job/wait.ts";

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
  /** In the order in which they came. */
  signals: readonly QueuedSignal[];
  /** The oldest first. */
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

/** A hash of the values of these fields. Undefined where the event lacks one, so that no wait for them fits. */
export function matchHash(keys: string, fields: Readonly<Record<string, unknown>>): string | undefined {
  const values: unknown[] = [];
  for (const key of JSON.parse(keys) as string[]) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
    values.push(value);
  }
  return hash("sha256", JSON.stringify(values), "hex").slice(0, 32);
}
