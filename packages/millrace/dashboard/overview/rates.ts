// Rates and comparisons from the points of a chart, whose counters grow.

import type { FigurePoint } from "../../src/client/index.ts";

/** What another line says at these times: its last value before each, if that is not too old. */
export function valuesAt(
  times: readonly number[],
  line: { readonly times: readonly number[]; readonly values: readonly (number | null)[] },
  withinMs: number,
): (number | null)[] {
  let place = -1;
  return times.map((time) => {
    while (place + 1 < line.times.length && (line.times[place + 1] as number) <= time) place++;
    const at = line.times[place];
    return at === undefined || time - at > withinMs ? null : (line.values[place] ?? null);
  });
}

const WINDOW_MS = 60_000;

/** Points further apart than this leave a gap: no process ran in between. */
const GAP_STEPS = 3;

/**
 * What a counter grew by per minute, over the minute before each point. Points are five seconds apart, and the growth between two of
 * them would jump between 0 and 12 for one job. Null: less than two points are known, or the points before are too long ago.
 */
export function ratePerMinute(
  points: readonly FigurePoint[],
  read: (point: FigurePoint) => number | undefined,
): (number | null)[] {
  const times = points.map(({ at }) => Date.parse(at));
  const grown: number[] = [];
  let sum = 0;
  for (const [i, point] of points.entries()) {
    const before = points[i - 1];
    const value = read(point);
    // Fewer than before: the server restarted and counts from zero.
    if (before && value !== undefined) sum += Math.max(0, value - (read(before) ?? 0));
    grown.push(sum);
  }
  const gapMs = GAP_STEPS * Math.max(WINDOW_MS, middleStep(times));
  let first = 0;
  return points.map((point, i) => {
    const at = times[i] as number;
    while (first < i - 1 && at - (times[first + 1] as number) >= WINDOW_MS) first++;
    const minutes = (at - (times[first] as number)) / 60_000;
    if (i === 0 || read(point) === undefined || minutes <= 0) return null;
    if (at - (times[i - 1] as number) > gapMs) return null;
    return ((grown[i] as number) - (grown[first] as number)) / minutes;
  });
}

/**
 * How much a counter grew now by how much it grew in the other range, minus 1. Null where one of the two covers much less time, or
 * where the other has none.
 */
export function changeSince(
  now: readonly FigurePoint[],
  other: readonly FigurePoint[],
  read: (point: FigurePoint) => number | undefined,
): number | null {
  const [here, there] = [growth(now, read), growth(other, read)];
  if (!here || !there || there.count === 0 || here.ms < there.ms / 2 || there.ms < here.ms / 2) return null;
  return (here.count * there.ms) / (there.count * here.ms) - 1;
}

function growth(
  points: readonly FigurePoint[],
  read: (point: FigurePoint) => number | undefined,
): { ms: number; count: number } | undefined {
  const [first, last] = [points[0], points.at(-1)];
  const ms = first && last ? Date.parse(last.at) - Date.parse(first.at) : 0;
  if (!first || !last || ms <= 0) return undefined;
  return { ms, count: Math.max(0, (read(last) ?? 0) - (read(first) ?? 0)) };
}

function middleStep(times: readonly number[]): number {
  const steps = times.slice(1).map((at, i) => at - (times[i] as number));
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
}

/** The last value of `ratePerMinute`: what a tile and a legend say of now. */
export function lastMinute(
  points: readonly FigurePoint[],
  read: (point: FigurePoint) => number | undefined,
): number | null {
  return ratePerMinute(points.slice(-20), read).at(-1) ?? null;
}
