// The reads of a dashboard while one tenant searches for words that no job has: how long the slowest of them takes.

import type { Who } from "../../contenders/open.ts";
import type { Measure } from "../../harness.ts";
import { openStore, submit } from "../store.ts";

const BATCH = 1_000;

export const readsBesideSearches: Measure = {
  name: "reads-beside-searches",
  title: "the slowest of six reads of a dashboard, beside fruitless searches of one tenant",
  unit: "ms",
  rounds: 1,
  cases: ({ quick }) =>
    [0, 8, 60].map((searches) => {
      const jobs = quick ? 20_000 : 1_000_000;
      const setting = `${searches} searches, ${jobs.toLocaleString("en-US")} jobs`;
      return { who: "millrace normal" as Who, setting, with: { searches, jobs } };
    }),
  async prepare({ with: { jobs = 0 } }, dir) {
    const store = await openStore(dir, "normal");
    for (let n = 0; n < jobs; n += BATCH)
      await submit(store, BATCH, { tenant: n % (10 * BATCH) === 0 ? "other" : "noisy" });
    await store.close();
  },
  async run({ with: { searches = 0 } }, dir) {
    const store = await openStore(dir, "normal");
    const reads = [
      () => store.list({ limit: 50 }),
      () => store.list({ tenant: "other", limit: 50 }),
      () => store.list({ tenant: "other", status: "running" }),
      () => store.deadLetters({}, { limit: 50, offset: 0 }),
      () => store.tenants(),
      () => store.audit({ limit: 50 }),
    ];
    const timed = async (read: () => Promise<unknown>) => {
      const start = performance.now();
      await read();
      return performance.now() - start;
    };
    // Both reader threads are started, and the file is read, before the clock runs.
    await store.list({ tenant: "noisy", search: "no such words" });
    for (const read of reads) await read();
    const start = performance.now();
    const searching = Array.from({ length: searches }, (_, n) =>
      store.list({ tenant: "noisy", search: `no such words ${n}` }),
    );
    const taken = await Promise.all(reads.map(timed));
    const other = await timed(() => store.list({ tenant: "other", search: "no such words" }));
    await Promise.all(searching);
    const all = performance.now() - start;
    await store.close();
    return { ms: Math.max(...taken), "another tenant's search ms": other, "all searches ms": all };
  },
};
