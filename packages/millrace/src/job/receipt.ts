/** What a submission returns. */
export interface SubmitReceipt {
  /** The id of the job. `millrace.job(id)` gives its handle. In your own transaction the job exists once that has committed. */
  readonly id: string;
  /** "new": the job is stored. "joined": a live job with the same unique key does the work, and this is its id. */
  readonly accepted: "new" | "joined";
  /** True: the same idempotency key was used before, and this is the first answer. */
  readonly replayed: boolean;
}

/** How the job at the index of a submission was accepted. `joined`: the indexes of the jobs that existed before. */
export function acceptedAt(index: number, joined: readonly number[]): SubmitReceipt["accepted"] {
  return joined.includes(index) ? "joined" : "new";
}
