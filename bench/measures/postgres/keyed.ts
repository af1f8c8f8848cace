// One job of a key at a time. Beside pg-boss's groups: a backlog over 10,000 keys. And by itself: what a claim costs with 100,000 keys.

import { setTimeout as pause } from "node:timers/promises";
import type { Case, Measure } from "../../harness.ts";
import { percentile } from "../../harness.ts";
import { workOff } from "../process/backlog.ts";
import { openKeyedStore, submitKeyed, TIMED_JOBS, timeClaims } from "../store.ts";
import { withServer } from "./server.ts";

const KEYS = 10_000;
const PROCESSORS = 500;
export const BY_ITSELF = "10,000 keys, each job by itself";
const SETTLED_MS = 5_000;

export const postgresKeyed: Measure = {
  name: "postgres-keyed",
  title: "PostgreSQL: process no-op jobs of many keys, one job of a key at a time",
  unit: "jobs/s",
  cases: ({ quick }) => {
    const given = { keys: KEYS, count: KEYS * (quick ? 2 : 5), processors: PROCESSORS };
    const against = { who: "pg-boss", setting: BY_ITSELF } as const;
    return [
      { who: "millrace postgres", setting: BY_ITSELF, against, with: given },
      { who: "pg-boss", setting: BY_ITSELF, with: { ...given, workersOfOneJob: PROCESSORS } },
      // The jobs of a batch are completed, or fail, by one statement.
      { who: "pg-boss", setting: "10,000 keys, in batches of 5,000", against, with: given },
    ];
  },
  run: (each, dir) =>
    withServer(dir, async () => {
      const { count, ...options } = each.with as { count: number; keys: number; processors: number };
      return { "jobs/s": await workOff(each.who, dir, count, options) };
    }),
};

const ONE_KEY = "one key";

export const claimKeys: Measure = {
  name: "claim-keys",
  title: "claim + settle of 10 through the store, of one key and of many with a backlog each",
  unit: "ms",
  cases: ({ quick }) =>
    (["millrace normal", "millrace postgres"] as const).flatMap((who) =>
      [1, quick ? 5_000 : 100_000].map(
        (keys): Case => ({
          who,
          setting: keys === 1 ? ONE_KEY : `${keys.toLocaleString("en-US")} keys`,
          against: { who, setting: ONE_KEY },
          with: { keys },
        }),
      ),
    ),
  run: (each, dir) => {
    const { keys } = each.with as { keys: number };
    const measure = async (url?: string) => {
      const store = await openKeyedStore(dir, url);
      await submitKeyed(store, { keys, each: Math.max(2, Math.ceil(TIMED_JOBS / keys)) });
      // The checkpoint of so many rows has ended by then.
      await pause(SETTLED_MS);
      const { claims, both } = await timeClaims(store);
      await store.close();
      return {
        "claim ms": percentile(claims, 0.5),
        both: percentile(both, 0.5),
        "claim p99": percentile(claims, 0.99),
      };
    };
    return each.who === "millrace postgres" ? withServer(dir, ({ url }) => measure(url)) : measure();
  },
};
