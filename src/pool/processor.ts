import type { ClaimedJob, LossReason } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import type { JobContext } from "./context.ts";

/** How long the code of an abandoned processor may take to return before we stop listing it. */
export const LISTED_AFTER_ERROR_MS = 600_000;

/** One processor at work: a slot of the pool, the job it holds, and how to stop it. */
export interface Busy {
  readonly slot: number;
  readonly job: ClaimedJob;
  readonly startedAt: number;
  /** Monotonic, so that a clock set forward ends nobody early. */
  readonly deadlineAt: number;
  readonly timeoutMs: number;
  /** Aborts the signal; an isolated processor is killed after its grace. */
  lose(reason: LossReason): void;
  /** The deadline passed. */
  kill(): void;
  settled: boolean;
}

/** What runs an attempt: here, or in a child process. */
export interface Runner {
  /** Why no attempt can start (a module that does not load), or undefined. */
  readonly broken: string | undefined;
  start(slot: number, job: ClaimedJob): Running;
  /** Called at every tick: watches memory, retires what is idle. */
  tick(): void;
  stop(): Promise<void>;
}

export interface Running {
  /** Always resolves; "lost" when the lease ended first. */
  outcome: Promise<Outcome | "lost">;
  lose(reason: LossReason): void;
  kill(): void;
  takeNote(): ReturnType<JobContext["takeNote"]>;
}

export type ProcessorView =
  | { slot: number; state: "idle" }
  | { slot: number; state: "busy"; jobId: string; tenant: string; since: string; deadline: string }
  | { slot: number; state: "error"; reason: string; jobId?: string; since: string };
