/**
 * How a submission was accepted. "new": the job is stored. "joined": a live job with the same unique key does the work, or the job
 * that stands for its throttle key; this is its id. "replaced": a job that was never claimed got this payload and time.
 * "extended": it got this time alone. "follows": the job is stored, and starts when the live job with the same unique key has ended.
 */
export type AcceptanceWay = "new" | "joined" | "replaced" | "extended" | "follows";

/** What a submission returns. */
export interface SubmitReceipt {
  /** The id of the job. `millrace.job(id)` gives its handle. In your own transaction the job exists once that has committed. */
  readonly id: string;
  /** How it was accepted: a new job is stored, or an earlier one does the work. See `AcceptanceWay`. */
  readonly accepted: AcceptanceWay;
  /** True: the same idempotency key was used before, and this is the first answer. */
  readonly replayed: boolean;
}

/** How the jobs of a submission were accepted. */
export interface Acceptances {
  /** The indexes of the jobs that existed before. */
  readonly joined: readonly number[];
  /** By the index of a job: how it was accepted, if it is neither new nor joined. */
  readonly ways?: Readonly<Record<number, AcceptanceWay>>;
}

/** How the job at the index of a submission was accepted. */
export function acceptedAt(index: number, { joined, ways }: Acceptances): AcceptanceWay {
  return ways?.[index] ?? (joined.includes(index) ? "joined" : "new");
}
