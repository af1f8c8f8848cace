// On PostgreSQL, fsync on, and BullMQ where a Redis is installed: every case has a server of its own, started for it and gone with it.

import { payloadOf, payloads } from "../../contenders/contender.ts";
import { open, type Who } from "../../contenders/open.ts";
import type { Case, Figures, Measure } from "../../harness.ts";
import { workOff } from "../process/backlog.ts";
import { latency } from "../process/latency.ts";
import { hasRedis, withRedis } from "../redis-server.ts";
import { postgresClaim, postgresSnapshot } from "./claim.ts";
import { postgresHeld } from "./held.ts";
import { claimKeys, postgresKeyed } from "./keyed.ts";
import { postgresScale } from "./scale.ts";
import { withServer } from "./server.ts";
import { postgresWithin } from "./within.ts";

const PEERS: Who[] = ["graphile-worker", "pg-boss", ...(hasRedis ? (["bullmq", "bullmq durable"] as const) : [])];
const WHO: Who[] = ["millrace postgres", ...PEERS];

/** BullMQ has a Redis instead. */
function onServer(who: Who, dir: string, work: () => Promise<Figures>): Promise<Figures> {
  if (who === "bullmq") return withRedis(dir, "everysec", work);
  return who === "bullmq durable" ? withRedis(dir, "always", work) : withServer(dir, work);
}

/** Against graphile-worker: where pg-boss is faster, its own line shows it. */
function cases(setting: string, given: Record<string, number>, who: Who[] = WHO): Case[] {
  return who.map((each) => ({ who: each, setting, against: { who: "graphile-worker", setting }, with: given }));
}

const submit: Measure = {
  name: "postgres-submit",
  title: "PostgreSQL: submit singly with 1 and 50 in flight, and 1,000 at once",
  unit: "jobs/s",
  cases: ({ quick }) => [
    ...cases("1 in flight", { count: quick ? 500 : 3_000, callers: 1 }),
    ...cases("50 in flight", { count: quick ? 3_000 : 20_000, callers: 50 }),
    ...cases("1,000 at once", { count: quick ? 10_000 : 100_000, batch: 1_000 }),
  ],
  run: (each, dir) =>
    onServer(each.who, dir, async () => {
      const { count, callers = 1, batch } = each.with as { count: number; callers?: number; batch?: number };
      const queue = await open(each.who, dir);
      let next = 0;
      const caller = async (until: number) => {
        while (next < until) {
          if (batch === undefined) await queue.submit(payloadOf(next++));
          else {
            await queue.submitMany(payloads(next, batch));
            next += batch;
          }
        }
      };
      const all = (until: number) => Promise.all(Array.from({ length: callers }, () => caller(until)));
      await all(count / 5);
      const start = performance.now();
      await all(count / 5 + count);
      const seconds = (performance.now() - start) / 1_000;
      await queue.close();
      return { "jobs/s": count / seconds };
    }),
};

const processing: Measure = {
  name: "postgres-process",
  title: "PostgreSQL: process no-op jobs to completion from a backlog",
  unit: "jobs/s",
  // Of ours at both levels, the peers know one; and keeping nothing of what is done, as graphile-worker does.
  cases: ({ quick }) =>
    [50, 500, 2_000].flatMap((processors) =>
      // A large pool is through 100,000 before its code is compiled, and before a peer's table has dead rows.
      cases(`${processors} processors`, { processors, count: quick ? 10_000 : processors < 500 ? 100_000 : 300_000 }, [
        "millrace postgres",
        "millrace postgres normal",
        "millrace postgres keep none",
        ...PEERS,
      ]),
    ),
  run: (each, dir) =>
    onServer(each.who, dir, async () => {
      const { count, processors } = each.with as { count: number; processors: number };
      return { "jobs/s": await workOff(each.who, dir, count, { processors }) };
    }),
};

const delays: Measure = {
  name: "postgres-latency",
  title: "PostgreSQL: submit to start across two processes",
  unit: "ms",
  rounds: 1,
  cases: ({ quick }) => cases("two processes", { samples: quick ? 50 : 300, processes: 2, gapMs: 20 }),
  run: (each, dir) => onServer(each.who, dir, () => latency.run(each, dir)),
};

export const postgresMeasures: Measure[] = [
  ...[submit, postgresWithin, postgresHeld, processing, postgresKeyed, claimKeys],
  ...[delays, postgresClaim, postgresSnapshot, postgresScale],
];
