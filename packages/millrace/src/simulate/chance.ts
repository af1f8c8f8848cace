// Chance with a seed: the same plan and seed give the same report.

/** Values from 0 up to 1, evenly distributed, from a seed (the generator mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How long attempts run: always the same time, evenly between two bounds, or as a median and a 95th percentile. */
export type RunTime = number | { min: number; max: number } | { median: number; p95: number };

/** The quantile of the normal distribution that 95 % of its values stay below. */
const NORMAL_P95 = 1.6448536269514722;

/** A run time in whole milliseconds, at least 0. */
export function drawRunMs(runTime: RunTime, random: () => number): number {
  if (typeof runTime === "number") return Math.round(runTime);
  if ("min" in runTime) return Math.round(runTime.min + (runTime.max - runTime.min) * random());
  // Run times have a long tail to the right: their logarithm is close to a normal distribution.
  const sigma = Math.log(runTime.p95 / runTime.median) / NORMAL_P95;
  return Math.round(runTime.median * Math.exp(sigma * drawNormal(random)));
}

/** The mean of many run times. */
export function meanRunMs(runTime: RunTime): number {
  if (typeof runTime === "number") return runTime;
  if ("min" in runTime) return (runTime.min + runTime.max) / 2;
  const sigma = Math.log(runTime.p95 / runTime.median) / NORMAL_P95;
  return runTime.median * Math.exp(sigma ** 2 / 2);
}

/** The pause before the next of independent arrivals with this mean pause. */
export function drawPause(meanMs: number, random: () => number): number {
  return -Math.log(1 - random()) * meanMs;
}

/** Box and Muller's transform of two even values. */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
