// The verbs about jobs that need no lease: submit them, change them, read them.

import type { Artifact } from "../../job/artifact.ts";
import type { Attempt, Job } from "../../job/job.ts";
import type { DeadLetterCause } from "../../job/report/cause-page.ts";
import type { LogLine, Step } from "./attempts.ts";
import type { Circumstances } from "./circumstances.ts";
import type { JobFilter } from "./job-filter.ts";
import type { RefusalCode, Submission, SubmitAnswer } from "./submission.ts";

export interface JobVerbs {
  /**
   * Stores submissions in one transaction. A refused submission does not affect the others; the jobs of one submission
   * are stored all or none.
   */
  submit(submissions: Submission[]): Promise<SubmitAnswer[]>;
  /**
   * Cancels pending and running jobs in one commit: state, token and limit slot together. With `unlessJoined`, a job that a
   * second submission has joined is left alone and answered with a conflict.
   */
  cancel(jobIds: string[], reason: string, options?: { unlessJoined?: boolean }): Promise<CancelAnswer[]>;
  /** Ends a hold. An answer (JSON) is stored in the same commit, as a step of the held stage: `released:1`, `released:2` ... */
  release(jobId: string, answer?: string): Promise<ControlAnswer>;
  /** Changes a pending job; its payload only if it was never claimed. The answer is the job after the change. */
  update(jobId: string, change: JobUpdate): Promise<UpdateAnswer>;
  /** Puts the work of a failed or cancelled job back, as a new job. */
  revive(jobId: string, options: ReviveOptions): Promise<ReviveAnswer>;
  /** Deletes finished jobs and everything that belongs to them. */
  forget(jobIds: string[]): Promise<ControlAnswer[]>;
  /** The jobs with these ids, in the same order. Unknown ids are left out. */
  find(jobIds: string[]): Promise<Job[]>;
  /** Jobs, newest first. */
  list(filter: JobFilter): Promise<Job[]>;
  count(filter: JobFilter): Promise<number>;
  /** Ids for an act on many jobs, oldest first (dead letters by their failure), without reading the jobs themselves. */
  listIds(filter: JobFilter, limit: number): Promise<string[]>;
  /** Dead letters, the newest failure first. `standings` has no effect here. */
  deadLetters(filter: JobFilter, page: { limit: number; offset: number }): Promise<{ jobs: Job[]; total: number }>;
  /** Dead letters with the same kind, stage and failure, the most frequent group first, 100 groups at most. */
  deadLetterGroups(filter: JobFilter): Promise<DeadLetterGroup[]>;
  /** All dead letters that match, by their cause, in no order. */
  deadLetterCauses(filter: JobFilter): Promise<DeadLetterCause[]>;
  /** Everything that decides whether the job may run, read at one moment. */
  circumstances(jobId: string): Promise<Circumstances | undefined>;
  /** All attempts at all stages, oldest first. */
  attempts(jobId: string): Promise<Attempt[]>;
  logs(jobId: string, options: { afterId?: number; limit: number }): Promise<(LogLine & { id: number })[]>;
  steps(jobId: string): Promise<Step[]>;
  /** The artifacts of a job, sorted by name. */
  artifacts(jobId: string): Promise<ArtifactInfo[]>;
  artifact(jobId: string, name: string): Promise<Artifact | undefined>;
}

/** An artifact without its bytes. */
export interface ArtifactInfo {
  /** The name that the processor gave it. */
  name: string;
  /** The media type that the processor gave it. */
  contentType: string;
  /** The size in bytes. */
  size: number;
}

export type ControlAnswer = "done" | "not-found" | { conflict: string };

/** `running` is the lease that was ended, so that its processor hears of it at once. */
export type CancelAnswer =
  | ControlAnswer
  | { running: RunningLease }
  /** The job undoes what it did. With `running`, its processor first finishes the steps that are under way. */
  | { undoing: true; running?: RunningLease };

export interface RunningLease {
  jobId: string;
  token: number;
}

/** `accepted` is the new job as it was committed, before any processor could claim it. */
export type ReviveAnswer =
  | { revived: string; accepted: Job }
  | { conflict: string; code: "conflict" | RefusalCode; jobId?: string }
  | "not-found";

/** Changes to a pending job. Missing fields stay as they are. */
export interface JobUpdate {
  payload?: string;
  /** The start time, in milliseconds since 1970. */
  runAt?: number;
  priority?: number;
  tags?: string[];
}

export type UpdateAnswer = { updated: Job } | { conflict: string } | "not-found";

export interface ReviveOptions {
  /** A new payload. Default: the old one. */
  payload?: string;
  from: "failed-stage" | "start";
  uniqueKey?: string;
  /** The concurrency key of the new payload; null: it has none. Default: that of the old job. */
  concurrencyKey?: string | null;
  /** When the new job may run, so that many revived jobs do not run at once. Default: 0. */
  delayMs?: number;
}

/** Dead letters of the same stage that failed for the same reason. */
export interface DeadLetterGroup {
  /** The kind. */
  kind: string;
  /** The stage that failed. */
  stage: string;
  /** The code of the failure. */
  code: string;
  /** The message of the failure. */
  message: string;
  /** The number of dead letters. */
  count: number;
  /** When the first one failed, in milliseconds since 1970. */
  firstAt: number;
  /** When the latest one failed, in milliseconds since 1970. */
  lastAt: number;
  /** The id of the newest one. */
  sample: string;
}
