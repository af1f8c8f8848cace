import type { WorkloadInfo } from "../../src/client/index.ts";
import { useLiveQuery } from "../lib/data.ts";
import type { Moves } from "../lib/live.ts";
import { entryAt } from "./match.ts";
import type { WorkloadWithPages } from "./module.ts";

/** The workloads of the server. They change when it is replaced, which begins with a reset of the feed. */
export function useWorkloads() {
  return useLiveQuery<WorkloadInfo[]>({
    key: ["workloads"],
    load: (client, signal) => client.workloads({ signal }),
    concerns: afterReset,
    everyMs: false,
  });
}

function afterReset(moves: Moves): boolean {
  return moves === undefined;
}

export function withPages(workloads: readonly WorkloadInfo[] = []): WorkloadWithPages[] {
  return workloads.filter((each): each is WorkloadWithPages => each.pages !== undefined);
}

/** The workload that has this page, as far as the caller may open it. */
export function workloadAt(workloads: readonly WorkloadInfo[], path: string): WorkloadWithPages | undefined {
  const entries = withPages(workloads).flatMap((workload) =>
    workload.pages.nav.map((entry) => ({ path: entry.path, workload })),
  );
  return entryAt(entries, path)?.workload;
}

/** The workload whose module has parts for this kind; null: none has; undefined: not known yet. */
export function useWorkloadOfKind(kind: string): WorkloadWithPages | null | undefined {
  const { data, error } = useWorkloads();
  if (!data) return error ? null : undefined;
  return withPages(data).find(({ pages }) => Object.hasOwn(pages.kinds, kind)) ?? null;
}
