import { messageOf } from "../lib/app-error.ts";
import { firstOf } from "../lib/first-of.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";

/** Longer than a commit takes. An unavailable store must not hold up the stop. */
const ANNOUNCE_MS = 1_000;
const LAST_FIGURES_MS = 1_000;

/** From here on a supervisor may kill this process at any moment, and no job is to blame for that. */
export function announceStop(store: Store, log: Log, hurry: AbortSignal): Promise<void> {
  const written = store.drain().catch((error) => log.warn("could not announce the stop", { error: messageOf(error) }));
  return firstOf(written, ANNOUNCE_MS, hurry);
}

/** The figures of the last minute are worth no longer stop. */
export function storeLastFigures(kept: { stop(): Promise<void> }, hurry: AbortSignal): Promise<void> {
  return firstOf(kept.stop(), LAST_FIGURES_MS, hurry);
}
