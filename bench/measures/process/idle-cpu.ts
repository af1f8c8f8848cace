// Three kinds registered and nothing to do. cpuUsage counts all threads of the process; no contender has children here.

import { setTimeout as pause } from "node:timers/promises";
import { all, open } from "../../contenders/open.ts";
import type { Case, Measure } from "../../harness.ts";

export const idleCpu: Measure = {
  name: "idle-cpu",
  title: "CPU with three kinds and nothing to do",
  unit: "% of a core",
  rounds: 1,
  cases: ({ quick }) =>
    all("millrace full", "plainjob", "bunqueue").map(
      (who): Case => ({
        who,
        setting: "3 kinds",
        against: { who: "plainjob", setting: "3 kinds" },
        with: { restSeconds: quick ? 2 : 20, seconds: quick ? 3 : 15 },
      }),
    ),
  async run(each, dir) {
    const queue = await open(each.who, dir, { run() {}, moreKinds: ["second", "third"] });
    // The runtime goes on compiling what ran at the start for some 20 s, which is not what an idle service costs.
    await pause((each.with["restSeconds"] as number) * 1_000);
    const before = process.cpuUsage();
    const start = performance.now();
    await pause((each.with["seconds"] as number) * 1_000);
    const { user, system } = process.cpuUsage(before);
    const micros = (performance.now() - start) * 1_000;
    await queue.close();
    return {
      "%": ((user + system) / micros) * 100,
      "user %": (user / micros) * 100,
      "system %": (system / micros) * 100,
    };
  },
};
