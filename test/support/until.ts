import { scaled } from "./slowness.ts";

/** Waits for a fact: looks again until it is there, and says what it was when it never came. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 15_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const lastMoment = performance.now() + scaled(withinMs);
  for (;;) {
    const seen = await look();
    if (seen) return seen as NonNullable<Exclude<T, false>>;
    if (performance.now() > lastMoment) throw new Error(`It never came to pass: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
