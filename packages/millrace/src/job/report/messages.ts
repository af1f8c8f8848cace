// What is sent to jobs that wait, and what is shown of it.

import type { StoredType, WaitState, WaitType } from "../wait.ts";
import type { Duration } from "../waiting.ts";

/** What `millrace.decide()` returns. */
export interface DecisionReceipt {
  /** The job that waited for it. */
  jobId: string;
  /** The name of the approval in the code. */
  name: string;
  /** The tenant of the job. */
  tenant: string;
}

/** Jobs that wait for something longer than jobs of their kind usually do. */
export interface LongWaitView {
  /** The kind of the jobs. */
  kind: string;
  /** The stage that waits. */
  stage: string;
  /** What they wait for. */
  type: WaitType;
  /** The name of the wait in the code. */
  name: string;
  /** How many jobs wait too long. */
  count: number;
  /** The job that waits longest. */
  jobId: string;
  /** When its wait began, as an ISO 8601 string. */
  since: string;
  /** 19 of 20 answered waits took no longer, in milliseconds. */
  usualMs: number;
}

/** The job that a signal goes to: its id, or its unique key. */
export type SignalJob<Payload = unknown> =
  | string
  | {
      /** The unique key of a live job of the kind. */
      uniqueKey: string;
      /** If no live job has the key: submits one with this payload, in the same commit. Default: `job-not-found`. */
      orSubmit?: Payload;
      /** The tenant of the job. Default: "default". */
      tenant?: string;
    };

/** Options of `millrace.signal()`. */
export interface SignalOptions {
  /** Makes a repeated signal safe: a second one with the same key to the same job changes nothing. Default: none. */
  idempotencyKey?: string;
  /** Who sent it, for people. Default: none. */
  by?: string;
}

/** What `millrace.signal()` returns. */
export interface SignalReceipt {
  /** The id of the job that has the signal. */
  jobId: string;
  /** True: the job was submitted for this signal. */
  submitted: boolean;
  /** True: the job had a signal with this idempotency key already. */
  repeated: boolean;
}

/** Options of `millrace.publish()`. */
export interface PublishOptions {
  /** The tenant whose jobs hear of the event. Default: "default". */
  tenant?: string;
  /** How long the event is kept for waits that begin later. Default: one hour. */
  keepMs?: Duration;
  /** Makes a repeated publication safe: a second one with the same key on the same topic changes nothing. Default: none. */
  idempotencyKey?: string;
}

/** What `millrace.publish()` returns. */
export interface PublishReceipt {
  /** The number of waiting jobs that it woke at once. */
  woken: number;
  /** True: the topic had an event with this idempotency key already. */
  repeated: boolean;
}

/** A decision on an approval. */
export interface ApprovalDecision {
  /** One of the choices of the approval. */
  choice: string;
  /** Who decides. */
  by: string;
  /** Words for the job and the audit list. Default: none. */
  comment?: string;
  /** Only if the approval belongs to this tenant. Default: any. */
  tenant?: string;
}

/** An approval that a job waits for. */
export interface ApprovalView {
  /** The id, such as `apr_4fQ81xZa`. */
  id: string;
  /** The job that waits for it. */
  jobId: string;
  /** The kind of the job. */
  kind: string;
  /** The tenant of the job. */
  tenant: string;
  /** The name in the code. */
  name: string;
  /** The question. */
  title: string;
  /** Information for the decision. */
  details?: unknown;
  /** The answers to choose from. */
  choices: string[];
  /** Who should decide; empty: anyone with access. */
  audience: string[];
  /** When the wait began, in ISO 8601. */
  since: string;
  /** When the wait ends without an answer, in ISO 8601. */
  until?: string;
}

/** A signal that a job was sent. */
export interface SignalView {
  /** The name of the signal. */
  name: string;
  /** Its value. */
  value: unknown;
  /** When it came, in ISO 8601. */
  at: string;
  /** Who sent it. */
  by?: string;
  /** "queued": no wait has taken it. "set-aside": its value did not fit. */
  state: "queued" | "taken" | "set-aside";
  /** Why it was set aside. */
  reason?: string;
}

/** Something that a job waits for, or waited for. */
export interface WaitView {
  /** The stage of the wait. */
  stage: string;
  /** What it waits for. */
  type: StoredType;
  /** The name in the code; `paid#2` is the second wait with the name `paid`. */
  name: string;
  /** "closed": another member of its race won, or its stage is over. */
  state: WaitState;
  /** Since when, in ISO 8601. */
  since: string;
  /** Until when at the latest, in ISO 8601. */
  until?: string;
  /** When it was answered or timed out, in ISO 8601. */
  answeredAt?: string;
  /** The answer. */
  value?: unknown;
}
