import type { Store } from "../../store/store.ts";

/** The job that stands in the place of this one now: its last successor, if it continued as new. */
export async function newestOf(store: Store, jobId: string): Promise<string> {
  let id = jobId;
  for (;;) {
    const [job] = await store.find([id]);
    if (job?.continuedAs === undefined) return id;
    id = job.continuedAs;
  }
}
