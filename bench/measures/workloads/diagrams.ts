// One diagram to SVG, by our engine and by others. Each case runs in a fresh process, so `cold` is from nothing to the first
// drawing.

import type { Who } from "../../contenders/open.ts";
import { SUBJECTS } from "../../diagrams/sources.ts";
import { openWay, WAYS, type Way } from "../../diagrams/ways.ts";
import { type Case, type Figures, type Measure, percentile } from "../../harness.ts";

/** These are ways to draw, not queues that `open` knows. */
const as = (way: Way) => way as string as Who;

export const diagrams: Measure = {
  name: "diagrams",
  title: "One diagram to SVG, each from a source of its own; the browsers draw Mermaid alone",
  unit: "ms",
  rounds: 1,
  cases: ({ quick }) =>
    SUBJECTS.flatMap(({ name: setting, format }, subject) =>
      WAYS.filter((way) => way === "millrace" || format === "mermaid").map((way): Case => {
        // A call of mermaid-cli takes seconds.
        const warm = way === "mermaid-cli" || way === "fresh page" ? (quick ? 1 : 5) : quick ? 10 : 50;
        return {
          who: as(way),
          setting,
          ...(way !== "millrace" && { against: { who: as("millrace"), setting } }),
          with: { subject, warm },
        };
      }),
    ),
  async run(each, dir): Promise<Figures> {
    const { subject: index, warm } = each.with as { subject: number; warm: number };
    const subject = SUBJECTS[index];
    if (subject === undefined) throw new Error("no such diagram");
    const startedAt = performance.now();
    const { draw, close } = await openWay(each.who as string as Way, dir);
    try {
      await draw(subject, 0);
      const cold = performance.now() - startedAt;
      // A compiler that works while the program runs needs some rounds; a fresh page and a call have none to gain.
      if (warm > 5) for (let round = 1; round <= 20; round++) await draw(subject, 1000 + round);
      const times: number[] = [];
      for (let round = 1; round <= warm; round++) {
        const from = performance.now();
        await draw(subject, round);
        times.push(performance.now() - from);
      }
      const memoryMb = process.memoryUsage().rss / 2 ** 20;
      return { "p50 ms": percentile(times, 0.5), "p99 ms": percentile(times, 0.99), "cold ms": cold, MB: memoryMb };
    } finally {
      await close();
    }
  },
};
