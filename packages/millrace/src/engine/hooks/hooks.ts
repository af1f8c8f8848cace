// Hooks: functions that hear what happens to jobs. They are called after the fact and beside the work, in a turn of the loop
// of their own: a hook can neither delay a claim nor fail a job. What it throws is logged.

import type { Events } from "../../events/events.ts";
import type { JobEventName } from "../../job/report/job-event.ts";
import { eventOf, type JobNews } from "../../job/report/job-news.ts";
import type { Clock } from "../../lib/clock.ts";
import { firstOf } from "../../lib/first-of.ts";
import type { Log } from "../../telemetry/log/log.ts";
import { type HookOptions, type Subscription, subscriptionOf } from "./hook.ts";

/** The events of other processes that this process wants. */
export interface Interest {
  names: JobEventName[];
  /** The names of the kinds. null: all kinds. */
  kinds: string[] | null;
}

export interface HooksOptions {
  events: Pick<Events, "read">;
  clock: Clock;
  log: Log;
  /** Called whenever the interest changes. Undefined: no event is wanted. */
  wants(interest: Interest | undefined): void;
}

interface QueuedNews {
  readonly news: JobNews;
  readonly number: number;
  readonly isLocal: boolean;
}

/**
 * How long hooks that still run may take when the engine stops: long enough for a request, shorter than a supervisor
 * waits.
 */
const LAST_HOOKS_MS = 1_000;

export class Hooks {
  readonly #options: HooksOptions;
  readonly #subscriptions = new Set<Subscription>();
  readonly #running = new Set<Promise<void>>();
  #queue: QueuedNews[] = [];
  #count = 0;
  #timer: NodeJS.Immediate | undefined;
  #unread: (() => void) | undefined;

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  on(name: JobEventName, hook: (event: never) => unknown, options: HookOptions): () => void {
    const at = { after: this.#count, sinceAt: this.#options.clock.now() };
    const subscription = subscriptionOf(name, hook, options, at);
    const { signal } = options;
    const off = () => {
      signal?.removeEventListener("abort", off);
      if (this.#subscriptions.delete(subscription)) this.#changed(subscription);
    };
    if (signal?.aborted) return off;
    signal?.addEventListener("abort", off, { once: true });
    this.#subscriptions.add(subscription);
    this.#changed(subscription);
    return off;
  }

  #changed({ isEverywhere }: Subscription): void {
    if (this.#subscriptions.size > 0) this.#unread ??= this.#options.events.read((news) => this.#add(news, true));
    else this.#rest();
    if (isEverywhere) this.#options.wants(this.#interest());
  }

  #rest(): void {
    this.#unread?.();
    this.#unread = undefined;
  }

  #interest(): Interest | undefined {
    const wanted = [...this.#subscriptions].filter(({ isEverywhere }) => isEverywhere);
    if (wanted.length === 0) return undefined;
    const kinds = wanted.flatMap(({ kind }) => kind ?? []);
    return {
      names: [...new Set(wanted.map(({ name }) => name))],
      kinds: kinds.length < wanted.length ? null : [...new Set(kinds)],
    };
  }

  /** News of another process. */
  receive(news: JobNews): void {
    this.#add(news, false);
  }

  #add(news: JobNews, isLocal: boolean): void {
    const queued = { news, number: ++this.#count, isLocal };
    for (const subscription of this.#subscriptions) {
      if (!isFor(subscription, queued)) continue;
      this.#queue.push(queued);
      this.#timer ??= setImmediate(() => this.#callAll());
      return;
    }
  }

  #callAll(): void {
    clearImmediate(this.#timer);
    this.#timer = undefined;
    const queue = this.#queue;
    this.#queue = [];
    // The news that a job was claimed may arrive before the news that it was stored, in the same turn of the loop.
    const isSubmitted = ({ news }: QueuedNews) => news.name === "submitted";
    for (const each of queue.filter(isSubmitted)) this.#call(each);
    for (const each of queue) if (!isSubmitted(each)) this.#call(each);
  }

  #call(queued: QueuedNews): void {
    const { news, isLocal } = queued;
    const subscriptions = [...this.#subscriptions].filter((each) => isFor(each, queued));
    if (subscriptions.length === 0) return;
    const event = eventOf(news, { isLocal });
    for (const subscription of subscriptions) {
      // One hook may have ended the subscription of another.
      if (!this.#subscriptions.has(subscription)) continue;
      try {
        const returned = subscription.call(event);
        if (typeof (returned as PromiseLike<unknown> | undefined)?.then === "function") this.#follow(returned, news);
      } catch (error) {
        this.#failed(error, news);
      }
    }
  }

  /** A hook that returns a promise is waited for when the engine stops. */
  #follow(returned: unknown, news: JobNews): void {
    const running: Promise<void> = Promise.resolve(returned)
      .then(
        () => {},
        (error) => this.#failed(error, news),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #failed(error: unknown, { name, jobId, kind, tenant }: JobNews): void {
    this.#options.log.error("hook failed", { hook: name, jobId, kind, tenantId: tenant, error });
  }

  /** Calls hooks for all that has happened by now, and waits for them. */
  async flush(): Promise<void> {
    while (this.#queue.length + this.#running.size > 0) {
      this.#callAll();
      await Promise.all(this.#running);
    }
  }

  async stop(): Promise<void> {
    if (this.#queue.length + this.#running.size > 0) await firstOf(this.flush(), LAST_HOOKS_MS);
    this.#subscriptions.clear();
    this.#rest();
  }
}

function isFor(
  { name, kind, isEverywhere, after, sinceAt }: Subscription,
  { news, number, isLocal }: QueuedNews,
): boolean {
  if (name !== news.name || (kind !== undefined && kind !== news.kind) || number <= after) return false;
  return isLocal || (isEverywhere && news.at >= sinceAt);
}
