import { STANDINGS } from "../../job/job.ts";
import type { Store } from "../store.ts";

/** Where `kinds()` and `count()` differ, in words. */
export async function wrongCounts(store: Store): Promise<string[]> {
  const wrong: string[] = [];
  for (const { kind, stages } of await store.kinds()) {
    for (const { stage, counts } of stages) {
      for (const standing of STANDINGS) {
        const real = await store.count({ kind, stage, standings: [standing] });
        if (real !== counts[standing])
          wrong.push(`${kind}/${stage}: ${real} ${standing}, counted as ${counts[standing]}`);
      }
    }
  }
  return wrong;
}
