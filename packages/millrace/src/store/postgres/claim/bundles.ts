// A claim of many jobs is written as one row that names them: a bundle. Most of these jobs complete within milliseconds, and then
// their end is all that was ever written of them. A row version for each took half of the server's time (decision 20).
//
//   claimed ──completed──────────────────────▶ deleted from `job`, inserted into `finished`, like any other job
//      └──anything else, or OPEN_AFTER_MS──▶ opened: the row of each job that is left is written as running
//
// The rows of jobs in a bundle still say "ready", so every claim leaves out the jobs that a bundle names. For that it must see all
// bundles: a claim that writes one is alone with its stage until it has committed (bundle.ts). A call that needs the row of a
// running job (a note, a step, a failure, a cancellation, the look for dead processes) has the bundle opened first. Until then
// other processes read its jobs as pending, for OPEN_AFTER_MS at most.

import { READY, RUNNING } from "../../codes.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import type { HeldLease } from "./leases.ts";

const OPEN_AFTER_MS = 250;
/**
 * If more than SLOW_SHARE of a bundle's jobs still run after this time, bundles do not help the stage. It gets none for
 * SLOW_FOR_MS.
 */
const SLOW_SHARE = 0.25;
const SLOW_FOR_MS = 2_000;
/** With fewer jobs, a bundle is no faster than a row for each. */
const LEAST_JOBS = 20;
/**
 * Longer than a claim can take, with its answer. If the holder still does not know a bundle by then, its claim was
 * never answered.
 */
export const CLAIM_ANSWERED_MS = 6_000;

/** `numbers`: NULL for all bundles of the holder. `keys`: the jobs, in order, whose slots the holder knows; or NULL. */
const OPEN = statement<{ holder: number; numbers: Value; keys: Value; slots: Value }>(`WITH settings AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true) AS set
  ),
  opened AS (DELETE FROM millrace.bundle
    WHERE holder = :holder::bigint
      AND (:numbers::bigint[] IS NULL OR number = ANY(:numbers::bigint[]))
      AND (SELECT set FROM settings) IS NOT NULL
    RETURNING started_at, jobs
  )
  UPDATE millrace.job
  SET standing = ${RUNNING},
    token = greatest(job.token + 1, opened.started_at),
    holder = :holder::bigint,
    slot = CASE WHEN :keys::bigint[] IS NOT NULL THEN (:slots::int[])[width_bucket(id, :keys::bigint[])] END,
    attempt = failures + crashes + 1,
    started_at = opened.started_at,
    updated_at = opened.started_at,
    expires_at = NULL,
    progress = NULL
  FROM opened
  WHERE job.id = ANY(opened.jobs) AND job.standing + 0 = ${READY}
  RETURNING 1`);
const UNDO = statement<{ holder: number; numbers: string }>(`DELETE FROM millrace.bundle
  WHERE holder = :holder AND number = ANY(:numbers::bigint[])
  RETURNING 1`);
const FIND_OLD = statement<{ now: Value; holder: number }>(`SELECT number
  FROM millrace.bundle
  WHERE holder = :holder AND started_at < ${nowBy(":now")} - ${CLAIM_ANSWERED_MS}`);

/** A bundle that this process holds. */
export interface Bundle {
  readonly number: number;
  readonly stage: number;
  readonly claimedAt: number;
  readonly size: number;
  /** The leases of its jobs that have not ended. */
  readonly left: Set<HeldLease>;
  /** The settlements under way that rely on the bundle's row. */
  readonly settlements: Set<Promise<void>>;
  opening: Promise<void> | undefined;
  isOpened: boolean;
}

/** For tests. */
export interface BundlesByHand {
  /** The least number of jobs that make a bundle. */
  least?: number;
  /** The bundles of all stores of one database, so that a test can open them before it looks. */
  ofAllStores: Set<Bundles>;
}

export class Bundles {
  readonly #core: Core;
  readonly #least: number;
  readonly #bundles = new Map<number, Bundle>();
  /** Numbers of claims that are not over: their bundles are held once all rounds of the claim are done. */
  readonly #claiming = new Set<number>();
  readonly #slowUntil = new Map<number, number>();
  #next = 1;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(core: Core, byHand?: BundlesByHand) {
    this.#core = core;
    this.#least = byHand?.least ?? LEAST_JOBS;
    byHand?.ofAllStores.add(this);
  }

  /** Whether a claim of `count` jobs of the stage is better written as a bundle. */
  areWorthwhile(stage: number, count: number): boolean {
    return count >= this.#least && this.#core.clock.monotonic() >= (this.#slowUntil.get(stage) ?? 0);
  }

  /** A number that no bundle of this process has had. Its claim is under way until it is held, undone or forgotten. */
  newNumber(): number {
    this.#claiming.add(this.#next);
    return this.#next++;
  }

  /**
   * The claim returned no jobs. If it wrote a row all the same, that row is deleted like the row of an unanswered
   * claim.
   */
  forgetNumber(number: number): void {
    this.#claiming.delete(number);
  }

  hold(number: number, stage: number, leases: readonly HeldLease[]): Bundle {
    const bundle: Bundle = {
      number,
      stage,
      claimedAt: performance.now(),
      size: leases.length,
      left: new Set(leases),
      settlements: new Set(),
      opening: undefined,
      isOpened: false,
    };
    for (const lease of leases) lease.bundle = bundle;
    this.#bundles.set(number, bundle);
    this.#claiming.delete(number);
    this.#watch();
    return bundle;
  }

  /** Deletes bundles whose jobs no processor was given. Their rows still say that they are ready. */
  async undo(unknown: number[]): Promise<void> {
    for (const number of unknown) this.#claiming.delete(number);
    const { connections, instances, events, voice } = this.#core;
    const undone = await connections.write.run(...UNDO({ holder: instances.id, numbers: numbers(unknown) }));
    if (undone.length === 0) return;
    events.wake();
    voice.say("work");
  }

  /** Opens the bundles of these jobs, because a call needs their rows. */
  async openFor(keys: Iterable<number>): Promise<void> {
    const bundles = new Set<Bundle>();
    for (const key of keys) {
      const bundle = this.#core.leases.get(key)?.bundle;
      if (bundle && !bundle.isOpened) bundles.add(bundle);
    }
    await Promise.all([...bundles].map((bundle) => this.open(bundle)));
  }

  async openAll(): Promise<void> {
    await Promise.all([...this.#bundles.values()].map((bundle) => this.open(bundle)));
  }

  /** Keeps these bundles closed until the function that it resolves to is called. Waits for those that are being opened. */
  async keepClosed(bundles: ReadonlySet<Bundle>): Promise<() => void> {
    const opening = () => [...bundles].filter((bundle) => bundle.opening && !bundle.isOpened);
    while (opening().length > 0) await Promise.allSettled(opening().map((bundle) => bundle.opening));
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const bundle of bundles) bundle.settlements.add(promise);
    return () => {
      for (const bundle of bundles) bundle.settlements.delete(promise);
      resolve();
    };
  }

  /** Removes the bundles all of whose jobs have ended. The next settlement deletes their rows. */
  removeSpent(): Bundle[] {
    const spent = [...this.#bundles.values()].filter(
      ({ left, settlements, opening }) => left.size === 0 && settlements.size === 0 && !opening,
    );
    for (const bundle of spent) this.#bundles.delete(bundle.number);
    return spent;
  }

  /** Takes them back, because the settlement that should have deleted their rows failed. */
  restoreSpent(spent: readonly Bundle[]): void {
    for (const bundle of spent) this.#bundles.set(bundle.number, bundle);
    this.#watch();
  }

  open(bundle: Bundle): Promise<void> {
    bundle.opening ??= this.#writeRows(bundle).catch((error) => {
      bundle.opening = undefined; // The next look tries again.
      this.#watch();
      throw error;
    });
    return bundle.opening;
  }

  async #writeRows(bundle: Bundle): Promise<void> {
    await Promise.allSettled(bundle.settlements);
    const { connections, instances } = this.#core;
    const left = [...bundle.left].sort((a, b) => a.key - b.key);
    const written = await connections.write.run(
      ...OPEN({
        holder: instances.id,
        numbers: numbers([bundle.number]),
        keys: left.length > 0 ? numbers(left.map(({ key }) => key)) : null,
        slots: numbers(left.map(({ slot }) => slot)),
      }),
    );
    bundle.isOpened = true;
    this.#bundles.delete(bundle.number);
    // Another process has cancelled some of its jobs or declared this process dead.
    if (written.length < left.length) void this.#core.tellLost().catch(() => {});
  }

  /** Deletes bundles of claims whose answer never came. */
  async undoUnanswered(): Promise<void> {
    if (this.#next === 1) return;
    const { clock, connections, instances } = this.#core;
    const query = FIND_OLD({ now: clock.given, holder: instances.id });
    const rows = await connections.write.run<{ number: number }>(...query);
    const isKnown = (number: number) => this.#bundles.has(number) || this.#claiming.has(number);
    const unknown = rows.map(({ number }) => number).filter((number) => !isKnown(number));
    if (unknown.length > 0) await this.undo(unknown);
  }

  /** The process that looks for dead ones opens what is still closed. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    if (this.#isStopped || this.#timer !== undefined || this.#bundles.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#openOld();
      this.#watch();
    }, OPEN_AFTER_MS / 2);
    this.#timer.unref(); // A process that is about to end does not wait for this.
  }

  #openOld(): void {
    const now = performance.now();
    for (const bundle of this.#bundles.values()) {
      if (bundle.opening || now - bundle.claimedAt < OPEN_AFTER_MS) continue;
      if (bundle.left.size > bundle.size * SLOW_SHARE) {
        this.#slowUntil.set(bundle.stage, this.#core.clock.monotonic() + SLOW_FOR_MS);
      }
      this.open(bundle).catch(() => {}); // The next look tries again.
    }
  }
}

/** Opens all bundles of a process that is dead or stops, in the transaction that returns its jobs to the queue. */
export async function openAllOf(tx: StatementRunner, holder: number): Promise<void> {
  await tx.run(...OPEN({ holder, numbers: null, keys: null, slots: null }));
}
