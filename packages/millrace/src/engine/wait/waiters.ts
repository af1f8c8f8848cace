import { FINISHED, type Job } from "../../job/job.ts";
import type { Store } from "../../store/store.ts";

const SAFETY_NET_MS = 1_000;
const LOOK_AGAIN_MS = 20;
const MOST_FORGOTTEN = 1_000;

interface Waiter {
  resolve(job: Job | undefined): void;
  reject(error: unknown): void;
}

/** The callers in this process that wait for jobs to finish. All of them share one query per wake-up. */
export class Waiters {
  readonly #store: Store;
  readonly #missing = new Set<string>();
  readonly #waiting = new Map<string, Set<Waiter>>();
  /** The last finished jobs of kinds that keep nothing, so that callers that wait here still get their results. */
  readonly #forgotten = new Map<string, Job>();
  #timer: NodeJS.Timeout | undefined;
  #stopped: Error | undefined;
  #looking = false;
  #lookAgain = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Resolves with the finished job, or undefined if it is deleted. Rejects with the signal's reason. */
  async wait(jobId: string, signal?: AbortSignal): Promise<Job | undefined> {
    signal?.throwIfAborted();
    if (this.#stopped) throw this.#stopped;
    return new Promise((resolve, reject) => {
      const abort = () => waiter.reject(signal?.reason);
      const waiter: Waiter = {
        resolve: (job) => {
          signal?.removeEventListener("abort", abort);
          resolve(job);
        },
        reject: (error) => {
          this.#remove(jobId, waiter);
          reject(error);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      const others = this.#waiting.get(jobId) ?? new Set();
      this.#waiting.set(jobId, others.add(waiter));
      this.#timer ??= setInterval(() => this.look(), SAFETY_NET_MS);
      this.look();
    });
  }

  /** Call this when a job has finished in this process and the store has deleted it. */
  forgotten(job: Job): void {
    this.#forgotten.set(job.id, job);
    const [oldest] = this.#forgotten.keys();
    if (this.#forgotten.size > MOST_FORGOTTEN && oldest !== undefined) this.#forgotten.delete(oldest);
    this.settled(job.id);
  }

  /** Call this when a job has settled in this process. The store is read only if a caller waits for it. */
  settled(jobId: string): void {
    if (this.#waiting.has(jobId)) this.look();
  }

  /** Call this when something changed. It asks the store once for all callers. */
  look(): void {
    if (this.#waiting.size === 0) return;
    this.#lookAgain = true;
    if (!this.#looking) void this.#lookUntilQuiet();
  }

  stop(error: Error): void {
    this.#stopped = error;
    for (const waiters of this.#waiting.values()) for (const waiter of waiters) waiter.reject(error);
    this.#waiting.clear();
    this.#missing.clear();
    this.#rest();
  }

  async #lookUntilQuiet(): Promise<void> {
    this.#looking = true;
    try {
      while (this.#lookAgain && this.#waiting.size > 0) {
        this.#lookAgain = false;
        await this.#lookOnce();
      }
    } catch {
      // If the store is in trouble, the safety net asks again.
    } finally {
      this.#looking = false;
    }
  }

  async #lookOnce(): Promise<void> {
    const asked = [...this.#waiting.keys()];
    const found = new Map((await this.#store.find(asked)).map((job) => [job.id, job]));
    // A job that is deleted as it settles may be gone from the store a moment before this process knows of its end.
    if (found.size < asked.length) await new Promise((resolve) => setImmediate(resolve));
    for (const jobId of asked) {
      const job = found.get(jobId) ?? this.#forgotten.get(jobId);
      if (job && !FINISHED.has(job.standing)) continue;
      if (!job && this.#missingForTheFirstTime(jobId)) continue;
      for (const waiter of this.#waiting.get(jobId) ?? []) waiter.resolve(job);
      this.#waiting.delete(jobId);
    }
    this.#rest();
  }

  /** A job may be missing before its end is known here, because the answer to its settlement arrives separately. */
  #missingForTheFirstTime(jobId: string): boolean {
    if (this.#missing.delete(jobId)) return false;
    this.#missing.add(jobId);
    setTimeout(() => this.look(), LOOK_AGAIN_MS).unref();
    return true;
  }

  #remove(jobId: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(jobId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) {
      this.#waiting.delete(jobId);
      this.#missing.delete(jobId);
    }
    this.#rest();
  }

  #rest(): void {
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
