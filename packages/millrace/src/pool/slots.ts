// The slots of a pool, one for each processor:
//
//   free ──claim──▶ busy ──end──▶ free
//                     ├──slow──▶ it keeps running in one of the places for slow attempts, and a new slot is added
//                     └──abandoned──▶ its code still runs though its attempt has ended: the slot is listed as `error`
//                        until the code returns, and a new slot takes its place
//
// A child process can be killed, so only slots of inline stages are abandoned.

import { isSuspect } from "../job/crash.ts";
import type { Clock } from "../lib/clock.ts";
import { AbandonedProcessors } from "./abandoned.ts";
import type { RunningAttempt } from "./attempt-state.ts";
import type { Claimer } from "./claimer.ts";
import type { ProcessorView } from "./runner.ts";
import type { SuspectGroup } from "./suspect-group.ts";

export interface SlotsOptions {
  size: number;
  isInline: boolean;
  claimer: Claimer;
  suspects: SuspectGroup;
  clock: Clock;
}

export class Slots {
  readonly #options: SlotsOptions;
  readonly #busy = new Map<number, RunningAttempt>();
  readonly abandoned: AbandonedProcessors;
  #next: number;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.abandoned = new AbandonedProcessors(options.clock);
    this.#next = options.size;
  }

  get busy(): readonly RunningAttempt[] {
    return [...this.#busy.values()];
  }

  get busyCount(): number {
    return this.#busy.size;
  }

  take(attempt: RunningAttempt): void {
    this.#busy.set(attempt.slot, attempt);
  }

  /** Call this when the attempt has ended. */
  free(attempt: RunningAttempt): void {
    const { isInline, claimer, suspects } = this.#options;
    if (!this.#busy.delete(attempt.slot)) return;
    if (isInline && isSuspect(attempt.job)) suspects.leave();
    const isAbandoned = isInline && attempt.abandonedFor !== undefined && !attempt.hasReturned;
    if (isAbandoned) this.abandoned.add(attempt);
    if (attempt.isSlow) claimer.poke();
    else claimer.free(isAbandoned ? this.#next++ : attempt.slot);
  }

  /** Call this when the code of an attempt has returned. Returns true if its slot had been abandoned. */
  reclaim(attempt: RunningAttempt): boolean {
    return this.abandoned.returned(attempt.slot);
  }

  /** Adds a slot to the pool, because a slow attempt keeps its own. */
  addFor(attempt: RunningAttempt): void {
    attempt.isSlow = true;
    this.#options.claimer.add(this.#next++);
  }

  get slowCount(): number {
    return this.busy.filter(({ isSlow }) => isSlow).length;
  }

  /** `broken`: why no processor can start. */
  views(broken: string | undefined): ProcessorView[] {
    const { clock, size, claimer } = this.#options;
    const wall = clock.now() - clock.monotonic();
    const iso = (monotonic: number) => new Date(wall + monotonic).toISOString();
    const busy = this.busy.map(({ slot, job, startedAt, deadlineAt }): ProcessorView => {
      const { lease, tenant } = job;
      return {
        slot,
        state: "busy",
        jobId: lease.jobId,
        tenant,
        since: iso(startedAt),
        deadline: iso(deadlineAt),
      };
    });
    const resting = Array.from({ length: Math.max(0, size - busy.length) }, (_, i): ProcessorView => {
      const slot = claimer.slots[i] ?? i;
      return broken ? { slot, state: "error", reason: broken, since: iso(clock.monotonic()) } : { slot, state: "idle" };
    });
    return [...busy, ...resting, ...this.abandoned.views()];
  }
}
