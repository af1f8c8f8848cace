import { STANDINGS } from "../../job/job.ts";
import type { Store } from "../store.ts";

const PAGE = 1_000;

/** Differences between `kinds()`, `count()` and the jobs themselves, in words. */
export async function wrongCounts(store: Store): Promise<string[]> {
  const { real, total } = await tally(store);
  const wrong: string[] = [];
  const counted = await store.count({});
  if (counted !== total) wrong.push(`${total} jobs, counted as ${counted}`);
  for (const { kind, stages } of await store.kinds()) {
    for (const { stage, counts } of stages) {
      for (const standing of STANDINGS) {
        const place = `${kind}/${stage} ${standing}`;
        const jobs = real.get(place) ?? 0;
        real.delete(place);
        if (jobs !== counts[standing]) wrong.push(`${place}: ${jobs}, counted as ${counts[standing]}`);
      }
    }
  }
  for (const [place, jobs] of real) wrong.push(`${place}: ${jobs}, not counted`);
  return wrong;
}

/** A count for each kind, stage and standing would be 40 queries; a page of all jobs is one. */
async function tally(store: Store): Promise<{ real: Map<string, number>; total: number }> {
  const real = new Map<string, number>();
  let total = 0;
  for (let beforeId: string | undefined; ; ) {
    const jobs = await store.list({ limit: PAGE, ...(beforeId !== undefined && { beforeId }) });
    for (const { kind, stage, standing } of jobs) {
      const place = `${kind}/${stage} ${standing}`;
      real.set(place, (real.get(place) ?? 0) + 1);
    }
    total += jobs.length;
    if (jobs.length < PAGE) return { real, total };
    beforeId = jobs.at(-1)?.id;
  }
}
