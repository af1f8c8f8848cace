// What a cap per tenant costs: the same backlog of 20 tenants with and without one. The cap of 10 does not bind (100 processors
// shared by 20 tenants are 5 each), so the difference is the bookkeeping.

import type { Case, Measure } from "../../harness.ts";
import { workOff } from "./backlog.ts";

export const capCost: Measure = {
  name: "cap-cost",
  title: "process a backlog of 20 tenants, with and without a cap",
  unit: "jobs/s",
  cases: ({ quick }) =>
    [0, 10].map(
      (cap): Case => ({
        who: "millrace normal",
        setting: cap === 0 ? "no cap" : `maxConcurrentPerTenant ${cap}`,
        against: { who: "millrace normal", setting: "no cap" },
        with: { cap, count: quick ? 10_000 : 100_000 },
      }),
    ),
  async run(each, dir) {
    const { cap, count } = each.with as { cap: number; count: number };
    const options = { processors: 100, tenants: 20, ...(cap > 0 && { capPerTenant: cap }) };
    return { "jobs/s": await workOff(each.who, dir, count, options) };
  },
};
