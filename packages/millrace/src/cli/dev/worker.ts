import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { StoreFlags } from "../load.ts";
import { RelayTarget } from "./relay.ts";

/** What a worker serves, and where it keeps its data. */
export interface Order extends StoreFlags {
  readonly load?: readonly string[] | undefined;
  readonly only?: readonly string[] | undefined;
  /** What running jobs get to finish when it is replaced. */
  readonly graceMs: number;
}

/** The message of a worker that serves. */
export interface ReadyMessage {
  readonly port: number;
  readonly kinds: readonly string[];
}

/** The time after the grace to hand back jobs and to close the store. */
const CLOSING_MS = 5_000;
const HURRIED_MS = 3_000;
/**
 * The time for requests that were sent to it before the switch. A busy machine may take most of a second to answer one.
 */
const LAST_REQUESTS_MS = 1_000;
const LOOK_MS = 10;

/** A process with one version of the code. */
export class Worker {
  /** Settles when it serves. Undefined: it ended before. */
  readonly ready: Promise<{ readonly target: RelayTarget; readonly kinds: readonly string[] } | undefined>;
  readonly ended: Promise<string>;
  readonly startedAt = performance.now();
  readonly #process: ChildProcess;
  readonly #graceMs: number;
  #target: RelayTarget | undefined;

  constructor(order: Order) {
    this.#graceMs = order.graceMs;
    const main = fileURLToPath(new URL("./worker-main.ts", import.meta.url));
    this.#process = spawn(process.execPath, [...process.execArgv, main, JSON.stringify(order)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.ended = once(this.#process, "exit").then(
      ([code, signal]) => (signal === null ? `exit code ${code}` : `signal ${signal}`),
      (error: Error) => error.message,
    );
    const serving = once(this.#process, "message").then(([message]) => {
      const { port, kinds } = message as ReadyMessage;
      this.#target = new RelayTarget(port);
      return { target: this.#target, kinds };
    });
    this.ready = Promise.race([serving, this.ended.then(() => undefined)]);
  }

  /** Finishes its last requests and its jobs, or hands them back. Resolves when the process is gone. */
  async retire(): Promise<void> {
    const until = performance.now() + LAST_REQUESTS_MS;
    while ((this.#target?.sockets.size ?? 0) > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    await this.stop();
  }

  async stop(): Promise<void> {
    this.#process.kill("SIGTERM");
    const timer = setTimeout(() => this.#kill(), this.#graceMs + CLOSING_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Hands back its jobs at once. */
  hurry(): void {
    this.#process.kill("SIGTERM");
    setTimeout(() => this.#kill(), HURRIED_MS).unref();
  }

  #kill(): void {
    this.#process.kill("SIGKILL");
  }
}
