import type { ClaimedJob } from "../job/lease.ts";
import type { Note, SettleResult } from "../store/verbs/attempts.ts";
import type { WorkSpan } from "../telemetry/spans.ts";
import type { AttemptEnd } from "./outcome.ts";
import type { AttemptControl } from "./runner.ts";

/** One processor at work on one job. */
export class RunningAttempt {
  readonly job: ClaimedJob;
  readonly timeoutMs: number;
  readonly span: WorkSpan | undefined;
  /** When it started, by the monotonic clock, so that a change of the wall clock ends no attempt early. */
  readonly startedAt: number;
  /**
   * Its deadline, by the monotonic clock. It moves to an earlier time when the work of an isolated processor begins.
   */
  deadlineAt: number;
  /** Whether it has one of the places for slow attempts. Its slot is then free for another attempt. */
  isSlow = false;
  /** Whether the job was cancelled and its steps under way are finished first. */
  isWindingDown = false;
  running: AttemptControl | undefined;
  /** Whether its code has ended, perhaps after the attempt. */
  hasReturned = false;
  /** Why the attempt ended before its code did; undefined if the code ended it. */
  abandonedFor: string | undefined;
  runMs = 0;
  /** How a transaction of its processor has settled the attempt, if one has. */
  settled: SettleResult | undefined;
  /** The last progress and log lines. */
  note: Note | undefined;
  /** How the attempt ended. It resolves once and never rejects. */
  readonly end: Promise<AttemptEnd>;
  #resolve: ((end: AttemptEnd) => void) | undefined;
  #isOver = false;

  constructor(
    job: ClaimedJob,
    options: { span: WorkSpan | undefined; timeoutMs: number; startMs: number; now: number },
  ) {
    this.job = job;
    this.span = options.span;
    this.timeoutMs = options.timeoutMs;
    this.startedAt = options.now;
    this.deadlineAt = options.now + options.timeoutMs + options.startMs;
    this.end = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get slot(): number {
    return this.job.lease.slot;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * The first end counts, unless a transaction has completed the stage before. The note is drained now, because a lost
   * lease drops it.
   */
  finish(given: AttemptEnd, abandonedFor?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { completion } = this.running ?? {};
    this.settled = completion?.settled;
    const end = completion?.outcome ?? given;
    this.abandonedFor = abandonedFor;
    if (end !== "lost") this.note = this.running?.drainNote();
    this.#resolve?.(end);
  }
}
