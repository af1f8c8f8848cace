import { payloads } from "../../contenders/contender.ts";
import { all, open, type Who } from "../../contenders/open.ts";
import type { Case, Measure } from "../../harness.ts";

export const submitBulk: Measure = {
  name: "submit-bulk",
  title: "submit in bulk, one transaction per batch",
  unit: "jobs/s",
  cases: ({ quick }) =>
    [100, 1_000].flatMap((batch) => {
      const count = quick ? 20_000 : 100_000;
      const setting = `batches of ${batch}`;
      const against = { who: "plainjob" as Who, setting };
      const alone = all(
        "millrace full",
        "millrace normal",
        "plainjob full",
        "plainjob",
        "bunqueue durable",
        "bunqueue",
      ).map((who): Case => {
        // A fifth for the one that is slow, so that a run stays under ten minutes.
        const share = who.startsWith("bunqueue") ? 0.2 : 1;
        return { who, setting, against, with: { count: count * share, batch, inFlight: 1 } };
      });
      // plainjob blocks its caller, ours does not: an application can make the next batch while one is on its way.
      const four: Case = {
        who: "millrace normal",
        setting: `${setting}, 4 in flight`,
        against,
        with: { count, batch, inFlight: 4 },
      };
      return [...alone, four];
    }),
  async run(each, dir) {
    const { count, batch, inFlight } = each.with as { count: number; batch: number; inFlight: number };
    const queue = await open(each.who, dir);
    const submitAll = async (total: number) => {
      let next = 0;
      const caller = async () => {
        while (next < total) {
          next += batch;
          await queue.submitMany(payloads(next, batch));
        }
      };
      await Promise.all(Array.from({ length: inFlight }, caller));
    };
    await submitAll(count / 10);
    const start = performance.now();
    await submitAll(count);
    const seconds = (performance.now() - start) / 1_000;
    await queue.close();
    return { "jobs/s": count / seconds };
  },
};
