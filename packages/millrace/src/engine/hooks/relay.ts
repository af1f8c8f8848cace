// Hooks with `everywhere`: processes on one store tell each other what happens to jobs. A process that wants to know says so
// in the roster; the others look there twice a second and send only what is wanted. Without such a hook, that look is all it costs.

import { randomUUID } from "node:crypto";
import { messageOf } from "../../lib/app-error.ts";
import { firstOf } from "../../lib/first-of.ts";
import type { Interest } from "./hooks.ts";
import { Receiver, type ReceiverOptions } from "./receiver.ts";
import { readRoster } from "./roster.ts";
import { Sender, type SenderOptions } from "./sender.ts";

export type HookRelayOptions = Omit<SenderOptions & ReceiverOptions, "process">;

const LOOK_MS = 500;
/** The time limit of the last batch: longer than a commit takes, shorter than a supervisor waits. */
const LAST_BATCH_MS = 1_000;

export class HookRelay {
  readonly #options: HookRelayOptions;
  readonly #sender: Sender;
  readonly #receiver: Receiver;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: HookRelayOptions) {
    const process = randomUUID();
    this.#options = options;
    this.#sender = new Sender({ ...options, process });
    this.#receiver = new Receiver({ ...options, process });
  }

  start(): void {
    this.#sender.start();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#look();
  }

  wants(interest: Interest | undefined): void {
    if (this.#timer) this.#receiver.wants(interest);
  }

  #look(): void {
    this.#looking ??= this.#learn().finally(() => {
      this.#looking = undefined;
    });
  }

  async #learn(): Promise<void> {
    const { store, clock, log } = this.#options;
    try {
      this.#sender.learn(await readRoster(store, clock));
    } catch (error) {
      log.debug("hook roster not read", { error: messageOf(error) });
    }
  }

  /** A store that does not answer must not keep the process from ending. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#timer === undefined) return;
    this.#timer = undefined;
    await firstOf(this.#stop(), LAST_BATCH_MS);
  }

  async #stop(): Promise<void> {
    await this.#looking;
    await Promise.all([this.#sender.stop(), this.#receiver.stop()]);
  }
}
