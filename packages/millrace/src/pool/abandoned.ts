import type { Clock } from "../lib/clock.ts";
import type { RunningAttempt } from "./attempt-state.ts";
import type { ProcessorView } from "./runner.ts";

/** How long the code of an abandoned processor may take to return before it is no longer listed. */
const LISTED_MS = 600_000;

interface AbandonedAttempt {
  readonly jobId: string;
  readonly reason: string;
  /** When it was abandoned, by the wall clock. */
  readonly since: number;
  /**
   * From this time on it counts as hanging. The code of a cancelled job may end in its own time, until its deadline.
   */
  readonly hangsFrom: number;
  readonly listedUntil: number;
}

/** Code in this process that still runs though its attempt has ended: past its deadline, or its lease is gone. */
export class AbandonedProcessors {
  readonly #clock: Clock;
  readonly #bySlot = new Map<number, AbandonedAttempt>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add({ slot, job, abandonedFor = "", deadlineAt }: RunningAttempt): void {
    this.#bySlot.set(slot, {
      jobId: job.lease.jobId,
      reason: abandonedFor,
      since: this.#clock.now(),
      hangsFrom: deadlineAt,
      listedUntil: this.#clock.monotonic() + LISTED_MS,
    });
  }

  /** Call this when the code has returned. Returns false if the slot was not abandoned. */
  returned(slot: number): boolean {
    return this.#bySlot.delete(slot);
  }

  tick(): void {
    const now = this.#clock.monotonic();
    for (const [slot, { listedUntil }] of this.#bySlot) if (now >= listedUntil) this.#bySlot.delete(slot);
  }

  get count(): number {
    return this.#bySlot.size;
  }

  get hanging(): number {
    if (this.#bySlot.size === 0) return 0;
    const now = this.#clock.monotonic();
    return [...this.#bySlot.values()].filter(({ hangsFrom }) => now >= hangsFrom).length;
  }

  views(): ProcessorView[] {
    return [...this.#bySlot].map(([slot, { reason, jobId, since }]) => ({
      slot,
      state: "error",
      reason,
      jobId,
      since: new Date(since).toISOString(),
    }));
  }
}
