import { AppError } from "../../lib/app-error.ts";
import { publicIds } from "../../lib/public-id.ts";
import type { BatchRow } from "../rows/batch-row.ts";
import type { StoreLimits } from "../store.ts";

/** How long a batch is kept after its end: as long as a finished job by default. */
export const BATCH_KEPT_MS = 7 * 24 * 3_600_000;

/** Batches that are open for so long that their program probably forgot to seal them. */
export interface UnsealedBatches {
  count: number;
  /** The ids of the oldest ones, at most `NAMED_UNSEALED`. */
  oldest: string[];
}

export const NAMED_UNSEALED = 5;

const OPEN_MS = 24 * 60 * 60 * 1000;

/** Open batches that were created before this moment count as forgotten. */
export function unsealedBefore(now: number): number {
  return now - OPEN_MS;
}

/** `rows`: the oldest unsealed batches, each with the number of all of them. */
export function unsealedBatches(rows: readonly { id: number; count: number }[], idSecret: string): UnsealedBatches {
  const ids = publicIds("batch_", idSecret);
  return { count: rows[0]?.count ?? 0, oldest: rows.map(({ id }) => ids.encode(id)) };
}

/** Batches that are never sealed never end, and pile up. */
export function refuseBatches(
  { maxOpenBatchesPerTenant: most }: Pick<StoreLimits, "maxOpenBatchesPerTenant">,
  open: number,
): void {
  if (most === 0 || open < most) return;
  throw new AppError("too-many-batches", `The tenant has ${open} open batches; the limit is ${most}.`, {
    hint: "Seal or cancel batches, or raise maxOpenBatchesPerTenant of Millrace.open().",
  });
}

/** Why no member can be added. */
export function batchSealed({
  sealed_at,
}: Pick<BatchRow, "sealed_at">): { type: "conflict"; message: string } | undefined {
  return sealed_at === null ? undefined : { type: "conflict", message: "The batch is sealed and takes no more jobs." };
}

/** Why the batch cannot be cancelled. */
export function batchEnded({ ended_at }: Pick<BatchRow, "ended_at">): { conflict: string } | undefined {
  return ended_at === null ? undefined : { conflict: "The batch has ended." };
}
