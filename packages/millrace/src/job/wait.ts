/** What a job can wait for without holding a processor, a lease or a slot of its tenant. */
export type WaitType = "sleep" | "signal" | "event" | "approval" | "children" | "hold" | "after" | "leader";

/** What a job can wait for, and its concurrency key. */
export type CurrentWaitType = WaitType | "key";

export const WAIT_TYPES = [
  "sleep",
  "signal",
  "event",
  "approval",
  "children",
  "hold",
  "after",
  "key",
  "leader",
] as const satisfies readonly CurrentWaitType[];

/** Something that a job waits for now. Times are milliseconds since 1970. */
export interface CurrentWait {
  type: CurrentWaitType;
  name?: string;
  since: number;
  until?: number;
}

/**
 * A race is stored as a wait is: under its name, with the answer that its winner gave. So is a job that was submitted and that
 * nothing waits for. Nothing waits for either by itself.
 */
export type StoredType = WaitType | "race" | "submitted";

/**
 * A call on `ctx` that came after the attempt was suspended. It is stored beside the waits until the next attempt, which is not
 * suspended before it has come to the same call.
 */
export const LATE_CALL = "call";

/** A wait as its attempt starts it. The store counts `timeoutMs` from the commit that stores the start. */
export interface NewWait {
  type: WaitType;
  /** Unique among the waits of its type in the stage: `paid`, and `paid#2` for the second call with that name. */
  name: string;
  /** When it ends at the latest, in milliseconds since 1970. At most one of `until` and `timeoutMs` is there. */
  until?: number;
  timeoutMs?: number;
  /** Of an event: which ones it takes. */
  event?: EventMatch;
  /** Of an approval: what people see, as JSON. */
  details?: string;
}

/** The events that a wait takes. */
export interface EventMatch {
  topic: string;
  /** The fields that must be equal, by name. */
  match: Record<string, string | number | boolean>;
  /** Published at or after this time, in milliseconds since 1970. Missing: since the job was submitted. */
  since?: number;
}

/**
 * open ──signal, event, decision, end of all children──▶ answered
 *  │ └──its time is up──▶ timed-out
 *  └──another member of its race won──▶ closed
 */
export type WaitState = "open" | "answered" | "timed-out" | "closed";

/** A wait as the store gives it. */
export interface StoredWait {
  type: StoredType;
  name: string;
  state: WaitState;
  /** When its start was stored, in milliseconds since 1970. */
  since: number;
  until?: number;
  /** When it was answered or timed out. */
  answeredAt?: number;
  /** The answer as JSON. */
  value?: string;
}

/** The name that the code gave: `paid` of `paid#2`. A signal goes by it. */
export function plainName(name: string): string {
  const at = name.lastIndexOf("#");
  return at < 0 ? name : name.slice(0, at);
}

export function isLateCall({ type }: { type: string }): boolean {
  return type === LATE_CALL;
}
