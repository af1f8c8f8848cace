// The lease's expiry lives on its holder's row, so that renewing is one row per process however many jobs it holds.

import { ENGINE_LEVEL } from "../../../job/kind/plan.ts";
import { isGone, placeOf } from "../../../lib/runtime/process-place.ts";
import { RUNNING } from "../../codes.ts";
import { KEEP_NAMES_MS } from "../../decide/attempt/expiry.ts";
import type { Core } from "../core.ts";
import { announce, bumpVersion, endWorker } from "./workers.ts";

const ADD = `INSERT INTO instance (name, started_at, beat_at, expires_at, lease_ms, place, draining, level, plans)
  VALUES (?1, ?2, ?2, ?2 + ?3, ?3, ?4, ?5, ?6, '[]') RETURNING id`;
const EXPIRES_AT = "SELECT expires_at, beat_at FROM instance WHERE id = ?";
const RENEW = "UPDATE instance SET beat_at = ?1, expires_at = ?1 + lease_ms, pools = coalesce(?3, pools) WHERE id = ?2";
const OTHERS = "SELECT id, expires_at, lease_ms, place, draining FROM instance WHERE id <> ? AND expires_at > 0";
const CLAMP = "UPDATE instance SET expires_at = ?1 + lease_ms WHERE expires_at > ?1 + lease_ms";
const CLOSE = "UPDATE instance SET expires_at = 0, died_at = coalesce(?, died_at) WHERE id = ?";
const EXPIRY = "SELECT expires_at AS at FROM instance WHERE id = ?";
const DRAIN = "UPDATE instance SET draining = 1 WHERE id = ?";
// Jobs that it could not hand back, because their code did not return, are left to the next process that looks for dead
// ones.
const LEAVE = `UPDATE instance SET place = NULL,
  expires_at = EXISTS (SELECT 1 FROM job WHERE standing = ${RUNNING} AND holder = instance.id) WHERE id = ?`;
const DROP_OLD = `DELETE FROM instance WHERE expires_at = 0 AND beat_at < ?
  AND NOT EXISTS (SELECT 1 FROM job WHERE standing = ${RUNNING} AND holder = instance.id)`;

interface OtherRow {
  id: number;
  expires_at: number;
  lease_ms: number;
  place: string | null;
  draining: number;
}

export interface DeadProcess {
  id: number;
  /** The process was stopping. */
  draining: boolean;
}

export class Instances {
  readonly #core: Core;
  #id = 0;
  #expiresAt = 0;
  #othersLive = false;
  /** Wall minus monotonic time: it changes only when the clock is set. */
  #drift = 0;
  #expireNobodyUntil = 0;
  #wasDelayed = false;
  #draining = false;

  constructor(core: Core) {
    this.#core = core;
  }

  get id(): number {
    return this.#id;
  }

  /** True while another process uses this file: it needs time to write, too. */
  get othersLive(): boolean {
    return this.#othersLive;
  }

  register(): void {
    const { clock, options } = this.#core;
    const now = clock.now();
    const place = options.path === ":memory:" ? null : (placeOf(process.pid) ?? null);
    const values = [options.instanceName, now, options.leaseMs, place, Number(this.#draining), ENGINE_LEVEL] as const;
    const row = this.#core.statement(ADD).get(...values) as { id: number };
    this.#id = row.id;
    this.#expiresAt = now + options.leaseMs;
    this.#drift = now - clock.monotonic();
    // Right after a change of the clock, living processes need a moment to renew before a new process may declare them
    // dead.
    this.#expireNobodyUntil = clock.monotonic() + Math.min(2_000, options.leaseMs);
    // A lease that ends later than any lease can was renewed before the clock was set back. Its holder may be dead.
    this.#core.statement(CLAMP).run(now);
    this.#core.statement(DROP_OLD).run(now - KEEP_NAMES_MS);
  }

  /** From now on, the death of this process counts as a crash of no job. */
  drain(): void {
    this.#draining = true;
    this.#core.statement(DRAIN).run(this.#id);
    // It takes no more jobs, so its plan is not that of new ones.
    bumpVersion(this.#core);
  }

  leave(): void {
    endWorker(this.#core, this.#id, this.#core.clock.now());
    this.#core.statement(LEAVE).run(this.#id);
  }

  /** Whether a third of the lease is spent or the clock was set, so that a renewal has work to do. */
  get needsRenewal(): boolean {
    const now = this.#core.clock.now();
    return this.#jumped(now) || this.#expiresAt - now < (this.#core.options.leaseMs * 2) / 3;
  }

  /**
   * Renews the lease of this process, inside a transaction. After a change of the clock, no process is declared dead
   * for one lease.
   */
  renew(pools?: string): void {
    const { clock, options } = this.#core;
    const now = clock.now();
    if (this.#jumped(now)) {
      this.#drift = now - clock.monotonic();
      this.#expireNobodyUntil = clock.monotonic() + options.leaseMs;
      this.#core.statement(CLAMP).run(now);
    }
    if (this.#wasDelayed) this.#expireNobodyUntil = clock.monotonic() + Math.min(2_000, options.leaseMs);
    this.#wasDelayed = false;
    const before = this.#core.statement(EXPIRES_AT).get(this.#id) as { expires_at: number } | undefined;
    if (!before) this.register();
    else this.#core.statement(RENEW).run(now, this.#id, pools ?? null);
    this.#expiresAt = now + options.leaseMs;
    if (!before || before.expires_at === 0) announce(this.#core, { resumed: true });
    // Other processes may have declared this one dead and left it out of their catalogs.
    else if (before.expires_at <= now) bumpVersion(this.#core);
  }

  /** How much is left of the leases of a process. */
  leftMs(id: number): number {
    const row = this.#core.statement(EXPIRY).get(id) as { at: number } | undefined;
    return (row?.at ?? 0) - this.#core.clock.now();
  }

  /**
   * A renewal failed. The cause (a lock, a full disk) delays other processes too, so they get a moment before this one
   * declares them dead.
   */
  noteDelay(): void {
    this.#wasDelayed = true;
  }

  #jumped(now: number): boolean {
    // A shorter jump ends no lease, because every living process has more time than that left.
    const most = Math.min(2_000, this.#core.options.leaseMs / 4);
    return Math.abs(now - this.#core.clock.monotonic() - this.#drift) > most;
  }

  /** The processes whose leases may be taken back. */
  dead(): DeadProcess[] {
    const { clock } = this.#core;
    const now = clock.now();
    const others = this.#core.statement(OTHERS).all(this.#id) as unknown as OtherRow[];
    this.#othersLive = others.some((other) => other.expires_at > now);
    const patient = clock.monotonic() < this.#expireNobodyUntil;
    return others
      .filter((other) => (other.place !== null && isGone(other.place)) || (!patient && other.expires_at <= now))
      .map(({ id, draining }) => ({ id, draining: draining === 1 }));
  }

  /** Closes a process whose jobs were taken back. `diedAt` is set if its death counts as a crash of one of them. */
  bury(id: number, diedAt: number | undefined): void {
    // Its last sign of life: what was announced since came after its end.
    const row = this.#core.statement(EXPIRES_AT).get(id) as { beat_at: number };
    endWorker(this.#core, id, Math.min(this.#core.clock.now(), row.beat_at));
    this.#core.statement(CLOSE).run(diedAt ?? null, id);
  }
}
