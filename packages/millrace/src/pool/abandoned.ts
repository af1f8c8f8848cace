import type { ClaimedJob } from "../job/lease.ts";
import type { Clock } from "../lib/clock.ts";
import type { ProcessorView } from "./processor.ts";

/** How long the code of an abandoned processor may take to return before we stop listing it. */
const LISTED_MS = 600_000;

interface Abandoned {
  readonly jobId: string;
  readonly reason: string;
  readonly since: number;
  /** From here on it counts as hanging: a cancelled job may end in its own time, until its deadline. */
  readonly hangsFrom: number;
  readonly listedUntil: number;
}

/** Code in this process that still runs though its work no longer counts: past its deadline, or its lease is gone. */
export class AbandonedProcessors {
  readonly #clock: Clock;
  readonly #bySlot = new Map<number, Abandoned>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(slot: number, job: ClaimedJob, reason: string, hangsFrom: number): void {
    const listedUntil = this.#clock.monotonic() + LISTED_MS;
    this.#bySlot.set(slot, { jobId: job.lease.jobId, reason, since: this.#clock.now(), hangsFrom, listedUntil });
  }

  /** Its code has returned. */
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
