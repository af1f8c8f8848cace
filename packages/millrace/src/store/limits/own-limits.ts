// The limits that tenants have of their own, in the memory of a process. A transaction that changes them raises the version of the
// catalog, so every process sees with its next claim or submission that what it knows is old.

import type { TenantLimits } from "../../job/options/tenant-limits.ts";
import type { TenantCounts } from "../verbs/processes.ts";

/** The row of a tenant that has limits of its own. */
export interface TenantLimitRow {
  readonly id: number;
  readonly max_running: number | null;
  readonly rate_count: number | null;
  readonly rate_per_ms: number | null;
  readonly weight: number | null;
  readonly queue_max: number | null;
  readonly overflow: "reject" | "queue" | null;
}

export const LIMIT_COLUMNS = "max_running, rate_count, rate_per_ms, weight, queue_max, overflow";

/** A tenant with the numbers of its jobs. */
export type TenantRow = Omit<TenantCounts, "limits"> & { limited: boolean | number } & Omit<TenantLimitRow, "id">;

export function tenantCounts(rows: readonly TenantRow[]): TenantCounts[] {
  return rows.map((row) => {
    const { tenant, running, pending, limited } = row;
    return { tenant, running, pending, ...(limited && { limits: limitsOfRow(row) }) };
  });
}

export class OwnLimits {
  /** Whether a tenant has a limit on its running jobs. */
  readonly hasConcurrency: boolean;
  /** The least weight of all tenants, if a tenant has one. Those without have a weight of 1. */
  readonly leastWeight: number | undefined;
  /** The longest period in which submissions of a tenant are counted; 0 if no tenant has one of its own. */
  readonly longestRateMs: number;
  readonly #limits: ReadonlyMap<number, TenantLimits>;

  constructor(rows: readonly TenantLimitRow[]) {
    this.#limits = new Map(rows.map((row) => [row.id, limitsOfRow(row)]));
    const weights = rows.flatMap(({ weight }) => weight ?? []);
    this.hasConcurrency = rows.some(({ max_running }) => max_running !== null && max_running > 0);
    this.longestRateMs = rows.reduce((longest, { rate_per_ms }) => Math.max(longest, rate_per_ms ?? 0), 0);
    this.leastWeight = weights.length > 0 ? Math.min(1, ...new Set(weights)) : undefined;
  }

  /** False for most stores, so that a submission need not look for its tenant. */
  get isEmpty(): boolean {
    return this.#limits.size === 0;
  }

  of(tenant: number): TenantLimits | undefined {
    return this.#limits.get(tenant);
  }
}

export function limitsOfRow(row: Omit<TenantLimitRow, "id">): TenantLimits {
  const { max_running, rate_count, rate_per_ms, weight, queue_max, overflow } = row;
  return {
    ...(max_running !== null && { concurrency: max_running }),
    ...(rate_count !== null && rate_per_ms !== null && { rate: { count: rate_count, perMs: rate_per_ms } }),
    ...(weight !== null && { weight }),
    ...(queue_max !== null && { queueMax: queue_max }),
    ...(overflow !== null && { overflow }),
  };
}

/** In the order of `LIMIT_COLUMNS`. */
export function columnsOf({ concurrency, rate, weight, queueMax, overflow }: TenantLimits) {
  return [
    concurrency ?? null,
    rate?.count ?? null,
    rate?.perMs ?? null,
    weight ?? null,
    queueMax ?? null,
    overflow ?? null,
  ] as const;
}
