/** How many members a batch has, and how they ended. */
export interface BatchCounts {
  /** All members. */
  total: number;
  /** Members that completed. */
  completed: number;
  /** Members that failed. */
  failed: number;
  /** Members that were cancelled. */
  cancelled: number;
}

/** What the job that is submitted at the end of a batch finds in `ctx.batch`. */
export interface EndedBatch extends BatchCounts {
  /** The id of the batch. */
  id: string;
}

/** A batch as people see it. Times are ISO 8601 strings. */
export interface BatchView extends BatchCounts {
  /** The id of the batch, such as `batch_4fQ81xZa`. */
  id: string;
  /** The tenant of the batch and of its members. */
  tenant: string;
  /** open: it takes members. sealed: it takes no more. ended: all members have ended. */
  state: "open" | "sealed" | "ended";
  /** Members that have not ended. */
  pending: number;
  /** When it was opened. */
  createdAt: string;
  /** When it was sealed. */
  sealedAt?: string;
  /** When it ended. */
  endedAt?: string;
  /** When it was cancelled. */
  cancelledAt?: string;
  /** The kind of the job that is submitted at its end. */
  onEnd?: string;
  /** The id of the job that was submitted at its end. */
  callback?: string;
}
