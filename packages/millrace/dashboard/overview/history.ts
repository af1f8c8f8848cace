// The points of the last while, kept up to date by asking only for what is newer.

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { FigurePoint } from "../../src/client/index.ts";
import { useClient, useMay } from "../lib/data.ts";

/** A version of the application that was first seen then. */
export interface DeploymentStart {
  readonly label: string;
  readonly at: string;
}

export interface History {
  readonly everyMs: number;
  readonly points: readonly FigurePoint[];
  readonly deployments: readonly DeploymentStart[];
}

/** More than an hour comes from the store, by the minute at best, and its counters begin with the answer. */
const IN_MEMORY_MINUTES = 60;

export function useHistory(minutes: number) {
  const client = useClient();
  const may = useMay();
  const kept = useRef<{ minutes: number; points: FigurePoint[]; deployments: DeploymentStart[] }>(undefined);
  return useQuery<History>({
    queryKey: ["history", minutes],
    queryFn: async ({ signal }) => {
      if (minutes > IN_MEMORY_MINUTES) return client.metricsHistory({ minutes }, { signal });
      const known = kept.current?.minutes === minutes ? kept.current : { points: [], deployments: [] };
      const after = known.points.at(-1)?.at;
      const { everyMs, ...found } = await client.metricsHistory({ minutes, ...(after && { after }) }, { signal });
      const oldest = Date.now() - minutes * 60_000;
      const points = [...known.points, ...found.points].filter(({ at }) => Date.parse(at) >= oldest);
      kept.current = { minutes, points, deployments: found.deployments };
      return { everyMs, points, deployments: found.deployments };
    },
    refetchInterval: minutes > IN_MEMORY_MINUTES ? 60_000 : 5_000,
    enabled: may("root"),
    placeholderData: (previous) => previous,
  });
}

const DAY_MS = 86_400_000;

/** The same time of yesterday, with its times moved to today. */
export function useYesterday(minutes: number, enabled: boolean) {
  const client = useClient();
  const may = useMay();
  return useQuery<readonly FigurePoint[]>({
    queryKey: ["history", "yesterday", minutes],
    queryFn: async ({ signal }) => {
      const until = new Date(Date.now() - DAY_MS).toISOString();
      const { points } = await client.metricsHistory({ minutes, until }, { signal });
      return points.map((point) => ({ ...point, at: new Date(Date.parse(point.at) + DAY_MS).toISOString() }));
    },
    refetchInterval: 60_000,
    enabled: enabled && may("root"),
    placeholderData: (previous) => previous,
  });
}
