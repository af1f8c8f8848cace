import { payloadOf } from "../../contenders/contender.ts";
import { all, open } from "../../contenders/open.ts";
import type { Case, Measure } from "../../harness.ts";

export const submitOne: Measure = {
  name: "submit-one",
  title: "submit one by one, each awaited",
  unit: "jobs/s",
  cases: ({ quick }) =>
    all("millrace full", "millrace normal", "plainjob full", "plainjob", "bunqueue durable", "bunqueue").map(
      (who): Case => ({
        who,
        setting: "one by one",
        against: {
          who: who === "millrace full" || who === "plainjob full" ? "plainjob full" : "plainjob",
          setting: "one by one",
        },
        with: { count: quick ? 500 : 3_000 },
      }),
    ),
  async run(each, dir) {
    const count = each.with["count"] as number;
    const queue = await open(each.who, dir);
    for (let n = 0; n < count / 4; n++) await queue.submit(payloadOf(n));
    const start = performance.now();
    for (let n = 0; n < count; n++) await queue.submit(payloadOf(n));
    const seconds = (performance.now() - start) / 1_000;
    await queue.close();
    return { "jobs/s": count / seconds };
  },
};
