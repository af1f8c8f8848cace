// What a claim and settle of 10 costs when the file is full of other rows. The rows come in by the store's own verbs, in a process of
// their own, so that the memory measured is that of a process that only opened the file and worked.

import { type Case, type Measure, percentile } from "../../harness.ts";
import { claim, openStore, settle, submit, TIMED_JOBS, timeClaims } from "../store.ts";

const BATCH = 1_000;
const HOUR_MS = 3_600_000;

const EMPTY = "no other rows";
export const FEW_TENANT_ROWS = "1,000 tenants x 20 pending";

export const claimTime: Measure = {
  name: "claim-time",
  title: "claim + settle of 10 through the store",
  unit: "ms",
  cases: ({ quick }) => {
    const many = quick ? 20_000 : 1_000_000;
    const some = quick ? 10_000 : 100_000;
    const text = (n: number) => n.toLocaleString("en-US");
    const of = (setting: string, rows: Record<string, number>): Case => ({
      who: "millrace normal",
      setting,
      against: { who: "millrace normal", setting: EMPTY },
      with: rows,
    });
    return [
      of(EMPTY, {}),
      ...[some, many].flatMap((rows) => [
        of(`${text(rows)} finished`, { finished: rows }),
        of(`${text(rows)} pending`, { pending: rows }),
        of(`${text(rows)} scheduled`, { scheduled: rows }),
      ]),
      of(FEW_TENANT_ROWS, { tenants: 1_000, each: 20 }),
      of(`1,000 tenants x ${quick ? 40 : "1,000"} pending`, { tenants: 1_000, each: quick ? 40 : 1_000 }),
    ];
  },
  async prepare({ with: rows }, dir) {
    const store = await openStore(dir, "normal");
    const inBatches = async (count: number, one: (size: number) => Promise<void>) => {
      for (let left = count; left > 0; left -= BATCH) await one(Math.min(left, BATCH));
    };
    await inBatches(rows["finished"] ?? 0, async (size) => {
      await submit(store, size);
      await settle(store, await claim(store, size));
    });
    await inBatches(rows["scheduled"] ?? 0, (size) => submit(store, size, { delayMs: HOUR_MS }));
    for (let tenant = 0; tenant < (rows["tenants"] ?? 0); tenant++) {
      await submit(store, rows["each"] ?? 0, { tenant: `tenant-${tenant}` });
    }
    await inBatches(rows["pending"] ?? 0, (size) => submit(store, size));
    await store.close();
  },
  async run({ with: rows }, dir) {
    const store = await openStore(dir, "normal");
    // What is claimed is submitted first, unless it is already there, so that each case ends as it began.
    if (rows["tenants"] === undefined)
      for (let left = TIMED_JOBS; left > 0; left -= BATCH) await submit(store, Math.min(left, BATCH));
    const { claims, both } = await timeClaims(store);
    const rss = process.memoryUsage().rss;
    await store.close();
    return {
      ms: percentile(both, 0.5),
      "claim ms": percentile(claims, 0.5),
      p99: percentile(both, 0.99),
      "RSS MB": rss / 1_048_576,
    };
  },
};
