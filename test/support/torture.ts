/** Whether this is the long run: `npm run test:torture` sets it. */
export const isTorture = process.env["TORTURE"] === "1";

/** Every third of many cases in `npm test`, all of them in the long run; `SAMPLE=all` takes all as well. */
export function sampled<T>(cases: readonly T[]): T[] {
  const all = isTorture || process.env["SAMPLE"] === "all";
  return cases.filter((_, at) => all || at % 3 === 0);
}

/** How often a test repeats its fault: `usual` in `npm test`, `torture` in the long run. The variable `name` sets another count. */
export function rounds(name: string, usual: number, torture: number): number {
  return Number(process.env[name] ?? (isTorture ? torture : usual));
}
