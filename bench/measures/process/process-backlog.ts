import { all } from "../../contenders/open.ts";
import type { Case, Measure } from "../../harness.ts";
import { workOff } from "./backlog.ts";

const PLAINJOB = { who: "plainjob", setting: "its worker" } as const;

export const processBacklog: Measure = {
  name: "process",
  title: "process no-op jobs to completion from a backlog",
  unit: "jobs/s",
  cases({ quick }) {
    const share = quick ? 0.1 : 1;
    const pools = [10, 500].flatMap((processors) =>
      all("millrace full", "millrace normal", "bunqueue").map(
        (who): Case => ({
          who,
          setting: `${processors} processors`,
          against: PLAINJOB,
          with: { processors, count: share * (who === "bunqueue" ? 20_000 : processors === 10 ? 100_000 : 200_000) },
        }),
      ),
    );
    const plainjob = all("plainjob").map((): Case => ({ ...PLAINJOB, with: { count: share * 50_000 } }));
    return [...pools, ...plainjob];
  },
  async run(each, dir) {
    const { count, processors } = each.with as { count: number; processors?: number };
    return { "jobs/s": await workOff(each.who, dir, count, processors === undefined ? {} : { processors }) };
  },
};
