import type { BatchRow } from "../rows/batch-row.ts";

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
