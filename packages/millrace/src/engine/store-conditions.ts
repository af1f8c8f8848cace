import type { Clock } from "../lib/clock.ts";
import type { StoreCondition } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";

/** A condition that comes and goes is logged once in this time. */
const LOG_AGAIN_MS = 60_000;

/**
 * The conditions that the store last reported. Health lists them, and the log has the beginning and the end of each.
 */
export class StoreConditions {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #loggedAt = new Map<StoreCondition["code"], number>();
  #logged = new Set<StoreCondition["code"]>();
  #now: readonly StoreCondition[] = [];

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  get now(): readonly StoreCondition[] {
    return this.#now;
  }

  changed(conditions: readonly StoreCondition[]): void {
    this.#now = conditions;
    const codes = new Set(conditions.map(({ code }) => code));
    for (const condition of conditions) this.#begun(condition);
    for (const code of this.#logged) if (!codes.has(code)) this.#ended(code);
  }

  #begun({ code, level, message }: StoreCondition): void {
    if (this.#logged.has(code)) return;
    const at = this.#clock.monotonic();
    const lastAt = this.#loggedAt.get(code);
    if (lastAt !== undefined && at - lastAt < LOG_AGAIN_MS) return;
    this.#loggedAt.set(code, at);
    this.#logged.add(code);
    if (level === "error") this.#log.error("store condition", { code, error: message });
    else this.#log.warn("store condition", { code, error: message });
  }

  #ended(code: StoreCondition["code"]): void {
    this.#logged.delete(code);
    this.#log.info("store condition ended", { code });
  }
}
