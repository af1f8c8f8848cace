import { planOf } from "../job/kind/settings.ts";
import { AppError } from "../lib/app-error.ts";
import { LONGEST_TIMER_MS, systemClock } from "../lib/clock.ts";
import { checkOptions, type OptionBag } from "../lib/options/check.ts";
import { ms, onOff } from "../lib/options/option.ts";
import { announceStop, storeLastFigures } from "./announce-stop.ts";
import { limitsOf, type MillraceOptions, settingsOf } from "./options.ts";
import { assemble, type Parts, storeEvents } from "./parts.ts";

const STOP: OptionBag = { what: "stop", options: { graceMs: ms(0, LONGEST_TIMER_MS), hurry: onOff() } };

/** Opens the store, registers the kinds and starts the parts. */
export async function openEngine(options: MillraceOptions): Promise<RunningEngine> {
  const settings = settingsOf(options);
  const { leaseMs, durability } = settings;
  const store = options.store({ leaseMs, durability, limits: limitsOf(settings) });
  settings.pollMs = options.pollMs ?? store.pollMs ?? settings.pollMs;
  const parts = await assemble(options, store, settings, options.clock ?? store.clock ?? systemClock());
  const engine = new RunningEngine(parts, options.onFatal);
  try {
    await engine.start(options);
  } catch (error) {
    // Isolated stages have children from the beginning: they must not outlive a failed start.
    await parts.pools?.stop({ graceMs: 0 });
    throw error;
  }
  return engine;
}

export function notOpened(): AppError {
  return new AppError("options-invalid", "new Millrace() does not work. Use Millrace.open().", {
    hint: 'const millrace = await Millrace.open({ store: sqlite("./data/jobs.db"), kinds: [...] })',
  });
}

/** The life of an engine: its parts are started in one order and stopped in another. */
export class RunningEngine {
  readonly parts: Parts;
  readonly #onFatal: ((error: Error) => void) | undefined;
  readonly #hurry = new AbortController();
  readonly #stopBegun = new AbortController();
  #fatal: Error | undefined;
  #stopped: Promise<void> | undefined;

  constructor(parts: Parts, onFatal: ((error: Error) => void) | undefined) {
    this.parts = parts;
    this.#onFatal = onFatal;
  }

  async start({ limiters = {}, limits = {}, timers, deployment }: MillraceOptions): Promise<void> {
    const { store, kinds, settings, pools, relay, upkeep, outboxes, shared, metrics } = this.parts;
    await store.open(storeEvents(this.parts, (error) => this.#fail(error)));
    try {
      await store.register(
        [...kinds.values()].map((kind) => planOf(kind, settings)),
        { work: pools !== undefined, limits, ...(deployment !== undefined && { deployment }) },
      );
      await store.setLimiters(Object.entries(limiters).map(([name, limiter]) => ({ name, ...limiter })));
    } catch (error) {
      await store.close();
      throw error;
    }
    if (timers !== false) relay.start();
    pools?.start();
    if (timers === false) return;
    upkeep.start();
    outboxes.start();
    shared.start();
    metrics.start();
  }

  /** The error that ended the engine. */
  get fatal(): Error | undefined {
    return this.#fatal;
  }

  get isStopping(): boolean {
    return this.#stopped !== undefined;
  }

  /** Aborted when `stop()` is called for the first time. */
  get stopping(): AbortSignal {
    return this.#stopBegun.signal;
  }

  throwIfEnded(): void {
    if (this.#fatal) throw this.#fatal;
    if (this.isStopping) throw new AppError("stopping", "This engine is stopping and accepts no new jobs.");
  }

  async stop(options: { graceMs?: number; hurry?: boolean }): Promise<void> {
    checkOptions(STOP, options);
    if (options.hurry) this.#hurry.abort();
    this.#stopBegun.abort();
    this.#stopped ??= this.#stop(options.graceMs ?? this.parts.settings.shutdownGraceMs);
    await this.#stopped;
  }

  async #stop(graceMs: number): Promise<void> {
    const { log, metrics, upkeep, outboxes, pools, hooks, relay, shared, waiters, watch, kept, store } = this.parts;
    await announceStop(store, log, this.#hurry.signal);
    log.info("drain", { busy: pools?.busyCount ?? 0, graceMs });
    metrics.stop();
    await Promise.all([upkeep.stop(), outboxes.stop(), this.parts.runner.stop()]);
    await pools?.stop({ graceMs, hurry: this.#hurry.signal });
    await Promise.all([hooks.stop(), relay.stop()]);
    await Promise.all([shared.stop(), storeLastFigures(kept, this.#hurry.signal)]);
    waiters.stop(new AppError("stopping", "This engine was stopped."));
    watch.stop();
    await store.close();
  }

  /** Does once everything that the timers do. */
  async tick(): Promise<void> {
    const { store, pools, metrics, upkeep, outboxes } = this.parts;
    await store.beat();
    pools?.tick();
    metrics.tick();
    await upkeep.tick();
    await outboxes.tick();
  }

  /** Runs everything that may run now, and what follows from it. */
  async drain(): Promise<void> {
    while (await this.parts.pools?.drain()) {
      // A settled job may have made more work: the next stage, a freed limit.
    }
    await this.parts.hooks.flush();
  }

  #fail(error: Error): void {
    if (this.#fatal) return;
    this.#fatal = error;
    this.parts.log.error("fatal", { error: error.message });
    this.#onFatal?.(error);
  }
}
