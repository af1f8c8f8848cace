// What several pages ask for, each under one key, so that it is asked for once.

import type { DeadLetterGroup, KindInfo, Metrics, PendingApproval, PoolInfo } from "../../src/client/index.ts";
import { useLiveQuery, useMay } from "./data.ts";

export function useKinds() {
  return useLiveQuery<KindInfo[]>({ key: ["kinds"], load: (client, signal) => client.kinds({ signal }) });
}

export function useMetrics() {
  const may = useMay();
  return useLiveQuery<Metrics>({
    key: ["metrics"],
    load: (client, signal) => client.metrics({ signal }),
    everyMs: 5_000,
    enabled: may("root"),
  });
}

export function usePools() {
  const may = useMay();
  return useLiveQuery<PoolInfo[]>({
    key: ["pools"],
    // A pool tells of its processors in any order; on the page each keeps its place.
    load: async (client, signal) =>
      (await client.pools({ signal })).map((pool) => ({
        ...pool,
        processors: pool.processors.toSorted((a, b) => a.slot - b.slot),
      })),
    everyMs: 5_000,
    enabled: may("root"),
  });
}

/** The first 100 approvals that jobs wait for. */
export function useApprovals() {
  return useLiveQuery<PendingApproval[]>({
    key: ["approvals"],
    load: async (client, signal) => (await client.approvals({ limit: 100 }, { signal })).approvals,
  });
}

export interface DeadLetterGroups {
  readonly groups: readonly DeadLetterGroup[];
  readonly total: number;
}

export function useDeadLetterGroups() {
  return useLiveQuery<DeadLetterGroups>({
    key: ["dlq", "groups"],
    load: async (client, signal) => {
      const groups = await client.deadLetters.groups({ limit: 1 }, { signal });
      return { groups, total: groups.reduce((sum, group) => sum + group.count, 0) };
    },
  });
}

export function useDeadLetterCount(): number {
  return useDeadLetterGroups().data?.total ?? 0;
}
