import type { LossReason } from "../../job/lease.ts";

const SENTENCES: Record<LossReason, string> = {
  cancelled: "The job was cancelled.",
  undoing: "The job was cancelled. Its steps are undone.",
  "timed-out": "The attempt took longer than its stage allows.",
  deadline: "The job did not end before its deadline.",
  "lease-lost": "The lease was lost: another process has the job, or it is gone.",
  "shutting-down": "The process is shutting down and hands the job back.",
};

/** The reason of `ctx.signal`, and what every call on `ctx` throws once the attempt has lost the job. */
export class LeaseLost extends Error {
  /** Why it was lost. */
  readonly reason: LossReason;

  constructor(reason: LossReason) {
    super(SENTENCES[reason]);
    this.name = "LeaseLost";
    this.reason = reason;
  }
}
