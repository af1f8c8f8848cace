import type { ClaimedJob, LossReason } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import type { Note } from "../store/store.ts";

/** What runs the attempts of a stage: here, or in child processes. */
export interface Runner {
  /** Why no attempt can start (a module that does not load), or undefined. */
  readonly broken: string | undefined;
  /** That is for want of time alone: its processes are alive and not ready yet. A starved machine is not an unhealthy one. */
  readonly startsSlowly: boolean;
  /** For a process to start and to load what a job needs, before the job's own time counts. 0 where it runs in this process. */
  readonly startMs: number;
  /** `ended` is called once, whatever happens; "lost" when the lease ended first. */
  start(job: ClaimedJob, ended: (outcome: Outcome | "lost") => void): Running;
  /** Called ten times a second: watches memory, retires what is idle. */
  tick(): void;
  stop(): Promise<void>;
}

export interface WorkTime {
  /** How long ago its work began, without the time in which it was ready to go on and no processor was free. */
  workMs: number;
  /** How much of that it ran, rather than waited for something; missing where nobody can tell. */
  ranMs?: number;
}

/** One attempt under way. */
export interface Running {
  /** Aborts the signal; an isolated processor is killed after its grace. */
  lose(reason: LossReason): void;
  /** The deadline passed: an isolated processor is killed, an inline one can only be told. */
  kill(): void;
  /** When its work began, monotonic; undefined while its process still starts or loads what it needs. */
  readonly workingSince: number | undefined;
  time(): WorkTime;
  /** It takes long: an isolated processor lets others go first. */
  slowDown(): void;
  /** Progress and log lines not yet written. */
  takeNote(): Note | undefined;
}

/** What one processor of a pool does. "error": its last attempt hangs or its module does not load. */
export type ProcessorView =
  | { slot: number; state: "idle" }
  | { slot: number; state: "busy"; jobId: string; tenant: string; since: string; deadline: string }
  | { slot: number; state: "error"; reason: string; jobId?: string; since: string };
