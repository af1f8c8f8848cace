// The lease's expiry lives on its holder's row, so that renewing is one row per process however many jobs it holds. The
// server's clock says when it ends; the process only watches that this clock is not set under it.

import { setTimeout as pause } from "node:timers/promises";
import { ENGINE_LEVEL } from "../../../job/kind/plan.ts";
import { AppError } from "../../../lib/app-error.ts";
import { isGone, processIdentity } from "../../../lib/runtime/process-identity.ts";
import { RUNNING } from "../../codes.ts";
import { KEEP_NAMES_MS } from "../../decide/attempt/expiry.ts";
import { OwnLease } from "../../decide/attempt/own-lease.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { announce, bumpVersion, endWorker, HASTY } from "./workers.ts";

// This is committed to disk whatever the server's settings. If the server forgot a number, it would give it to another
// process, and each would hold the leases of the other.
const ADD = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'on', true))
  INSERT INTO millrace.instance (name, started_at, beat_at, expires_at, lease_ms, place, draining, level, plans)
  SELECT $2, ${NOW}, ${NOW}, ${NOW} + $3::bigint, $3::bigint, $4, $5, ${ENGINE_LEVEL}, '[]' FROM settings RETURNING id, started_at AS now`;
const RENEW = `WITH old AS MATERIALIZED (SELECT id, expires_at FROM millrace.instance WHERE id = $2 FOR UPDATE)
  UPDATE millrace.instance SET beat_at = ${NOW}, expires_at = ${NOW} + lease_ms, pools = coalesce($3, pools)
  FROM old WHERE instance.id = old.id RETURNING beat_at AS now, old.expires_at AS before`;
// Processes that died, and processes whose row says that they have left although a job or a bundle names them as its
// holder.
const OTHERS = `SELECT id, expires_at, place, ${NOW} AS now FROM millrace.instance WHERE id <> $2 AND expires_at > 0
  UNION ALL SELECT holder, 0::bigint, NULL, ${NOW} FROM (SELECT DISTINCT holder FROM millrace.job WHERE standing = ${RUNNING}
    UNION SELECT holder FROM millrace.bundle) AS held WHERE holder <> $2
    AND NOT EXISTS (SELECT 1 FROM millrace.instance WHERE instance.id = held.holder AND instance.expires_at > 0)`;
const HOLDS = `(EXISTS (SELECT 1 FROM millrace.job WHERE standing = ${RUNNING} AND holder = instance.id)
  OR EXISTS (SELECT 1 FROM millrace.bundle WHERE holder = instance.id))`;
const CLAMP = `UPDATE millrace.instance SET expires_at = ${NOW} + lease_ms WHERE expires_at > ${NOW} + lease_ms`;
// Jobs that it could not hand back, because their code did not return, are left to the next process that looks for dead
// ones. So are its workers, if a process that registers kept it from ending them or it was still announcing them.
const LEAVE = `UPDATE millrace.instance SET place = NULL, expires_at =
  ($2 OR ${HOLDS} OR EXISTS (SELECT 1 FROM millrace.worker WHERE worker.instance = instance.id))::int WHERE id = $1`;
const DROP_OLD = `DELETE FROM millrace.instance WHERE expires_at = 0 AND beat_at < ${NOW} - $2::bigint
  AND NOT ${HOLDS}`;
const DRAIN = "UPDATE millrace.instance SET draining = true WHERE id = $1";
/** After an outage of the server, all processes come back, but not at the same moment. */
const DELAY_PATIENCE_MS = 5_000;
/** A renewal waits this long for the announcement that it began. After that, the announcement goes on beside later renewals. */
const ANNOUNCE_WAIT_MS = 4_000;
const ANNOUNCE_AGAIN_MS = 1_000;

export interface DeadProcess {
  id: number;
  /** Whether its lease ran out. If not, the operating system says that it is gone. */
  expired: boolean;
  /** Whether it was buried, although a job still names it as its holder. */
  orphans: boolean;
}

export class Instances {
  readonly #core: Core;
  readonly #lease: OwnLease;
  #id = 0;
  #draining = false;
  /** What others do not know yet, after this process had lost its place among them. */
  #due: "announce" | "bump" | undefined;
  #announcing: Promise<void> | undefined;
  /** By the monotonic clock of the runtime. */
  #announceAgainAt = Number.NEGATIVE_INFINITY;
  #announceError: unknown;

  constructor(core: Core) {
    this.#core = core;
    const { clock, options } = core;
    this.#lease = new OwnLease({ clock, leaseMs: options.leaseMs, delayPatienceMs: DELAY_PATIENCE_MS });
  }

  get id(): number {
    return this.#id;
  }

  async register(): Promise<void> {
    const { clock, options, connections, voice } = this.#core;
    const askedAt = performance.now();
    const [row] = await connections.write.run<{ id: number; now: number }>(ADD, [
      clock.given,
      options.instanceName,
      options.leaseMs,
      processIdentity(process.pid) ?? null,
      this.#draining,
    ]);
    const { id, now } = row as { id: number; now: number };
    clock.learn(now, askedAt);
    this.#id = id;
    voice.instance = id;
    this.#lease.begin(now);
    // A lease that ends later than any lease can was renewed before the clock was set back. Its holder may be dead.
    await connections.write.run(CLAMP, [clock.given]);
    await connections.write.run(DROP_OLD, [clock.given, KEEP_NAMES_MS]);
  }

  /** From now on, the death of this process counts as a crash of no job. */
  async drain(): Promise<void> {
    this.#draining = true;
    await this.#core.connections.write.run(DRAIN, [this.#id]);
    // It takes no more jobs, so its plan is not that of new ones. A process that registers at this moment tells the others as well.
    await this.#hastily((tx) => bumpVersion(tx));
  }

  async leave(): Promise<void> {
    const { clock, connections } = this.#core;
    await this.#hastily((tx) => endWorker(tx, this.#id, clock.now()));
    await connections.write.run(LEAVE, [this.#id, this.#announcing !== undefined]);
  }

  /** A process that stops does not wait for one that registers. */
  async #hastily(work: (tx: StatementRunner) => Promise<void>): Promise<void> {
    const hasty = async (tx: StatementRunner) => {
      await tx.run(HASTY, []);
      await work(tx);
    };
    try {
      await this.#core.connections.write.transact(hasty);
    } catch (error) {
      if (!(error instanceof AppError && error.code === "store-unavailable")) throw error;
    }
  }

  /** Whether a third of the lease is spent, the clock was set or an announcement is due, so that a renewal has work to do. */
  get needsRenewal(): boolean {
    return this.#lease.needsRenewal(this.#core.clock.now()) || this.#mayAnnounce;
  }

  async renew(pools?: string): Promise<void> {
    const { clock, connections } = this.#core;
    const askedAt = performance.now();
    const values = [clock.given, this.#id, pools ?? null];
    const [row] = await connections.write.run<{ now: number; before: number }>(RENEW, values);
    if (!row) {
      await this.register();
      this.#setDue("announce");
    } else {
      clock.learn(row.now, askedAt);
      if (row.before === 0) this.#setDue("announce");
      // Other processes may have declared this one dead and left it out of their catalogs.
      else if (row.before <= row.now) this.#setDue(this.#due ?? "bump");
      if (this.#lease.renewed(row.now)) await connections.write.run(CLAMP, [clock.given]);
    }
    if (this.#mayAnnounce) await this.#announceBesides();
  }

  /** Why the other processes do not know of this one, although it renews its lease. */
  get announceError(): unknown {
    return this.#announceError;
  }

  get #mayAnnounce(): boolean {
    return this.#due !== undefined && !this.#announcing && performance.now() >= this.#announceAgainAt;
  }

  #setDue(due: "announce" | "bump"): void {
    this.#due = due;
    this.#announceAgainAt = Number.NEGATIVE_INFINITY;
  }

  /** It stays due until it has succeeded. A failure is no failure of the renewal: the lease does not depend on it. */
  async #announceBesides(): Promise<void> {
    this.#announcing = this.#announce().finally(() => {
      this.#announcing = undefined;
    });
    const waited = new AbortController();
    const { leaseMs } = this.#core.options;
    const wait = pause(Math.min(ANNOUNCE_WAIT_MS, leaseMs / 4), undefined, { signal: waited.signal }).catch(() => {});
    await Promise.race([this.#announcing, wait]);
    waited.abort();
  }

  async #announce(): Promise<void> {
    const due = this.#due;
    this.#due = undefined;
    try {
      if (due === "announce") await announce(this.#core, { resumed: true });
      else await bumpVersion(this.#core.connections.write);
      this.#announceError = undefined;
    } catch (error) {
      this.#announceError = error;
      if (this.#due !== "announce") this.#due = due;
      this.#announceAgainAt = performance.now() + ANNOUNCE_AGAIN_MS;
    }
  }

  /** Call this when a renewal has failed, because the server did not answer. */
  noteDelay(): void {
    this.#lease.noteDelay();
  }

  /** The processes whose leases may be taken back. */
  async dead(): Promise<DeadProcess[]> {
    const { clock, connections } = this.#core;
    const rows = await connections.write.run<{ id: number; expires_at: number; place: string | null; now: number }>(
      OTHERS,
      [clock.given, this.#id],
    );
    const { isPatient } = this.#lease;
    return rows
      .map((row) => ({ ...row, expired: row.expires_at <= row.now, gone: row.place !== null && isGone(row.place) }))
      .filter(({ expired, gone }) => gone || (expired && !isPatient))
      .map(({ id, expired, expires_at }) => ({ id, expired, orphans: expires_at === 0 }));
  }
}
