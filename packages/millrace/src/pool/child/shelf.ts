// The child processes of one isolated stage: busy ones, and idle ones on a shelf. The child that was used last is taken first, so
// that the others may end. With spares, a started child stands by, so that a killed child costs the next job no start.

import type { Stage } from "../../job/kind/kind.ts";
import { crashedOverMemory } from "../outcome.ts";
import type { Child } from "./child.ts";

const IDLE_MS = 60_000;
/** A process that starts only to look, or to submit, should not start a child. */
const FIRST_CHILD_MS = 200;
/** One spare is started at once. Further spares start one after another, when the start of everything else is over. */
const FURTHER_SPARES_MS = 5_000;

export interface ShelfOptions {
  stage: Stage;
  isBroken(): boolean;
  spawn(onExit: (hasStarted: boolean) => void): Child;
}

export class Shelf {
  readonly #options: ShelfOptions;
  readonly #idle: Child[] = [];
  readonly #all = new Set<Child>();
  #firstAt: number | undefined;
  readonly #furtherSparesAt = performance.now() + FURTHER_SPARES_MS;
  #isStopped = false;

  constructor(options: ShelfOptions) {
    this.#options = options;
  }

  get all(): ReadonlySet<Child> {
    return this.#all;
  }

  get idle(): readonly Child[] {
    return this.#idle;
  }

  /** A child that has started, rather than one that still starts. */
  pop(): Child {
    const at = this.#idle.findLastIndex((child) => child.started);
    const [child = this.#spawn()] = this.#idle.splice(at, 1);
    this.#keepOneSpare();
    return child;
  }

  /** A killed child is gone from the shelf already. A child that is worn out ends, and another stands by for it. */
  putBack(child: Child): void {
    if (child.dead || child.busy || this.#isStopped) return;
    const { afterJobs = Number.POSITIVE_INFINITY, aboveMb = Number.POSITIVE_INFINITY } = this.#stage.recycle ?? {};
    if (child.slowed || child.jobs >= afterJobs || child.memoryMb() > aboveMb) child.retire();
    else this.#idle.push(child);
    this.#keepOneSpare();
  }

  /** A broken module is tried again with one child. */
  tryAgain(): void {
    if (this.#all.size === 0) this.#idle.push(this.#spawn());
  }

  /** Called ten times a second. */
  tick(): void {
    this.#startFirst();
    this.#endOversized();
    if (this.#wantsFurtherSpares) this.#standBy(this.#idle.length + 1);
    this.#endLongIdle();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const child of this.#all) child.kill("lost");
    await Promise.all([...this.#all].map((child) => child.exited()));
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * One child soon after the start shows whether the module loads, before any job waits for it. Ticks begin when the store is
   * open, so a confined child starts with the store's files hidden.
   */
  #startFirst(): void {
    this.#firstAt ??= performance.now() + FIRST_CHILD_MS;
    if (performance.now() < this.#firstAt) return;
    this.#firstAt = Number.POSITIVE_INFINITY;
    if (this.#all.size === 0) this.#standBy(1);
  }

  #endOversized(): void {
    const { memoryMb } = this.#stage;
    if (memoryMb === undefined) return;
    for (const child of this.#all) {
      if (child.busy && child.memoryMb() > memoryMb) child.kill(crashedOverMemory(memoryMb));
    }
  }

  #endLongIdle(): void {
    const [longest] = this.#idle;
    if (!longest || this.#idle.length <= 1 + this.#spares) return;
    if (longest.idleSince === 0 || performance.now() - longest.idleSince <= IDLE_MS) return;
    this.#idle.shift();
    longest.retire();
  }

  get #wantsFurtherSpares(): boolean {
    if (this.#idle.length >= this.#spares || performance.now() < this.#furtherSparesAt) return false;
    return this.#idle.every((child) => child.started) && [...this.#all].some((child) => child.jobs > 0);
  }

  #keepOneSpare(): void {
    this.#standBy(Math.min(1, this.#spares));
  }

  #standBy(count: number): void {
    const { isBroken } = this.#options;
    while (!this.#isStopped && !isBroken() && this.#idle.length < count) this.#idle.unshift(this.#spawn());
  }

  #spawn(): Child {
    const child = this.#options.spawn((hasStarted) => {
      this.#all.delete(child);
      const index = this.#idle.indexOf(child);
      if (index >= 0) this.#idle.splice(index, 1);
      // A child that never started is tried again after a pause.
      if (hasStarted) this.#keepOneSpare();
    });
    this.#all.add(child);
    return child;
  }

  get #stage(): Stage {
    return this.#options.stage;
  }

  get #spares(): number {
    return this.#stage.spares ?? 0;
  }
}
