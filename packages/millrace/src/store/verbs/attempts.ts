// The verbs of a processor: it claims jobs, works under their leases, and settles them. Every verb that writes presents its lease.
// A stale lease changes nothing and is answered with "lease-lost".

import type { Failure } from "../../job/failure.ts";
import type { Standing } from "../../job/job.ts";
import type { Pace } from "../../job/kind/pace.ts";
import type { ClaimedJob, Lease, WriteAnswer } from "../../job/lease.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import type { NewWait } from "../../job/wait.ts";
import type { FollowUps, RefusedSettlement } from "./follow-ups.ts";

export interface AttemptVerbs {
  /** Gives the free processors of a stage their next jobs, each with a lease. */
  claim(request: ClaimRequest): Promise<ClaimAnswer>;
  /** Extends the leases of this process. Returns those of `leases` that it still holds. */
  renew(leases: Lease[]): Promise<Lease[]>;
  /**
   * Records the outcome of an attempt and ends its lease, with everything that follows from it, in one transaction. With
   * `followUps`, steps and further jobs are written in the same transaction.
   */
  settle(lease: Lease, outcome: Outcome, followUps?: FollowUps): Promise<SettleAnswer>;
  /**
   * Asks whether the lease still holds, before anything that cannot be undone. Renews the lease if little of it is
   * left.
   */
  confirm(lease: Lease): Promise<ConfirmAnswer>;
  /** Stores progress and log lines. */
  note(lease: Lease, note: Note): Promise<WriteAnswer>;
  /** The steps that this stage of the job has stored. */
  storedSteps(lease: Lease): Promise<Step[] | "lease-lost">;
  /** The first job of the chain of revivals that this one continues; without one the job itself. */
  firstJob(lease: Lease): Promise<string | "lease-lost">;
  /**
   * Stores a step, and with it the starts of waits and the name of the handler that undoes it. The same value again is the
   * same step; another value under its name throws `step-name-reused`. It also confirms the lease, so that the next step of
   * the attempt can begin without a call of its own.
   */
  saveStep(lease: Lease, name: string, value: string, more?: StepExtras): Promise<ConfirmAnswer>;
  /** A step that can be undone is about to run: from now on a cancellation waits for it. */
  beginUndoable(lease: Lease): Promise<WriteAnswer>;
  /** The steps of this stage whose undo handlers have not run, in the order in which they are undone. */
  undosLeft(lease: Lease): Promise<UndoStep[] | "lease-lost">;
  /** Stores bytes with the job. A second artifact of the same name replaces the first. */
  keepArtifact(lease: Lease, artifact: NewArtifact): Promise<WriteAnswer>;
  /** Gives the job a unique key until it ends, unless another live job of its kind and tenant has the key. */
  acquireUnique(lease: Lease, key: string): Promise<UniqueKeyAnswer>;
}

export interface ClaimRequest {
  kind: string;
  stage: string;
  /** Earlier names of the stage. Jobs that wait under these names are claimed too. */
  renamedFrom?: string[];
  /** The free processors. At most one job for each is claimed. */
  slots: number[];
  /** How many suspects (jobs with two or more crashes) may be among them. */
  suspects: number;
  /** The group of suspects that they join. Default: any number may run together, because each has a process of its own. */
  group?: SuspectGroupState;
  /** Whether an odd processor goes to the suspects if both they and other jobs wait. Default: true. */
  suspectsFirst?: boolean;
  pace?: Pace;
  /** The time limit of an attempt if the job sets none. The store enforces it even while the main loop is blocked. */
  timeoutMs?: number;
  retryTimeouts?: boolean;
}

export interface ClaimAnswer {
  jobs: ClaimedJob[];
  /** When the next claim may find more: when the next scheduled job is due, or when the pace allows the next start. */
  nextAt?: number;
  /** Whether more suspects wait than the request allowed. */
  suspectsWait?: true;
  /** With `suspectsWait`: when a process with running jobs was last found dead; 0 means never. */
  lastDeathAt?: number;
}

/** The suspects that run in the process that claims. */
export interface SuspectGroupState {
  running: number;
  /** The last death that this process knows of. After a later one it gets no suspects until it has heard of it. */
  lastDeathAt?: number;
}

export type SettleAnswer = SettleResult | RefusedSettlement;

/** The answer to a settlement without follow-ups, which is never refused. */
export type SettleResult =
  | { written: "lease-lost" }
  /**
   * `forgotten`: the kind keeps no jobs, and this one was deleted as it settled. `jobIds`: the jobs of the follow-ups, in their
   * order; one that existed before has its id here too.
   */
  | {
      written: "written";
      standing: Standing;
      nextStage?: string;
      runAt?: number;
      forgotten?: true;
      jobIds?: string[];
      /** The job that goes on in its place, after `ctx.continueAsNew()`. */
      successor?: string;
      /** Why a job ended that undid its steps. */
      failure?: Failure;
    };

/** No other process gets the job within `forMs`, counted from the call. */
export type ConfirmAnswer = "lease-lost" | { forMs: number };

export interface Note {
  progress?: { value: number; message?: string };
  logs?: LogLine[];
  /** Whether the note was sent before, without an answer. Lines that are stored already are not written twice. */
  again?: boolean;
}

/** One line that a processor wrote with `ctx.log`. */
export interface LogLine {
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** The level of the line. */
  level: "debug" | "info" | "warn" | "error";
  /** The logged message. */
  message: string;
  /** The data of the line, as JSON text. */
  data?: string;
}

/** The stored result of `ctx.step()`. */
export interface Step {
  /** The stage that the step belongs to. */
  stage: string;
  /** The name of the step. */
  name: string;
  /** The result, as JSON text. */
  value: string;
  /** When it was stored, in milliseconds since 1970. */
  savedAt: number;
}

/** What is stored in the same commit as a step. */
export interface StepExtras {
  /** The handler that undoes it. */
  undo?: string;
  /** Waits that the attempt has started. Their time counts from here. */
  waits?: NewWait[];
}

/** A step to undo. */
export interface UndoStep {
  name: string;
  handler: string;
  /** The stored result, as JSON text. */
  value: string;
}

/** "held": the job had the key before. "taken": it has the key from now on. An object: the job that has the key. */
export type UniqueKeyAnswer = "held" | "taken" | "lease-lost" | UniqueKeyHolder;

export interface UniqueKeyHolder {
  jobId: string;
  /** How long ago the calling job was submitted. */
  waitedMs: number;
}

/** Bytes that a job produced, to be stored with it under a name. */
export interface NewArtifact {
  /** The name that the processor gave it. */
  name: string;
  /** The media type that the processor gave it. */
  contentType: string;
  /** The bytes themselves. */
  bytes: Uint8Array;
}
