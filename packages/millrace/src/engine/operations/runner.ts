// Carries out operations, in the process that does upkeep. All that counts is in the store, so a process that stops in the middle
// is followed by the next one at the same place.

import type { Events } from "../../events/events.ts";
import type { Kind } from "../../job/kind/kind.ts";
import { AppError, messageOf } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { GrowingPause } from "../../lib/growing-pause.ts";
import type { Pools } from "../../pool/pools.ts";
import type { Store } from "../../store/store.ts";
import type {
  AdvanceAnswer,
  OperationChange,
  OperationTask,
  StoredOperation,
} from "../../store/verbs/operations/operations.ts";
import { prepareJob } from "../../submit/submit.ts";
import type { ProcessMetrics } from "../../telemetry/figures/metrics.ts";
import type { Log } from "../../telemetry/log/log.ts";
import type { Waiters } from "../wait/waiters.ts";

export interface RunnerOptions {
  readonly store: Store;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly waiters: Waiters;
  readonly events: Events;
  readonly metrics: ProcessMetrics;
  readonly log: Log;
  readonly clock: Clock;
  readonly pools: Pools | undefined;
  /** Called when an operation has ended, so that the audit list says so. */
  readonly ended: (operation: StoredOperation) => Promise<void>;
}

const JOBS_AT_ONCE = 250;
/** A transaction begins no further job after this time, so that it stays below 20 ms. */
const BUDGET_MS = 8;
/** Claims and submissions come between two transactions. */
const PAUSE_MS = 2;
const IDLE_LOOK_MS = 1_000;
const MOST_ERRORS = 10;
const PAUSES = { firstMs: 250, longestMs: 8_000 };

export class OperationRunner {
  readonly #options: RunnerOptions;
  readonly #pause: GrowingPause;
  readonly #errors = new Map<string, number>();
  /** Until when nothing can be done for an operation, by the monotonic clock. */
  readonly #waits = new Map<string, number>();
  #running: Promise<void> | undefined;
  #lookAt = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #wake: (() => void) | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#pause = new GrowingPause(PAUSES);
  }

  /** Called at each tick of the process that does upkeep. Looks for operations once a second. */
  look(): void {
    this.#askedAt = performance.now();
    if (this.#stopped || this.#running || performance.now() < this.#lookAt || !this.#pause.isOver) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#lookAt = performance.now() + IDLE_LOOK_MS;
    });
  }

  /** Called when an operation was accepted in this process. If it does the upkeep, it begins at once. */
  accepted(): void {
    this.#lookAt = 0;
    this.#wake?.();
    if (performance.now() - this.#askedAt < IDLE_LOOK_MS) this.look();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { store, log } = this.#options;
    try {
      for (;;) {
        const live = (await store.operations({ live: true, limit: 100 })).filter(({ state }) => state === "running");
        if (live.length === 0 || this.#stopped) return;
        const now = performance.now();
        const due = live.filter(({ id }) => (this.#waits.get(id) ?? 0) <= now);
        for (const operation of due) await this.#step(operation);
        if (due.length === 0) await this.#sleep(Math.min(...live.map(({ id }) => this.#waits.get(id) ?? 0)) - now);
        this.#pause.reset();
      }
    } catch (error) {
      const pauseMs = this.#pause.begin();
      if (!this.#stopped) log.error("operations paused", { error: messageOf(error), pauseMs });
    }
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, Math.min(ms, IDLE_LOOK_MS)));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#stopped) this.#wake();
    });
    this.#wake = undefined;
  }

  async #step(operation: StoredOperation): Promise<void> {
    const { store, log } = this.#options;
    try {
      const task = await store.nextOfOperation(operation.id, JOBS_AT_ONCE);
      if (task) await this.#advance(task);
      this.#errors.delete(operation.id);
    } catch (error) {
      const count = (this.#errors.get(operation.id) ?? 0) + 1;
      this.#errors.set(operation.id, count);
      const code = error instanceof AppError ? error.code : "internal";
      const message = messageOf(error);
      log.error("operation failed", { operation: operation.id, code, error: message, tries: count });
      // An unavailable store comes back. An error of our own does not go away by itself.
      if (code !== "internal" || count < MOST_ERRORS) throw error;
      await store.failOperation(operation.id, { code, message });
    }
  }

  async #advance(task: OperationTask): Promise<void> {
    const { store } = this.#options;
    let { cursor, operation } = task;
    let jobs = await this.#prepared(task);
    do {
      const answer = await store.advanceOperation(operation.id, { cursor, jobs, budgetMs: BUDGET_MS });
      if (answer === "moved") return;
      await this.#report(answer);
      const count = counted(answer.operation) - counted(operation);
      operation = answer.operation;
      cursor = { part: cursor.part, place: cursor.place + count };
      jobs = jobs.slice(count);
      if (answer.waitMs !== undefined) this.#waits.set(operation.id, performance.now() + answer.waitMs);
      if (operation.endedAt !== undefined) {
        this.#waits.delete(operation.id);
        await this.#options.ended(operation);
      }
      if (answer.waitMs !== undefined || operation.endedAt !== undefined) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } while (jobs.length > 0 && !this.#stopped);
  }

  /** Adds the unique key that a revived job gets again, which only the code of its kind knows. */
  async #prepared({ operation, jobIds }: OperationTask): Promise<{ jobId: string; uniqueKey?: string }[]> {
    const { store, kinds } = this.#options;
    const isRevived = operation.action === "revive" || operation.action === "retry";
    if (!isRevived || ![...kinds.values()].some(({ uniqueKey }) => uniqueKey !== undefined)) {
      return jobIds.map((jobId) => ({ jobId }));
    }
    const found = new Map((await store.find(jobIds)).map((job) => [job.id, job]));
    return Promise.all(
      jobIds.map(async (jobId) => {
        const job = found.get(jobId);
        const kind = job && kinds.get(job.kind);
        if (!job || kind?.uniqueKey === undefined) return { jobId };
        // A payload that the kind no longer accepts is revived without a key, and fails in its attempt.
        const prepared = await prepareJob(kind, JSON.parse(job.payload), {}).catch(() => undefined);
        return { jobId, ...(prepared?.uniqueKey !== undefined && { uniqueKey: prepared.uniqueKey }) };
      }),
    );
  }

  async #report({ operation, changed }: Exclude<AdvanceAnswer, "moved">): Promise<void> {
    if (changed.length === 0) return;
    const { events, pools, waiters, metrics } = this.#options;
    if (operation.action === "cancel") {
      for (const { jobId, token, undoing } of changed) {
        if (token !== undefined) pools?.lose(jobId, token, undoing ? "undoing" : "cancelled");
      }
      metrics.cancelled(changed.filter(({ undoing }) => !undoing).length);
      waiters.look();
    }
    if (operation.action !== "delete") pools?.poke();
    events.emit({ type: "elsewhere" });
    if (events.hasReader) await this.#tellHooks(operation, changed);
  }

  async #tellHooks({ action, request }: StoredOperation, changed: OperationChange[]): Promise<void> {
    const { store, events, log } = this.#options;
    try {
      if (action === "cancel") {
        const jobs = await store.find(changed.filter(({ undoing }) => !undoing).map(({ jobId }) => jobId));
        const { reason = "" } = JSON.parse(request) as { reason?: string };
        events.emit({ type: "cancelled-many", jobs, reason });
      }
      const revived = changed.flatMap(({ as }) => (as === undefined ? [] : [as]));
      if (revived.length > 0) events.emit({ type: "submitted", jobs: await store.find(revived) });
    } catch (error) {
      log.warn("hooks missed jobs of an operation", { jobs: changed.length, error: messageOf(error) });
    }
  }
}

function counted({ done, skipped, failed }: StoredOperation): number {
  return done + skipped + failed;
}
