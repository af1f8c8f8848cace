// What several pages ask for, each under one key, so that it is asked for once.

import type {
  CauseQuery,
  Client,
  DeadLetterCauses,
  KindInfo,
  LongWait,
  Metrics,
  PendingApproval,
  PoolInfo,
} from "../../src/client/index.ts";
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

/** Waits that last longer than usual. They change slowly. */
export function useLongWaits() {
  return useLiveQuery<LongWait[]>({
    key: ["waits", "long"],
    load: (client, signal) => client.longWaits({}, { signal }),
    everyMs: 30_000,
  });
}

/** The first 100 approvals that jobs wait for. */
export function useApprovals() {
  return useLiveQuery<PendingApproval[]>({
    key: ["approvals"],
    load: async (client, signal) => (await client.approvals({ limit: 100 }, { signal })).approvals,
  });
}

/** The causes of dead letters, the most frequent first, with the number of all. */
export function useDeadLetterCauses(query: CauseQuery = {}) {
  return useLiveQuery<DeadLetterCauses>({
    key: ["dlq", "causes", query],
    load: (client, signal) => loadCauses(client, query, signal),
  });
}

/** The most that one answer has. */
const CAUSES_AT_ONCE = 500;

/** As many causes as asked for, from as many answers as that takes. */
async function loadCauses(client: Client, query: CauseQuery, signal: AbortSignal): Promise<DeadLetterCauses> {
  const { limit = CAUSES_AT_ONCE } = query;
  let found = await client.deadLetters.causes({ ...query, limit: Math.min(limit, CAUSES_AT_ONCE) }, { signal });
  while (found.nextCursor !== undefined && found.causes.length < limit) {
    const more = { cursor: found.nextCursor, limit: Math.min(limit - found.causes.length, CAUSES_AT_ONCE) };
    const next = await client.deadLetters.causes({ ...query, ...more }, { signal });
    found = { ...next, causes: [...found.causes, ...next.causes] };
  }
  return found;
}

/** One query for the menu and the overview: the latest causes, so that none of today is missing. */
export function useLatestCauses() {
  return useDeadLetterCauses({ sort: "last", limit: 100 });
}

export function useDeadLetterCount(): number {
  return useLatestCauses().data?.total ?? 0;
}
