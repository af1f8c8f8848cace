// `full` against `normal` by the size of a batch: the fsync is shared by all that is in a commit.

import type { Case, Measure } from "../../harness.ts";
import { claim, openStore, settle, submit } from "../store.ts";

export const durability: Measure = {
  name: "durability",
  title: "full against normal, by jobs per commit",
  unit: "jobs/s",
  cases: ({ quick }) =>
    [1, 10, 100, 500].flatMap((batch) =>
      (["submit", "claim+settle"] as const).flatMap((what) =>
        (["millrace normal", "millrace full"] as const).map(
          (who): Case => ({
            who,
            setting: `${what}, batch ${batch}`,
            against: { who: "millrace normal", setting: `${what}, batch ${batch}` },
            with: {
              batch,
              times: Math.ceil((quick ? 5_000 : 30_000) / (batch + 15)),
              process: what === "submit" ? 0 : 1,
            },
          }),
        ),
      ),
    ),
  async run(each, dir) {
    const { batch, times, process } = each.with as { batch: number; times: number; process: number };
    const store = await openStore(dir, each.who === "millrace full" ? "full" : "normal");
    const warmUp = Math.ceil(times / 5);
    const one = process ? async () => settle(store, await claim(store, batch)) : () => submit(store, batch);
    if (process)
      for (let left = (times + warmUp) * batch; left > 0; left -= 1_000) await submit(store, Math.min(left, 1_000));
    for (let i = 0; i < warmUp; i++) await one();
    const start = performance.now();
    for (let i = 0; i < times; i++) await one();
    const seconds = (performance.now() - start) / 1_000;
    await store.close();
    return { "jobs/s": (times * batch) / seconds };
  },
};
