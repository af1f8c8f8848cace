// Whether times are shown in the zone of the reader or in UTC. Kept by the browser.

import { useSyncExternalStore } from "react";
import { showTimesIn } from "./format.ts";

export type Zone = "local" | "utc";

const KEY = "millrace-zone";
const listeners = new Set<() => void>();

function stored(): Zone {
  try {
    return localStorage.getItem(KEY) === "utc" ? "utc" : "local";
  } catch {
    return "local";
  }
}

let zone: Zone = stored();
showTimesIn(zone === "utc" ? "UTC" : undefined);

export function setZone(next: Zone): void {
  zone = next;
  showTimesIn(next === "utc" ? "UTC" : undefined);
  try {
    if (next === "utc") localStorage.setItem(KEY, next);
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing forgets this too.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The zone in which times are shown. */
export function useZone(): Zone {
  return useSyncExternalStore(subscribe, () => zone);
}
