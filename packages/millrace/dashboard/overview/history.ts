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

/** What a counter grew by per minute, between each point and the one before. */
export function ratePerMinute(
  points: readonly FigurePoint[],
  read: (point: FigurePoint) => number | undefined,
): (number | null)[] {
  return points.map((point, i) => {
    const before = points[i - 1];
    const value = read(point);
    if (!before || value === undefined) return null;
    const grown = value - (read(before) ?? 0);
    const minutes = (Date.parse(point.at) - Date.parse(before.at)) / 60_000;
    // Fewer than before: the server restarted and counts from zero.
    return minutes > 0 ? Math.max(0, grown) / minutes : null;
  });
}
