// What `submit` takes and answers.

import type { StoredOptions } from "../../job/options/submit-options.ts";

export interface Submission {
  tenant: string;
  jobs: NewJob[];
  idempotency?: { key: string; fingerprint: string };
  /** True: the jobs pass the limits on the queue, the rate and the tenant, though they count toward them. */
  isExempt?: true;
}

/** A job to store: its kind, its payload and the options that were passed for it. */
export interface NewJob extends StoredOptions {
  kind: string;
  payload: string;
  uniqueKey?: string;
  /**
   * What happens if a live job, or one earlier in the same submission, has the unique key.
   * "join": nothing is stored, the answer is the id of that job, and the job counts as joined. No limit is used up.
   * "follow": the job is stored without the key, to run a quarter of a second later, when the work is probably done. Its processor
   * asks for the key with `acquireUnique`.
   * "replace": the job that waits for its first claim gets the payload and the time of this one. If the live job was claimed before,
   * this one is stored as its follower, of which each key has one. "extend": the same, but the waiting job keeps its payload.
   * Default: the submission is refused.
   */
  ifUnique?: "join" | "follow" | "replace" | "extend";
  /** With "replace" and "extend": the job starts this long after the first of these submissions at the latest. */
  latestMs?: number;
  /** Until this long after the job, submissions with the same key are answered with its id, even if it has ended. */
  throttle?: { key: string; perMs: number };
  /**
   * The result is known, and the shared artifact `share` holds it. The job is stored as completed, without room in the queue and
   * without a unique key, and refers to the artifact. If the artifact is gone by now, the job is stored like any other.
   */
  completed?: { result: string; share: string };
  /** What the job has beside its row from the start (store/children/codes.ts). Only a store sets it; such a job starts on the twin. */
  flags?: number;
}

/** By the index of the job. The ids of "replaced" and "extended" existed before; "follows" is a new job. */
export type LastWays = Readonly<Record<number, LastWay>>;
export type LastWay = "replaced" | "extended" | "follows";

export type SubmitAnswer =
  /**
   * `joined`: the indexes of the jobs that existed before. `ways`: how those were accepted that were neither new nor joined, by
   * their index. `completed`: the indexes of the jobs stored as completed. `plans`: by kind, the stages of its jobs if they got
   * another plan than this process registered.
   */
  | {
      type: "accepted";
      jobIds: string[];
      at: number;
      joined?: number[];
      ways?: LastWays;
      completed?: number[];
      plans?: Record<string, string[]>;
    }
  /** The same idempotency key and body came before. The jobs, time, trace and joined indexes are those of the first answer. */
  | { type: "replayed"; jobIds: string[]; at: number; traceId?: string; joined?: number[]; ways?: LastWays }
  | { type: "refused"; code: RefusalCode; message: string; jobId?: string; retryAfterMs?: number };

export type RefusalCode =
  | "idempotency-conflict"
  | "already-queued"
  | "already-processing"
  | "in-other-stage"
  | "rate-limited"
  | "tenant-busy"
  | "backpressure"
  | "key-busy"
  | "kind-unknown"
  | "invalid-request"
  | "disk-full";
