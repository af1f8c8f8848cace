// The lease's expiry lives on its holder's row, so that renewing is one row per process however many jobs it holds.

import { ENGINE_LEVEL } from "../../../job/kind/plan.ts";
import { isGone, processIdentity } from "../../../lib/runtime/process-identity.ts";
import { RUNNING } from "../../codes.ts";
import { KEEP_NAMES_MS } from "../../decide/attempt/expiry.ts";
import { OwnLease } from "../../decide/attempt/own-lease.ts";
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

/** How long other processes get to renew after a busy or full disk. */
const DELAY_PATIENCE_MS = 2_000;

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
  readonly #lease: OwnLease;
  #id = 0;
  #othersLive = false;
  #draining = false;

  constructor(core: Core) {
    this.#core = core;
    const { clock, options } = core;
    this.#lease = new OwnLease({ clock, leaseMs: options.leaseMs, delayPatienceMs: DELAY_PATIENCE_MS });
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
    const place = options.path === ":memory:" ? null : (processIdentity(process.pid) ?? null);
    const values = [options.instanceName, now, options.leaseMs, place, Number(this.#draining), ENGINE_LEVEL] as const;
    const row = this.#core.statement(ADD).get(...values) as { id: number };
    this.#id = row.id;
    this.#lease.begin(now);
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
    return this.#lease.needsRenewal(this.#core.clock.now());
  }

  /**
   * Renews the lease of this process, inside a transaction. After a change of the clock, no process is declared dead
   * for one lease.
   */
  renew(pools?: string): void {
    const now = this.#core.clock.now();
    if (this.#lease.renewed(now)) this.#core.statement(CLAMP).run(now);
    const before = this.#core.statement(EXPIRES_AT).get(this.#id) as { expires_at: number } | undefined;
    if (!before) this.register();
    else this.#core.statement(RENEW).run(now, this.#id, pools ?? null);
    if (!before || before.expires_at === 0) announce(this.#core, { resumed: true });
    // Other processes may have declared this one dead and left it out of their catalogs.
    else if (before.expires_at <= now) bumpVersion(this.#core);
  }

  /** How much is left of the leases of a process. */
  leftMs(id: number): number {
    const row = this.#core.statement(EXPIRY).get(id) as { at: number } | undefined;
    return (row?.at ?? 0) - this.#core.clock.now();
  }

  /** Call this when a renewal has failed, because of a lock or a full disk. */
  noteDelay(): void {
    this.#lease.noteDelay();
  }

  /** The processes whose leases may be taken back. */
  dead(): DeadProcess[] {
    const now = this.#core.clock.now();
    const { isPatient } = this.#lease;
    const others = this.#core.statement(OTHERS).all(this.#id) as unknown as OtherRow[];
    this.#othersLive = others.some((other) => other.expires_at > now);
    return others
      .filter((other) => (other.place !== null && isGone(other.place)) || (!isPatient && other.expires_at <= now))
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
