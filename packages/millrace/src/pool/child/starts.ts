import { messageOf } from "../../lib/app-error.ts";
import { GrowingPause } from "../../lib/growing-pause.ts";
import type { Log } from "../../telemetry/log/log.ts";
import { SlowStart, START_MS } from "./child.ts";

/**
 * The longest start. A start that is given up begins again from nothing, so each may take twice as long as the one
 * before.
 */
const LONGEST_START_MS = 480_000;
const PAUSES = { firstMs: 1_000, longestMs: 60_000 };

export interface StartsOptions {
  kind: string;
  stage: string;
  module: URL;
  log: Log;
  /** The module loads again: there may be work to claim. */
  onMended: () => void;
  /** How long the first start may take. Default: 30 s. */
  startMs?: number | undefined;
}

/** Whether the module of an isolated stage starts. One that does not is tried again after growing pauses. */
export class Starts {
  broken: string | undefined;
  startsSlowly = false;
  /** How long a child may take to start. */
  startMs: number;
  readonly #usualMs: number;
  readonly #options: StartsOptions;
  readonly #pause = new GrowingPause(PAUSES);

  constructor(options: StartsOptions) {
    this.#options = options;
    this.#usualMs = options.startMs ?? START_MS;
    this.startMs = this.#usualMs;
  }

  /** Whether the module is broken and it is time to try it again. */
  get isDue(): boolean {
    return this.broken !== undefined && this.#pause.isOver;
  }

  succeeded(tookMs: number): void {
    const { kind, stage, log, onMended } = this.#options;
    this.#pause.reset();
    if (tookMs < this.#usualMs) this.startMs = this.#usualMs;
    if (!this.broken) return;
    this.broken = undefined;
    this.startsSlowly = false;
    log.info("processor module loads again", { kind, stage });
    onMended();
  }

  failed(error: unknown): void {
    const { kind, stage, module, log } = this.#options;
    const pauseMs = this.#pause.begin();
    this.broken = `The module ${module.pathname} does not start: ${messageOf(error)}`;
    this.startsSlowly = error instanceof SlowStart;
    const about = { kind, stage, error: messageOf(error), pauseMs };
    if (!this.startsSlowly) return log.error("processor module does not start", about);
    this.startMs = Math.min(LONGEST_START_MS, this.startMs * 2);
    log.warn("processor starts slowly", about);
  }
}
