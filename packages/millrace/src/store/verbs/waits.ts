// The verbs of waits: what a job waits for, and what it is sent.

import type { Lease, WriteAnswer } from "../../job/lease.ts";
import type { StoredType, StoredWait, WaitType } from "../../job/wait.ts";
import type { RefusalCode, Submission } from "./submission.ts";

export interface WaitVerbs {
  /**
   * Runs at the start of an attempt, in one commit: ends waits whose time is up, gives queued signals and kept events
   * to open waits, and reads all waits of the stage.
   */
  resume(lease: Lease): Promise<StoredWait[] | "lease-lost">;
  /**
   * Code beside a wait made a call on `ctx` after its attempt was suspended. Wakes the job if it still waits from that attempt. The
   * next `resume` gives the call. "running": the suspension is not stored yet.
   */
  wakeLate(lease: Lease, call: string): Promise<WriteAnswer | "running">;
  /** The signal that answered this wait does not fit: it is set aside with the reason, and the wait goes on. */
  setAside(lease: Lease, name: string, reason: string): Promise<StoredWait | "lease-lost">;
  /** Stores the winner of a race and closes the other waits, in one commit. */
  decideRace(lease: Lease, race: DecidedRace): Promise<WriteAnswer>;
  /** Sends a value to a job. It is kept until a wait of the job takes it. */
  signal(signal: NewSignal): Promise<SignalAnswer>;
  /** Sends an event to all jobs of the tenant that wait for its topic. The event is kept for waits that begin later. */
  publish(publication: Publication): Promise<PublishAnswer>;
  /** Answers an approval; only the first decision counts. */
  decideApproval(decision: Decision): Promise<DecideAnswer>;
  /** Open approvals, the oldest first. `afterId` is the last of the previous page. */
  approvals(filter: ApprovalFilter): Promise<OpenApproval[]>;
  findApproval(id: string): Promise<OpenApproval | undefined>;
  /** The signals of a job, oldest first. */
  signals(jobId: string): Promise<KeptSignal[]>;
  /** Open waits that last longer than waits of their kind and name usually do, in groups, the longest first. */
  longWaits(filter: LongWaitFilter): Promise<LongWait[]>;
  /** All waits of a job, also those that are over, in the order in which they began. */
  waits(jobId: string): Promise<WaitOfJob[]>;
}

export interface DecidedRace {
  name: string;
  /** `{ winner, value }` as JSON. */
  value: string;
  closes: { type: StoredType; name: string }[];
}

/** The job by its id, or by its unique key, because a sender may know the order and not the job. */
export type SignalTarget =
  | { jobId: string }
  /** `orSubmit`: submitted in the same commit if no live job has the key. */
  | { kind: string; tenant: string; uniqueKey: string; orSubmit?: Submission };

export interface NewSignal {
  target: SignalTarget;
  name: string;
  /** The value, as JSON. */
  value: string;
  /** The name of the sender. */
  by?: string;
  /** A second signal with the same key to the same job changes nothing. */
  key?: string;
}

export type SignalAnswer =
  | { type: "kept"; jobId: string; submitted?: true; repeated?: true }
  | { type: "not-found" }
  | { type: "finished"; jobId: string; state: string }
  | { type: "refused"; code: RefusalCode | "too-many-signals"; message: string; retryAfterMs?: number };

/** An event: a value for every job of the tenant that waits for its topic. */
export interface Publication {
  tenant: string;
  topic: string;
  /** The fields, as a JSON object. */
  fields: string;
  keepMs: number;
  /** A second publication with the same key on the same topic changes nothing. */
  key?: string;
}

export interface PublishAnswer {
  /** How many waiting jobs it woke at once. */
  woken: number;
  repeated: boolean;
}

export interface Decision {
  approval: string;
  choice: string;
  by: string;
  comment?: string;
  /** Only an approval of this tenant. */
  tenant?: string;
}

export type DecideAnswer =
  | { type: "decided"; jobId: string; name: string; tenant: string }
  | { type: "not-found" }
  | { type: "conflict"; message: string }
  | { type: "invalid"; message: string };

export interface ApprovalFilter {
  tenant?: string;
  jobId?: string;
  afterId?: string;
  limit: number;
}

export interface OpenApproval {
  id: string;
  jobId: string;
  kind: string;
  tenant: string;
  name: string;
  /** `{ title, details, choices, audience }` as JSON. */
  details: string;
  since: number;
  until?: number;
  /** Whether the approval still waits: false if it was decided, timed out or closed. */
  isOpen: boolean;
}

export interface LongWaitFilter {
  tenant?: string;
}

/** Open waits of one name that last longer than it usually does. */
export interface LongWait {
  kind: string;
  stage: string;
  type: WaitType;
  /** The name in the code. */
  name: string;
  /** How many jobs wait too long. */
  count: number;
  /** The job that waits longest, and since when. */
  jobId: string;
  since: number;
  /** 19 of 20 answered waits took no longer. */
  usualMs: number;
}

export interface WaitOfJob extends StoredWait {
  stage: string;
}

/** A signal as it is kept. */
export interface KeptSignal {
  name: string;
  value: string;
  at: number;
  by?: string;
  state: "queued" | "taken" | "set-aside";
  reason?: string;
}
