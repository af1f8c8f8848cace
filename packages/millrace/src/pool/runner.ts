import type { ClaimedJob, LossReason } from "../job/lease.ts";
import type { Note } from "../store/verbs/attempts.ts";
import type { Completion } from "./context/step-transactions.ts";
import type { AttemptEnd } from "./outcome.ts";

/** Runs the attempts of a stage: in this process (run/inline-runner.ts) or in child processes (child/runner.ts). */
export interface AttemptRunner {
  /** Why no attempt can start, such as a module that does not load; undefined if nothing is wrong. */
  readonly broken: string | undefined;
  /** Whether it is broken only because its processes are not ready yet. A starved machine is not an unhealthy one. */
  readonly startsSlowly: boolean;
  /** How long a process may take to start and load its module, before the job's own time counts. 0 in this process. */
  readonly startMs: number;
  /** Calls `returned` once, when the code has ended, whatever happens. */
  start(job: ClaimedJob, returned: (end: AttemptEnd) => void): AttemptControl;
  /** Called ten times a second: watches memory, ends processes that are idle. */
  tick(): void;
  stop(): Promise<void>;
}

/** One attempt under way. */
export interface AttemptControl {
  /** Aborts the signal. An isolated processor is killed after its grace. */
  lose(reason: LossReason): void;
  /** Ends the attempt of a cancelled job that has steps to undo: steps under way are finished first. */
  windDown(): void;
  /** The deadline passed: an isolated processor is killed, an inline one only sees its signal aborted. */
  kill(): void;
  /** When its work began, by the monotonic clock; undefined while its process still starts or loads its module. */
  readonly workingSince: number | undefined;
  time(): WorkTime;
  /** Lowers the priority of an isolated processor, because the attempt takes long. */
  slowDown(): void;
  /** A transaction of the processor has ended the attempt. Missing in processors of their own process. */
  readonly completion?: Completion | undefined;
  /** Progress and log lines that are not written yet. */
  drainNote(): Note | undefined;
}

export interface WorkTime {
  /** How long ago the work began, without the time in which it was ready to run and no CPU was free. */
  workMs: number;
  /** How much of that it used the CPU, rather than waited; missing where the system does not tell. */
  ranMs?: number;
}

/** What one processor of a pool does. "error": its last attempt hangs or its module does not load. */
export type ProcessorView =
  | { slot: number; state: "idle" }
  | { slot: number; state: "busy"; jobId: string; tenant: string; since: string; deadline: string }
  | { slot: number; state: "error"; reason: string; jobId?: string; since: string };
