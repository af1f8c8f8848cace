// The submissions of a load, one after the other.

import { durationMs } from "../workflow/duration.ts";
import { drawPause } from "./chance.ts";
import type { SimulatedLoad } from "./plan.ts";

/** Jobs that come in at one moment. */
export interface Arrival {
  /** Milliseconds after the start. */
  readonly at: number;
  readonly jobs: number;
}

/** Ends with the load, or at `endMs`. */
export function* arrivalsOf(load: SimulatedLoad, endMs: number, random: () => number): Generator<Arrival> {
  const from = load.from === undefined ? 0 : durationMs("from", load.from);
  if (load.jobs !== undefined) {
    if (from < endMs) yield { at: from, jobs: load.jobs };
    return;
  }
  const until = load.until === undefined ? endMs : Math.min(endMs, durationMs("until", load.until));
  const pauseMs = 1_000 / (load.perSecond as number);
  const pause = load.arrivals === "steady" ? () => pauseMs : () => drawPause(pauseMs, random);
  for (let at = from + pause(); at < until; at += pause()) yield { at: Math.floor(at), jobs: 1 };
}

export function tenantOf({ tenant = "default", tenants }: SimulatedLoad, random: () => number): string {
  return tenants === undefined ? tenant : `tenant-${1 + Math.floor(random() * tenants)}`;
}

export function keyOf({ keys }: SimulatedLoad, random: () => number): string | undefined {
  return keys === undefined ? undefined : `key-${1 + Math.floor(random() * keys)}`;
}
