// The points of the last while, kept up to date by asking only for what is newer.

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { FigurePoint } from "../../src/client/index.ts";
import { useClient, useMay } from "../lib/data.ts";

export interface History {
  readonly everyMs: number;
  readonly points: readonly FigurePoint[];
}

export function useHistory(minutes: number) {
  const client = useClient();
  const may = useMay();
  const kept = useRef<{ minutes: number; points: FigurePoint[] }>({ minutes, points: [] });
  return useQuery<History>({
    queryKey: ["history", minutes],
    queryFn: async ({ signal }) => {
      const known = kept.current.minutes === minutes ? kept.current.points : [];
      const after = known.at(-1)?.at;
      const { everyMs, points } = await client.metricsHistory({ minutes, ...(after && { after }) }, { signal });
      const oldest = Date.now() - minutes * 60_000;
      kept.current = { minutes, points: [...known, ...points].filter(({ at }) => Date.parse(at) >= oldest) };
      return { everyMs, points: kept.current.points };
    },
    refetchInterval: 5_000,
    enabled: may("root"),
    placeholderData: (previous) => previous,
  });
}

const WINDOW_MS = 60_000;

/**
 * What a counter grew by per minute, over the minute before each point. Points are five seconds apart, and the growth between two of
 * them would jump between 0 and 12 for one job. Null: less than two points are known.
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
  let first = 0;
  return points.map((point, i) => {
    const at = times[i] as number;
    while (first < i - 1 && at - (times[first + 1] as number) >= WINDOW_MS) first++;
    const minutes = (at - (times[first] as number)) / 60_000;
    if (i === 0 || read(point) === undefined || minutes <= 0) return null;
    return ((grown[i] as number) - (grown[first] as number)) / minutes;
  });
}

/** The last value of `ratePerMinute`: what a tile and a legend say of now. */
export function lastMinute(
  points: readonly FigurePoint[],
  read: (point: FigurePoint) => number | undefined,
): number | null {
  return ratePerMinute(points.slice(-20), read).at(-1) ?? null;
}
