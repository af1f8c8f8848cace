// The lease of this process, as the process watches it: when to renew it, and when to wait before other processes are declared
// dead. A clock that was set and a renewal that was late concern other processes too, and they need a moment to renew.

/** Wall time that moves by more than this against monotonic time was set. */
const JUMP_MS = 2_000;
/** How long a process waits after its start. The clock may have been set just before. */
const START_PATIENCE_MS = 2_000;

export interface OwnLeaseOptions {
  readonly clock: { monotonic(): number };
  readonly leaseMs: number;
  /** How long other processes get to renew after a delay that they may have shared. */
  readonly delayPatienceMs: number;
}

export class OwnLease {
  readonly #options: OwnLeaseOptions;
  #expiresAt = 0;
  /** Wall time minus monotonic time, which changes only when the clock is set. */
  #drift = 0;
  /** By the monotonic clock. */
  #patientUntil = Number.NEGATIVE_INFINITY;
  #wasDelayed = false;

  constructor(options: OwnLeaseOptions) {
    this.#options = options;
  }

  /** `now`: the time of the store at which the process was registered. */
  begin(now: number): void {
    this.#drift = now - this.#options.clock.monotonic();
    this.#expiresAt = now + this.#options.leaseMs;
    this.#waitFor(START_PATIENCE_MS);
  }

  /** Whether a third of the lease is spent or the clock was set, so that a renewal has work to do. */
  needsRenewal(now: number): boolean {
    return this.#isJump(now) || this.#expiresAt - now < (this.#options.leaseMs * 2) / 3;
  }

  /** Returns true if the clock was set: then leases that end later than any lease can are to be shortened. */
  renewed(now: number): boolean {
    const isJump = this.#isJump(now);
    if (isJump) {
      this.#drift = now - this.#options.clock.monotonic();
      this.#waitFor(this.#options.leaseMs);
    }
    if (this.#wasDelayed) this.#waitFor(this.#options.delayPatienceMs);
    this.#wasDelayed = false;
    this.#expiresAt = now + this.#options.leaseMs;
    return isJump;
  }

  /** Call this when a renewal has failed. Its cause delays other processes too, and it is due again at once. */
  noteDelay(): void {
    this.#wasDelayed = true;
    this.#expiresAt = Number.NEGATIVE_INFINITY;
  }

  /** Other processes get a moment to renew: a lease that has expired proves nothing yet. */
  get isPatient(): boolean {
    return this.#options.clock.monotonic() < this.#patientUntil;
  }

  #waitFor(ms: number): void {
    const { clock, leaseMs } = this.#options;
    this.#patientUntil = Math.max(this.#patientUntil, clock.monotonic() + Math.min(ms, leaseMs));
  }

  #isJump(now: number): boolean {
    // A shorter jump ends no lease, because every living process has more time than that left. A smaller bound would take the
    // slow answer of a store that is far away for a jump.
    const most = Math.min(JUMP_MS, this.#options.leaseMs / 2);
    return Math.abs(now - this.#options.clock.monotonic() - this.#drift) > most;
  }
}
