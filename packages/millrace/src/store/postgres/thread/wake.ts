// Between processes work is announced by NOTIFY, and polling is the safety net. A notification is never part of the
// transaction that it announces: PostgreSQL lets one notifying transaction commit at a time. The first is sent at once,
// and those that come meanwhile share the next.

import type { Connections } from "../connection/connections.ts";

/**
 * "work": jobs are ready. "end": something else changed, such as the end of a job that a caller may wait for. "revoked": leases
 * were ended from outside. "streamed": a stream grew.
 */
export type WakeReason = "work" | "end" | "revoked" | "streamed";

const NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
/** A caller that waits for the end of a job can wait this much longer. An idle pool should not. */
const PAUSE_MS = { work: 2, end: 20, revoked: 0, streamed: 30 };
/** The jobs whose streams grew are named, unless they are more than this: a notification has at most 8,000 bytes. */
const MOST_NAMED = 300;

export function channelOf(schema: string): string {
  return `${schema}_wake`;
}

export class WakeSender {
  readonly #connections: Connections;
  #words = new Set<WakeReason>();
  #streamed = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #speaking: Promise<void> | undefined;
  #spokenAt = Number.NEGATIVE_INFINITY;
  /** Tells notifications of this process from those of others. */
  instance = 0;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  say(word: WakeReason): void {
    this.#words.add(word);
    if (this.#speaking !== undefined) return;
    this.#plan();
  }

  /** Streams of this job have grown. Only processes with readers of the job look. */
  sayStreamed(job: number): void {
    this.#streamed.add(job);
    this.say("streamed");
  }

  /** Sends the notifications that are planned. No more are planned after that. */
  async quiet(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#speaking;
    if (this.#words.size > 0) await this.#speak();
  }

  #plan(): void {
    const pauseMs = Math.min(...[...this.#words].map((word) => PAUSE_MS[word]));
    const dueAt = Math.max(performance.now(), this.#spokenAt + pauseMs);
    if (this.#timer !== undefined && dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#speaking = this.#speak().finally(() => {
          this.#speaking = undefined;
          if (this.#words.size > 0) this.#plan();
        });
      },
      Math.max(0, dueAt - performance.now()),
    );
  }

  #takeStreamed(): string {
    const jobs = this.#streamed.size > MOST_NAMED ? "*" : [...this.#streamed].join(",");
    this.#streamed.clear();
    return `streamed:${jobs}`;
  }

  async #speak(): Promise<void> {
    const words = [...this.#words].map((word) => (word === "streamed" ? this.#takeStreamed() : word)).join(" ");
    this.#words.clear();
    this.#spokenAt = performance.now();
    try {
      const channel = channelOf(this.#connections.target.schema);
      await this.#connections.write.run(NOTIFY, [channel, `${this.instance} ${words}`]);
    } catch {
      // If a notification is lost, polling finds the work.
    }
  }
}
