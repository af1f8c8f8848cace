// Keeps one worker with the newest code that loads. The states of a worker:
//   starting → serving → retiring → gone     a newer one serves
//   starting → gone                          its code does not load, or a newer change came first
//   serving → gone                           it died; started again, unless it died at once

import { join } from "node:path";
import { moduleFiles } from "./imports.ts";
import type { DevLines } from "./lines.ts";
import type { PortRelay, RelayTarget } from "./relay.ts";
import { Watcher } from "./watch.ts";
import { type Order, Worker } from "./worker.ts";

/** A worker that dies sooner than this would die again: a change of its code may help. */
const SOON_MS = 5_000;

export interface SupervisorOptions {
  readonly order: Order;
  /** The modules of the user, which are watched with all that they import. */
  readonly entries: readonly string[];
  readonly isForeign: (file: string) => boolean;
  readonly relay: PortRelay;
  readonly lines: DevLines;
  /** Called when `.env` has changed. */
  readonly settingsChanged: () => void;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #watcher: Watcher;
  readonly #settingsFile = join(process.cwd(), ".env");
  readonly #workers = new Set<Worker>();
  #serving: Worker | undefined;
  #starting: Worker | undefined;
  #kinds: readonly string[] = [];
  /** Changed files that no worker serves yet. */
  readonly #changed = new Set<string>();
  #stopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#watcher = new Watcher((files) => void this.#reload(files));
  }

  async start(): Promise<void> {
    await this.#load();
  }

  /** Resolves when every worker is gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#watcher.stop();
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  /** Cuts the grace short. */
  hurry(): void {
    for (const worker of this.#workers) worker.hurry();
  }

  async #reload(files: readonly string[]): Promise<void> {
    for (const file of files) this.#changed.add(file);
    if (files.includes(this.#settingsFile)) this.#options.settingsChanged();
    await this.#load();
  }

  async #load(): Promise<void> {
    if (this.#stopping) return;
    const startedAt = performance.now();
    const files = moduleFiles(this.#options.entries, this.#options.isForeign);
    this.#watcher.set([...files, this.#settingsFile]);
    // A newer change: what loads now is out of date already.
    void this.#starting?.stop();
    const worker = new Worker(this.#options.order);
    this.#starting = worker;
    this.#workers.add(worker);
    void worker.ended.then((how) => this.#ended(worker, how));
    const ready = await worker.ready;
    if (this.#starting !== worker || this.#stopping) return;
    this.#starting = undefined;
    if (ready === undefined) return this.#failed();
    this.#serve(worker, ready, files.length, performance.now() - startedAt);
  }

  #serve(
    worker: Worker,
    { target, kinds }: { readonly target: RelayTarget; readonly kinds: readonly string[] },
    files: number,
    tookMs: number,
  ): void {
    const { relay, lines } = this.#options;
    const old = this.#serving;
    this.#serving = worker;
    relay.switchTo(target);
    lines.serving({ kinds, before: this.#kinds, changed: [...this.#changed], files, tookMs });
    this.#kinds = kinds;
    this.#changed.clear();
    void old?.retire();
  }

  #failed(): void {
    const { relay, lines } = this.#options;
    const isServed = this.#serving !== undefined;
    lines.failed({ changed: [...this.#changed], isServed });
    if (!isServed) relay.interrupt("The code does not load. Save a fix to start it.");
  }

  #ended(worker: Worker, how: string): void {
    this.#workers.delete(worker);
    if (this.#serving !== worker || this.#stopping) return;
    const { relay, lines } = this.#options;
    this.#serving = undefined;
    const diedSoon = performance.now() - worker.startedAt < SOON_MS;
    lines.died(how, diedSoon);
    relay.interrupt(diedSoon ? "The worker ended. Save a change to start it again." : undefined);
    if (!diedSoon && this.#starting === undefined) void this.#load();
  }
}
