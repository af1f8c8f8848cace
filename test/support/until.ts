import { setTimeout as pause } from "node:timers/promises";
import { scaled } from "./slowness.ts";

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 20;

/**
 * Waits until `look` returns something truthy, and returns that. It looks often at first and then every 20 ms, or always
 * every `everyMs`. The error names the fact that did not come true in time.
 */
export async function until<T>(
  fact: string,
  look: () => T | Promise<T>,
  withinMs = 15_000,
  everyMs?: number,
): Promise<NonNullable<Exclude<T, false>>> {
  const limitMs = scaled(withinMs);
  const startedAt = performance.now();
  for (let pauseMs = everyMs ?? FIRST_PAUSE_MS; ; pauseMs = everyMs ?? Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const seen = await look();
    if (seen) return seen as NonNullable<Exclude<T, false>>;
    if (performance.now() - startedAt > limitMs) throw new Error(`Not within ${limitMs} ms: ${fact}.`);
    await pause(pauseMs);
  }
}

/** Checks for `forMs` that a fact stays true. */
export async function holds(fact: string, look: () => boolean | Promise<boolean>, forMs: number): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < forMs) {
    if (!(await look()))
      throw new Error(`No longer so after ${Math.round(performance.now() - startedAt)} ms: ${fact}.`);
    await pause(50);
  }
}
