// A claim of many jobs is written as one row that names them: a bundle. Most of them complete within milliseconds, and then
// nothing but their end was ever written of them; a row version for each took half of the server's time.
//
//   taken ──completed──▶ deleted from `job`, inserted into `finished`, as any other
//     └──anything else, or after OPEN_AFTER_MS──▶ opened: each job that is left gets its row written as running
//
// Jobs in a bundle are still ready by their rows, so every claim leaves out what a bundle names. For that it must see all
// bundles: a claim that writes one is alone with its stage until it has committed (take-bundle.ts). Whoever must find a row that says
// that the job runs (a note, a step, a failure, a cancel, a burial) has the bundle opened first, and then all is as after a
// claim of a few. Other processes read its jobs as pending until then, which is OPEN_AFTER_MS at most.

import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import type { Core, Held } from "../core.ts";
import type { StageRow } from "../register/names.ts";

const OPEN_AFTER_MS = 250;
/** A stage whose jobs take longer than that gains nothing by bundles: it is tried again after this time. */
const SLOW_FOR_MS = 2_000;
const SLOW_SHARE = 0.25;
/** Fewer are as well written one by one. */
const LEAST = 20;
/** Longer than a claim can take, with its way back: what was taken and is not known by then never will be. */
export const CLAIM_ANSWERED_MS = 6_000;

// $1 the holder, $2 the bundles (NULL: all), $3 keys in order and $4 the slots of each, where the holder can say them.
const OPEN = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS set),
  opened AS (DELETE FROM millrace.bundle WHERE holder = $1::bigint AND (SELECT set FROM settings) IS NOT NULL
    AND ($2::bigint[] IS NULL OR number = ANY($2::bigint[])) RETURNING started_at, jobs)
  UPDATE millrace.job SET standing = 4, token = greatest(job.token + 1, opened.started_at), holder = $1::bigint, attempt = failures + crashes + 1,
    started_at = opened.started_at, updated_at = opened.started_at, expires_at = NULL, progress = NULL,
    slot = CASE WHEN $3::bigint[] IS NOT NULL THEN ($4::int[])[width_bucket(id, $3::bigint[])] END
  FROM opened WHERE job.id = ANY(opened.jobs) AND job.standing + 0 = 1 RETURNING 1`;
const UNDO = "DELETE FROM millrace.bundle WHERE holder = $1 AND number = ANY($2::bigint[]) RETURNING 1";
const UNANSWERED = `SELECT number FROM millrace.bundle WHERE holder = $2 AND started_at < ${NOW} - ${CLAIM_ANSWERED_MS}`;

/** One of this process's. */
export interface Bundle {
  readonly number: number;
  readonly stage: number;
  readonly takenAt: number;
  readonly size: number;
  /** Its jobs that have not ended. */
  readonly left: Set<Held>;
  /** Settles under way that count on its row. */
  readonly settles: Set<Promise<void>>;
  opening: Promise<void> | undefined;
  opened: boolean;
}

/** For tests. */
export interface BundlesByHand {
  /** So few jobs make a bundle. */
  least?: number;
  /** All stores of one database, so that a test can have every bundle opened before it looks. */
  everybodys: Set<Bundles>;
}

export class Bundles {
  readonly #core: Core;
  readonly #least: number;
  readonly #bundles = new Map<number, Bundle>();
  /** Numbers of claims under way: those answered are given out once all rounds of their claim are over. */
  readonly #underWay = new Set<number>();
  readonly #slowUntil = new Map<number, number>();
  #next = 1;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** A bundle was opened, and some of its jobs were no longer ours. */
  missed: (() => void) | undefined;

  constructor(core: Core, byHand?: BundlesByHand) {
    this.#core = core;
    this.#least = byHand?.least ?? LEAST;
    byHand?.everybodys.add(this);
  }

  /** Whether a claim of so many is better written as one row. Where a stage follows, each end writes the job's own. */
  suits(stage: StageRow, count: number): boolean {
    if (stage.next !== undefined || count < this.#least) return false;
    return this.#core.clock.monotonic() >= (this.#slowUntil.get(stage.id) ?? 0);
  }

  /** One that no bundle of this process has had. Its claim is under way until it is kept, undone or said to be empty. */
  newNumber(): number {
    this.#underWay.add(this.#next);
    return this.#next++;
  }

  /** It has no jobs to give out. If there is a row all the same, it goes as one whose answer never came. */
  gaveNothing(number: number): void {
    this.#underWay.delete(number);
  }

  keep(number: number, stage: number, held: Held[]): Bundle {
    const bundle: Bundle = {
      number,
      stage,
      takenAt: performance.now(),
      size: held.length,
      left: new Set(held),
      settles: new Set(),
      opening: undefined,
      opened: false,
    };
    for (const each of held) each.bundle = bundle;
    this.#bundles.set(number, bundle);
    this.#underWay.delete(number);
    this.#watch();
    return bundle;
  }

  /** Nobody was given the jobs of these: without their bundle they are as they were. */
  async undo(unknown: number[]): Promise<void> {
    for (const number of unknown) this.#underWay.delete(number);
    const { connections, instances, events, voice } = this.#core;
    const undone = await connections.write.run(UNDO, [instances.id, numbers(unknown)]);
    if (undone.length === 0) return;
    events.wake();
    voice.say("work");
  }

  /** What is asked of these jobs needs rows of their own. */
  async openFor(keys: Iterable<number>): Promise<void> {
    const bundles = new Set<Bundle>();
    for (const key of keys) {
      const bundle = this.#core.held.get(key)?.bundle;
      if (bundle && !bundle.opened) bundles.add(bundle);
    }
    await Promise.all([...bundles].map((bundle) => this.open(bundle)));
  }

  async openAll(): Promise<void> {
    await Promise.all([...this.#bundles.values()].map((bundle) => this.open(bundle)));
  }

  /** Once it is done the settle may run: until it calls back, none of these is opened. */
  async countOn(bundles: ReadonlySet<Bundle>): Promise<() => void> {
    const opening = () => [...bundles].filter((bundle) => bundle.opening && !bundle.opened);
    while (opening().length > 0) await Promise.allSettled(opening().map((bundle) => bundle.opening));
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const bundle of bundles) bundle.settles.add(promise);
    return () => {
      for (const bundle of bundles) bundle.settles.delete(promise);
      resolve();
    };
  }

  /** Those of which nothing is left: the next settle takes their rows away. */
  takeSpent(): Bundle[] {
    const spent = [...this.#bundles.values()].filter(
      ({ left, settles, opening }) => left.size === 0 && settles.size === 0 && !opening,
    );
    for (const bundle of spent) this.#bundles.delete(bundle.number);
    return spent;
  }

  /** It could not. */
  giveBack(spent: Bundle[]): void {
    for (const bundle of spent) this.#bundles.set(bundle.number, bundle);
    this.#watch();
  }

  open(bundle: Bundle): Promise<void> {
    bundle.opening ??= this.#write(bundle).catch((error) => {
      bundle.opening = undefined; // the next look tries again
      this.#watch();
      throw error;
    });
    return bundle.opening;
  }

  async #write(bundle: Bundle): Promise<void> {
    await Promise.allSettled(bundle.settles);
    const left = [...bundle.left].sort((a, b) => a.key - b.key);
    const written = await this.#core.connections.write.run(OPEN, [
      this.#core.instances.id,
      numbers([bundle.number]),
      left.length > 0 ? numbers(left.map(({ key }) => key)) : null,
      numbers(left.map(({ slot }) => slot)),
    ]);
    bundle.opened = true;
    this.#bundles.delete(bundle.number);
    if (written.length < left.length) this.missed?.();
  }

  /** What claims wrote whose answers never came. */
  async undoUnanswered(): Promise<void> {
    if (this.#next === 1) return;
    const { clock, connections, instances } = this.#core;
    const rows = await connections.write.run<{ number: number }>(UNANSWERED, [clock.given, instances.id]);
    const isKnown = (number: number) => this.#bundles.has(number) || this.#underWay.has(number);
    const unknown = rows.map(({ number }) => number).filter((number) => !isKnown(number));
    if (unknown.length > 0) await this.undo(unknown);
  }

  /** What cannot be opened any more is left to whoever looks for the dead. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    if (this.#stopped || this.#timer !== undefined || this.#bundles.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#openOld();
      this.#watch();
    }, OPEN_AFTER_MS / 2);
    this.#timer.unref(); // whoever waits for an end of the process need not wait for this
  }

  #openOld(): void {
    const now = performance.now();
    for (const bundle of this.#bundles.values()) {
      if (bundle.opening || now - bundle.takenAt < OPEN_AFTER_MS) continue;
      if (bundle.left.size > bundle.size * SLOW_SHARE) {
        this.#slowUntil.set(bundle.stage, this.#core.clock.monotonic() + SLOW_FOR_MS);
      }
      this.open(bundle).catch(() => {}); // the next look tries again
    }
  }
}

/** All of a process that is dead or leaves, in the transaction that looks after its jobs. */
export async function openAllOf(tx: Runner, holder: number): Promise<void> {
  await tx.run(OPEN, [holder, null, null, null]);
}
