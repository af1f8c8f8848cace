import type { Outbox } from "./outbox.ts";
import { OutboxRelay, type OutboxRelayOptions } from "./relay.ts";

/** The relays of a process, one for each of its outboxes. A process that defines no kinds relays nothing. */
export class OutboxRelays {
  readonly #relays: readonly OutboxRelay[];

  constructor(outboxes: readonly Outbox[], options: OutboxRelayOptions) {
    this.#relays = options.kinds.length === 0 ? [] : outboxes.map((outbox) => new OutboxRelay(outbox, options));
  }

  start(): void {
    for (const relay of this.#relays) relay.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#relays.map((relay) => relay.stop()));
  }

  /** Relays all rows that are committed now. */
  async tick(): Promise<void> {
    for (const relay of this.#relays) while ((await relay.pass()) === 0);
  }

  problems(): string[] {
    return this.#relays.flatMap(({ problem }) => problem ?? []);
  }
}
