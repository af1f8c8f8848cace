// The verbs of a relay, which makes jobs of the rows of an outbox. An outbox is a table in a database of the application. One process
// relays it at a time: every apply presents the lease, and a stale one changes nothing.

import type { Failure } from "../../../job/failure.ts";
import type { Submission } from "../submission.ts";

export interface OutboxVerbs {
  /** Takes the right to relay an outbox, or keeps it. Undefined: another process has it. */
  leaseOutbox(request: OutboxLeaseRequest): Promise<OutboxLease | undefined>;
  /** Gives the right back, so that another process need not wait for its end. */
  leaveOutbox(held: HeldOutbox): Promise<void>;
  /**
   * Makes jobs of rows. The jobs and the ids of their rows are one commit, so a row that comes again is not applied
   * again. `forget` names rows that are deleted by now. A row that is refused for good becomes a dead letter.
   */
  applyOutbox(held: HeldOutbox, rows: OutboxRow[], forget: string[]): Promise<OutboxAnswer | "lease-lost">;
  /** All outboxes that processes have relayed. */
  outboxes(): Promise<OutboxState[]>;
}

/** What tells one holder of a lease from all others. */
export interface HeldOutbox {
  name: string;
  token: number;
}

export interface OutboxLeaseRequest {
  /** The identity that the database of the outbox keeps. */
  name: string;
  /** Its name for people. */
  label: string;
  /** A random string of the process. */
  holder: string;
  forMs: number;
  /** What the holder has seen. Missing: it has not looked yet. */
  seen?: OutboxSight;
}

export interface OutboxLease extends HeldOutbox {
  /** With a new token: ids that an earlier holder applied. Their rows may still be there. */
  applied: string[];
}

/** The state of an outbox. */
export interface OutboxSight {
  /** How many rows wait; counting stops at 10,000. */
  waiting: number;
  /** How long the oldest row has waited, in milliseconds. */
  oldestMs?: number;
  /** Why rows are not relayed. */
  trouble?: string;
}

/** An outbox as the store knows it. */
export interface OutboxState extends OutboxSight {
  /** The identity that its database keeps. */
  name: string;
  /** Its name for people. */
  label: string;
  /** How long ago its relay last looked, in milliseconds. */
  seenMs: number;
}

export interface OutboxRow {
  id: string;
  submission: Submission;
  /** Why the row cannot become a job. It becomes a dead letter. */
  failure?: Failure;
}

export interface OutboxAnswer {
  /** Rows that may be deleted. */
  applied: string[];
  /** Rows that are refused for the moment, and why. */
  later: { id: string; message: string }[];
  /** How many jobs were stored. */
  stored: number;
}
