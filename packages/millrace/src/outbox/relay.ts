// Makes jobs of the rows of one outbox:
//
//   lease ──▶ read rows ──▶ apply: jobs and the ids of their rows, in one commit ──▶ delete the rows ──▶ forget the ids
//     ▲                                                                                                    │
//     └────────────────────────────── half of the lease is over, or nothing is left ──────────────────────┘
//
// A crash between two of these leaves rows whose ids are known, which are deleted without a second job. Ids are forgotten only under
// the lease, and after the rows are deleted: a new holder reads the table after it has the lease, so it sees no such row. There is
// no mark of how far the relay has come, because rows commit in another order than they are inserted in.

import { randomUUID } from "node:crypto";
import { messageOf } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import { GrowingPause } from "../lib/growing-pause.ts";
import type { Store } from "../store/store.ts";
import type { HeldOutbox, OutboxSight } from "../store/verbs/outbox/outboxes.ts";
import type { Intake } from "../submit/intake.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { Position } from "./databases/database.ts";
import type { Outbox } from "./outbox.ts";
import { toOutboxRow } from "./row.ts";

export interface OutboxRelayOptions {
  store: Pick<Store, "leaseOutbox" | "leaveOutbox" | "applyOutbox">;
  intake: Pick<Intake, "prepare">;
  /** The names of the kinds that this process defines. Rows of other kinds wait for another process. */
  kinds: readonly string[];
  leaseMs: number;
  clock: Clock;
  log: Log;
  /** Called when jobs were stored. */
  onStored(): void;
}

const PAUSES = { firstMs: 500, longestMs: 8_000 };
/** Rows of unknown kinds: another process may take the lease meanwhile. */
const ASIDE_MS = 2_000;

interface RelayTerm extends HeldOutbox {
  /** By the monotonic clock. */
  readonly renewAt: number;
}

export class OutboxRelay {
  readonly #outbox: Outbox;
  readonly #options: OutboxRelayOptions;
  readonly #holder = randomUUID();
  readonly #pause: GrowingPause;
  #identity: string | undefined;
  #held: RelayTerm | undefined;
  /** Ids whose rows are deleted by now. */
  #forget: string[] = [];
  #after: Position | undefined;
  #trouble: string | undefined;
  #hasFailed = false;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #isStopped = false;

  constructor(outbox: Outbox, options: OutboxRelayOptions) {
    this.#outbox = outbox;
    this.#options = options;
    this.#pause = new GrowingPause(PAUSES, options.clock);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** What keeps it from working, in a sentence. */
  get problem(): string | undefined {
    return this.#hasFailed ? `The outbox "${this.#outbox.label}" cannot be relayed here: ${this.#trouble}` : undefined;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake?.();
    await this.#running;
    await this.#leave().catch(() => {});
    await this.#outbox.database.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) await this.#rest(await this.#tryPass());
  }

  /** Relays what there is, and returns the time to rest in milliseconds. */
  async #tryPass(): Promise<number> {
    const { log } = this.#options;
    try {
      const restMs = await this.pass();
      this.#pause.reset();
      this.#hasFailed = false;
      return restMs;
    } catch (error) {
      const pauseMs = this.#pause.begin();
      this.#trouble = messageOf(error);
      this.#hasFailed = true;
      if (!this.#isStopped)
        log.warn("outbox relay failed", { outbox: this.#outbox.label, error: this.#trouble, pauseMs });
      return pauseMs;
    }
  }

  #rest(restMs: number): Promise<void> {
    if (restMs === 0 || this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, restMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Relays one page of rows. Returns the time to rest before the next, in milliseconds. */
  async pass(): Promise<number> {
    const held = await this.#lease();
    if (!held) return Math.min(this.#options.leaseMs / 2, ASIDE_MS);
    const { database, pollMs } = this.#outbox;
    const { kinds, intake, store, onStored } = this.#options;
    const page = await database.read(kinds, this.#after);
    if (page.length === 0 && this.#forget.length === 0) {
      const isWholeTable = this.#after === undefined;
      this.#after = undefined;
      if (!isWholeTable) return pollMs;
      this.#trouble = undefined;
      return (await this.#stepAside()) ? ASIDE_MS : pollMs;
    }
    const rows = await Promise.all(page.map((row) => toOutboxRow(row, intake)));
    const forget = this.#forget;
    const answer = await store.applyOutbox(held, rows, forget);
    if (answer === "lease-lost") {
      this.#lose();
      return 0;
    }
    this.#forget = [];
    if (answer.stored > 0) onStored();
    await database.remove(answer.applied);
    this.#forget = answer.applied;
    this.#trouble = answer.later[0]?.message;
    // Rows that are refused for the moment must not keep those behind them waiting.
    const last = page.at(-1);
    this.#after = (answer.later.length > 0 || this.#after) && last ? { at: last.at, id: last.id } : undefined;
    return 0;
  }

  /** Takes or keeps the lease. Undefined: another process has it. */
  async #lease(): Promise<RelayTerm | undefined> {
    const { store, clock, leaseMs } = this.#options;
    const now = clock.monotonic();
    if (this.#held && now < this.#held.renewAt) return this.#held;
    this.#identity ??= await this.#outbox.database.identity();
    const seen = this.#held ? await this.#look() : undefined;
    const request = { name: this.#identity, label: this.#outbox.label, holder: this.#holder, forMs: leaseMs };
    const lease = await store.leaseOutbox({ ...request, ...(seen && { seen }) });
    if (!lease) return this.#lose();
    const { name, token, applied } = lease;
    if (this.#held?.token !== token) this.#lose();
    this.#held = { name, token, renewAt: now + leaseMs / 2 };
    if (applied.length > 0) {
      // An earlier holder made jobs of these rows, and may have ended before it deleted the rows.
      await this.#outbox.database.remove(applied);
      this.#forget = applied;
    }
    if (!seen) await store.leaseOutbox({ ...request, seen: await this.#look() });
    return this.#held;
  }

  async #look(): Promise<OutboxSight> {
    const { waiting, oldestMs, otherKinds } = await this.#outbox.database.backlog(this.#options.kinds);
    const trouble = this.#trouble ?? unknownKinds(otherKinds);
    return { waiting, ...(oldestMs !== undefined && { oldestMs }), ...(trouble !== undefined && { trouble }) };
  }

  /**
   * Returns true if only rows of kinds that this process does not know are left, so that another process gets its turn.
   */
  async #stepAside(): Promise<boolean> {
    const { otherKinds } = await this.#outbox.database.backlog(this.#options.kinds);
    if (otherKinds.length === 0) return false;
    await this.#leave();
    return true;
  }

  async #leave(): Promise<void> {
    const held = this.#held;
    if (!held) return;
    const { store } = this.#options;
    if (this.#forget.length > 0) await store.applyOutbox(held, [], this.#forget);
    this.#lose();
    await store.leaveOutbox(held);
  }

  /**
   * The lease is lost, so what was read and deleted under it is forgotten. The next holder finds the ids that are left.
   */
  #lose(): undefined {
    this.#held = undefined;
    this.#forget = [];
    this.#after = undefined;
  }
}

function unknownKinds(kinds: readonly string[]): string | undefined {
  if (kinds.length === 0) return undefined;
  return `Rows wait for a process that knows the kinds ${kinds.map((kind) => `"${kind}"`).join(", ")}.`;
}
