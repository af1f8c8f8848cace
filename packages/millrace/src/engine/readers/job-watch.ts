// Who in this process reads a job live: its streams or its events. Whatever another process writes is found in three ways:
//
//   PostgreSQL says which streams grew ──▶ streamed ─┐
//   the store says that something changed ──▶ wake ──┼──▶ one look at the pulses of all watched jobs ──▶ readers of those that changed
//   a look each second, in case a word was lost ─────┘
//
// Writes of this process itself are reported at once, without a query. Without readers none of this costs anything.

import type { Events } from "../../events/events.ts";
import type { Store } from "../../store/store.ts";
import type { Pulse } from "../../store/verbs/streams.ts";

const SAFETY_NET_MS = 1_000;
/** A file that many processes write to wakes each of them for every commit. */
const LEAST_PAUSE_MS = 20;
const JOBS_A_LOOK = 200;

interface WatchedJob {
  readonly listeners: Set<() => void>;
  pulse: string | undefined;
  /** The number of reported changes. */
  changes: number;
}

export class JobWatch {
  readonly #store: Store;
  readonly #watched = new Map<string, WatchedJob>();
  #due = new Set<string>();
  #planned: NodeJS.Timeout | undefined;
  #net: NodeJS.Timeout | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking = false;

  constructor(store: Store, events: Events) {
    this.#store = store;
    events.on((event) => {
      if (this.#watched.size === 0) return;
      if (event.type === "written") this.#tell(event.jobId);
      else if (event.type === "settled") this.#tell(event.job.lease.jobId);
      else if (event.type === "claimed") for (const { lease } of event.jobs) this.#tell(lease.jobId);
      else if ("job" in event && "id" in event.job) this.#tell(event.job.id);
      else if (event.type === "elsewhere") this.look();
    });
  }

  /** Calls back when the job may have changed, until the returned function is called. */
  watch(jobId: string, listener: () => void): () => void {
    const watched = this.#watched.get(jobId) ?? { listeners: new Set(), pulse: undefined, changes: 0 };
    this.#watched.set(jobId, watched);
    watched.listeners.add(listener);
    this.#net ??= setInterval(() => this.look(), SAFETY_NET_MS).unref();
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size > 0) return;
      if (this.#watched.get(jobId) === watched) this.#watched.delete(jobId);
      if (this.#watched.size === 0) this.stop();
    };
  }

  /**
   * How often readers of the job were notified of a change. Anything that was read before the last change is out of
   * date.
   */
  changesOf(jobId: string): number {
    return this.#watched.get(jobId)?.changes ?? 0;
  }

  /** Looks at these jobs, or at all that are watched. Several calls in short order are one look. */
  look(jobIds: Iterable<string> = this.#watched.keys()): void {
    for (const jobId of jobIds) if (this.#watched.has(jobId)) this.#due.add(jobId);
    if (this.#due.size === 0 || this.#planned !== undefined || this.#looking) return;
    const pauseMs = Math.max(0, this.#lookedAt + LEAST_PAUSE_MS - performance.now());
    this.#planned = setTimeout(() => void this.#lookNow(), pauseMs).unref();
  }

  stop(): void {
    clearInterval(this.#net);
    clearTimeout(this.#planned);
    this.#net = undefined;
    this.#planned = undefined;
  }

  async #lookNow(): Promise<void> {
    this.#planned = undefined;
    this.#looking = true;
    this.#lookedAt = performance.now();
    const due = [...this.#due];
    this.#due.clear();
    try {
      for (let i = 0; i < due.length; i += JOBS_A_LOOK) await this.#compare(due.slice(i, i + JOBS_A_LOOK));
    } catch {
      // If the store is unavailable for a moment, the safety net looks again.
    } finally {
      this.#looking = false;
      if (this.#due.size > 0) this.look([]);
    }
  }

  async #compare(jobIds: string[]): Promise<void> {
    const pulses = new Map((await this.#store.pulses(jobIds)).map((pulse) => [pulse.jobId, versionOf(pulse)]));
    for (const jobId of jobIds) {
      const watched = this.#watched.get(jobId);
      const pulse = pulses.get(jobId) ?? "gone";
      if (!watched || watched.pulse === pulse) continue;
      watched.pulse = pulse;
      this.#tell(jobId);
    }
  }

  #tell(jobId: string): void {
    const watched = this.#watched.get(jobId);
    if (!watched) return;
    watched.changes++;
    for (const listener of watched.listeners) listener();
  }
}

function versionOf({ job, logs, steps, signals, rest }: Pulse): string {
  return [job, logs, steps, signals, rest].join("\n");
}
