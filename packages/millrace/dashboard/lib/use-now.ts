import { useSyncExternalStore } from "react";

// One timer for all times on the page: they change together, and only while the page is visible.

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}

/** The present time, in milliseconds since 1970. The component is drawn again as it passes. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read);
}

function read(): number {
  if (timer === undefined) now = Math.max(now, coarseNow());
  return now;
}

// Without a timer yet the first reader gets the present, steady enough to be read twice in one rendering.
function coarseNow(): number {
  return Math.floor(Date.now() / 250) * 250;
}
