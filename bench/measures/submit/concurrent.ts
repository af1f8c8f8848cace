import { payloadOf } from "../../contenders/contender.ts";
import { all, open } from "../../contenders/open.ts";
import type { Case, Measure } from "../../harness.ts";

const SETTING = "64 in flight";

export const submitConcurrent: Measure = {
  name: "submit-concurrent",
  title: "submit with 64 callers at once",
  unit: "jobs/s",
  cases: ({ quick }) =>
    all("millrace full", "millrace normal", "bunqueue durable", "bunqueue").map(
      (who): Case => ({
        who,
        setting: SETTING,
        against: { who: "bunqueue durable", setting: SETTING },
        with: { count: (quick ? 0.1 : 1) * (who.startsWith("bunqueue") ? 20_000 : 50_000), callers: 64 },
      }),
    ),
  async run(each, dir) {
    const { count, callers } = each.with as { count: number; callers: number };
    const queue = await open(each.who, dir);
    const submitAll = async (total: number) => {
      let next = 0;
      const caller = async () => {
        while (next < total) await queue.submit(payloadOf(next++));
      };
      await Promise.all(Array.from({ length: callers }, caller));
    };
    await submitAll(count / 4);
    const start = performance.now();
    await submitAll(count);
    const seconds = (performance.now() - start) / 1_000;
    await queue.close();
    return { "jobs/s": count / seconds };
  },
};
