// The leases that this process holds: which jobs, in which bundles, and which of them a call is ending. One class owns them all,
// because they must change together.
//
//   hold ──▶ held ──settling──▶ end
//              └──lost: cancelled, timed out, or the process was declared dead──▶ end

import type { ClaimedJob } from "../../../job/lease.ts";
import type { PublicIds } from "../../../lib/public-id.ts";
import { claimedJob } from "../../rows/claimed-job.ts";
import type { ClaimRequest } from "../../verbs/attempts.ts";
import type { StageRow } from "../register/names.ts";
import type { Bundle, Bundles } from "./bundles.ts";
import type { ClaimedRow } from "./rounds.ts";

/** A lease of this process, as the store watches it. */
export interface HeldLease {
  key: number;
  jobId: string;
  token: number;
  slot: number;
  stage: number;
  tenant: number;
  flags: number;
  startedAt: number;
  /** Missing: the claim wrote the row of the job itself. */
  bundle?: Bundle;
  /** By the monotonic clock. */
  deadlineAt: number;
  retryTimeouts: boolean;
}

/** What the leases of one claim have in common. */
export interface ClaimContext {
  stage: StageRow;
  request: ClaimRequest;
  ids: PublicIds;
  /** By the monotonic clock: deadlines count from here. */
  startedAt: number;
}

export class HeldLeases {
  readonly #bundles: Bundles;
  readonly #held = new Map<number, HeldLease>();
  readonly #settling = new Set<number>();

  constructor(bundles: Bundles) {
    this.#bundles = bundles;
  }

  get(key: number): HeldLease | undefined {
    return this.#held.get(key);
  }

  /** True while this process holds the job with this token. */
  has({ key, token }: { key: number; token: number }): boolean {
    return this.#held.get(key)?.token === token;
  }

  /** True while a call may be ending the lease of the job. Other calls leave it alone. */
  isSettling(key: number): boolean {
    return this.#settling.has(key);
  }

  /** Every lease that no call is ending. */
  all(): HeldLease[] {
    return [...this.#held.values()].filter(({ key }) => !this.#settling.has(key));
  }

  /**
   * Holds the jobs of a claim, and gives what their processors get. All leases and bundles are known before anything is
   * awaited: a lease that is in no bundle is looked up among the rows, and would be reported as lost while its bundle
   * is not known.
   */
  async hold(context: ClaimContext, rows: readonly ClaimedRow[]): Promise<ClaimedJob[]> {
    const leases = rows.map((row) => leaseOf(row, context));
    for (const lease of leases) this.#held.set(lease.key, lease);
    const toOpen: Bundle[] = [];
    for (const number of new Set(rows.map(({ bundle }) => bundle))) {
      if (number === undefined) continue;
      const isInside = (_: unknown, i: number) => rows[i]?.bundle === number;
      const bundle = this.#bundles.hold(number, context.stage.id, leases.filter(isInside));
      if (rows.filter(isInside).some(({ needsRow }) => needsRow)) toOpen.push(bundle);
    }
    const jobs = rows.map((row, i) => jobOf(row, leases[i] as HeldLease, context));
    // A bundle that cannot be opened now is tried again like one that has grown old.
    await Promise.allSettled(toOpen.map((bundle) => this.#bundles.open(bundle)));
    return jobs;
  }

  /** Marks the leases of these jobs as ending while `settle` runs. */
  async whileSettling<T>(keys: readonly number[], settle: () => Promise<T>): Promise<T> {
    for (const key of keys) this.#settling.add(key);
    try {
      return await settle();
    } finally {
      for (const key of keys) this.#settling.delete(key);
    }
  }

  /** The lease of the job has ended. */
  end(key: number): void {
    const lease = this.#held.get(key);
    if (!lease) return;
    this.#held.delete(key);
    lease.bundle?.left.delete(lease);
  }
}

function leaseOf(row: ClaimedRow, { stage, request, ids, startedAt }: ClaimContext): HeldLease {
  const timeoutMs = row.timeout_ms ?? request.timeoutMs;
  return {
    key: row.id,
    jobId: ids.encode(row.id),
    token: row.token,
    slot: row.slot,
    stage: stage.id,
    tenant: row.tenant,
    flags: row.flags,
    startedAt: row.now,
    deadlineAt: timeoutMs === undefined ? Number.POSITIVE_INFINITY : startedAt + timeoutMs,
    retryTimeouts: request.retryTimeouts ?? true,
  };
}

function jobOf(row: ClaimedRow, { jobId, token, slot }: HeldLease, { stage }: ClaimContext): ClaimedJob {
  return claimedJob(row, {
    lease: { jobId, token, slot },
    tenant: row.tenant_name,
    payload: row.payload,
    input: row.output ?? undefined,
    claimedAt: row.now,
    isLast: stage.next === undefined,
  });
}
