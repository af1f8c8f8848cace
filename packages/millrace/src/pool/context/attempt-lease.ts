import { randomUUID } from "node:crypto";
import type { Lease, LossReason } from "../../job/lease.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ConfirmAnswer } from "../../store/verbs/attempts.ts";
import { LeaseLost } from "./lease-lost.ts";
import { LeaseTime, momentOf } from "./lease-time.ts";
import type { AttemptPort } from "./port.ts";
import { Suspended } from "./suspended.ts";

/** A claim does not wait for the disk: after a power cut its token may be given out again, but to another process. */
const PROCESS = randomUUID().slice(0, 8);

/** The lease of one attempt: whether it still holds, and the signal that ends with it. */
export class AttemptLease {
  readonly #lease: Lease;
  readonly #port: AttemptPort;
  readonly #clock: Clock;
  #lost: LeaseLost | undefined;
  #isClosing = false;
  /** What the store last said of the lease. */
  #time: LeaseTime | undefined;
  #controller: AbortController | undefined;
  #onLost: (() => void) | undefined;

  constructor(lease: Lease, port: AttemptPort, clock: Clock) {
    this.#lease = lease;
    this.#port = port;
    this.#clock = clock;
  }

  get key(): string {
    return `${this.#lease.jobId}.${this.#lease.token}.${PROCESS}`;
  }

  /** Made on first use: most short jobs never look at it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#lost) this.#controller.abort(this.#lost);
    }
    return this.#controller.signal;
  }

  get lost(): LeaseLost | undefined {
    return this.#lost;
  }

  /** Closes the lease because the job was cancelled: steps under way go on, and no further step begins. */
  close(): void {
    this.#isClosing = true;
  }

  refuseIfClosing(): void {
    if (this.#isClosing) throw new LeaseLost("undoing");
  }

  lose(reason: LossReason): void {
    if (this.#lost) return;
    this.#lost = new LeaseLost(reason);
    this.#onLost?.();
    this.#controller?.abort(this.#lost);
  }

  /**
   * Ends the attempt, which has nothing left to do but wait. Work that still runs beside its waits is asked to stop.
   */
  suspend(): void {
    this.#controller?.abort(new Suspended());
  }

  /** Calls back before the signal is aborted. There is one such callback. */
  onLost(callback: () => void): void {
    this.#onLost = callback;
  }

  /** The store's answer to a call that presented the lease. Throws if the lease is gone. */
  held<T>(answer: T): Exclude<T, "lease-lost"> {
    if (answer === "lease-lost") this.lose("lease-lost");
    if (this.#lost) throw this.#lost;
    return answer as Exclude<T, "lease-lost">;
  }

  /** Asks the store for how long the lease surely holds. */
  confirm(): Promise<LeaseTime> {
    return this.confirmBy(() => this.#port.confirm());
  }

  /** Confirms the lease by a call that does something else as well. */
  async confirmBy(call: () => Promise<ConfirmAnswer>): Promise<LeaseTime> {
    const asked = momentOf(this.#clock);
    const { forMs } = this.held(await call());
    this.#time = new LeaseTime(this.#clock, asked, forMs);
    return this.#time;
  }

  /** The store's last answer, mostly to the step before, if it is recent. Undefined: the store must be asked. */
  get recent(): LeaseTime | undefined {
    return this.held(this.#time?.isFresh ? this.#time : undefined);
  }
}
