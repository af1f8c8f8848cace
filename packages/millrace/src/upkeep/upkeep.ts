import { messageOf } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import { GrowingPause } from "../lib/growing-pause.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";
import { type Fire, fireSchedules } from "./fire-schedules.ts";
import { markCauses } from "./mark-causes.ts";
import { prune } from "./prune.ts";

export interface UpkeepOptions {
  store: Store;
  clock: Clock;
  log: Log;
  cleanupIntervalMs: number;
  /** Stages with jobs that no living process serves. */
  unserved(): Promise<{ kind: string; stage: string | null; jobs: number; lastServedBy?: string; hint?: string }[]>;
  /** Carries out acts on many jobs. */
  operations: { look(): void };
  /** Schedules put these jobs into the store. */
  submitted(fires: Fire[]): void;
}

const TICK_MS = 500;
const PAUSES = { firstMs: TICK_MS, longestMs: 8_000 };
const LEADER_MS = 10_000;
/** Stages without a worker are logged this often, not at every check. */
const UNSERVED_MS = 60_000;

/**
 * Periodic care by one process at a time: fires schedules, prunes old jobs. Expired leases are looked after by every
 * process.
 */
export class Upkeep {
  readonly #options: UpkeepOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #leaderUntil = 0;
  #pruneAt = 0;
  #unservedAt = 0;
  readonly #pause: GrowingPause;
  #stopped = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#pause = new GrowingPause(PAUSES, options.clock);
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      if (!this.#pause.isOver) return;
      this.#running ??= this.tick().finally(() => {
        this.#running = undefined;
      });
    }, TICK_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** A failing store is logged and tried again after growing pauses. */
  async tick(): Promise<void> {
    const { store, clock, log, operations, submitted, cleanupIntervalMs } = this.#options;
    try {
      const leads = await this.#leads();
      this.#pause.reset();
      if (!leads) return;
      operations.look();
      const fires = await fireSchedules(store, clock, log);
      if (fires.length > 0) submitted(fires);
      await this.#logUnserved();
      if (clock.monotonic() < this.#pruneAt) return;
      this.#pruneAt = clock.monotonic() + cleanupIntervalMs;
      await prune(store, log, () => this.#stopped);
      await markCauses(store, () => this.#stopped);
    } catch (error) {
      const pauseMs = this.#pause.begin();
      if (!this.#stopped) log.error("upkeep failed", { error: messageOf(error), pauseMs });
    }
  }

  async #logUnserved(): Promise<void> {
    const { clock, log, unserved } = this.#options;
    if (clock.monotonic() < this.#unservedAt) return;
    this.#unservedAt = clock.monotonic() + UNSERVED_MS;
    for (const stage of await unserved()) log.warn("stage unserved", stage);
  }

  /** Asks for the lead again when half of the term is over, so that an idle process writes once in five seconds. */
  async #leads(): Promise<boolean> {
    const now = this.#options.clock.monotonic();
    if (now < this.#leaderUntil - LEADER_MS / 2) return true;
    const leads = await this.#options.store.lead(LEADER_MS);
    this.#leaderUntil = leads ? now + LEADER_MS : 0;
    return leads;
  }
}
