// What a processor says to wait, and what it gets.

import type { StandardSchemaV1 } from "@standard-schema/spec";

/** A length of time: milliseconds, or parts that are added up, such as `{ days: 1, hours: 12 }`. */
export type Duration = number | DurationParts;

/** Parts of a duration. They are added up. */
export interface DurationParts {
  /** Milliseconds. */
  ms?: number;
  /** Seconds. */
  seconds?: number;
  /** Minutes. */
  minutes?: number;
  /** Hours. */
  hours?: number;
  /** Days of 24 hours. */
  days?: number;
}

/** How long `ctx.sleep()` waits, or until when. */
export type SleepTime = Duration | { until: Date };

/** Options of `ctx.waitForSignal()`. */
export interface SignalWaitOptions<Schema extends StandardSchemaV1 = StandardSchemaV1> {
  /**
   * Checks the value of a signal that the kind does not declare. A value that does not fit is set aside and shown with
   * the reason, and the wait goes on. Default: any JSON.
   */
  schema?: Schema;
  /** How long to wait. After this the wait gives `undefined`. Default: without limit. */
  timeout?: Duration;
}

/** Options of `ctx.waitForEvent()`. */
export interface EventWaitOptions {
  /** Up to four top-level fields that the event must have with equal values: strings, numbers or booleans. Default: any event. */
  match?: Record<string, string | number | boolean>;
  /** How long to wait. After this the wait gives `undefined`. Default: without limit. */
  timeout?: Duration;
  /** Takes events published at or after this time: a `Date` or an ISO 8601 string. Default: since the job was submitted. */
  since?: Date | string;
}

/** Options of `ctx.waitForApproval()`. */
export interface ApprovalOptions<Choice extends string = string> {
  /** The question, as people read it. */
  title: string;
  /** Any JSON that helps to decide. It is shown with the question. Default: none. */
  details?: unknown;
  /** The answers to choose from: 2 to 10 strings. */
  choices: readonly Choice[];
  /** Who should decide, such as a team or a person. A signed link names one of them. Default: anyone with access. */
  audience?: string | readonly string[];
  /** How long to wait. After this the wait gives `undefined`. Default: without limit. */
  timeout?: Duration;
}

/** The chosen answer. */
export interface Approval<Choice extends string = string> {
  /** The chosen answer. */
  choice: Choice;
  /** Who decided. */
  by: string;
  /** When it was decided: an ISO 8601 string. */
  at: string;
  /** What the person wrote. */
  comment?: string;
}

/** The answer of `ctx.race()`: the name of the member that won, and its value. */
export type RaceResult<Members extends Record<string, Promise<unknown>>> = {
  [Name in keyof Members]: {
    /** The name of the member whose wait was answered first. */
    winner: Name;
    /** The answer of that wait. */
    value: Awaited<Members[Name]>;
  };
}[keyof Members];
