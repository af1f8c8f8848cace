import { scaled } from "../support/slowness.ts";

/** Waits for a fact, asked again every few milliseconds, and says in words what did not come true. */
export async function until(
  what: string,
  fact: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 20,
): Promise<void> {
  const since = performance.now();
  while (!(await fact())) {
    if (performance.now() - since > scaled(withinMs)) throw new Error(`Not within ${scaled(withinMs)} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Looks on for this long: the fact must not change. */
export async function holds(what: string, fact: () => boolean | Promise<boolean>, forMs: number): Promise<void> {
  const since = performance.now();
  while (performance.now() - since < forMs) {
    if (!(await fact())) throw new Error(`No longer so after ${Math.round(performance.now() - since)} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
