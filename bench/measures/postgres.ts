// On PostgreSQL, fsync on: every case has a server of its own, started for it and gone with it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PostgresServer } from "../../test/support/postgres-server.ts";
import { payloadOf, payloads } from "../contenders/contender.ts";
import { open, type Who } from "../contenders/open.ts";
import type { Case, Figures, Measure } from "../harness.ts";
import { workOff } from "./backlog.ts";
import { latency } from "./latency.ts";

const WHO: Who[] = ["millrace postgres", "graphile-worker", "pg-boss"];
const SERVER = { fsync: "on", full_page_writes: "on", shared_buffers: "256MB", max_connections: "200" };

async function withServer(dir: string, work: () => Promise<Figures>): Promise<Figures> {
  const server = await PostgresServer.start(SERVER, dir);
  writeFileSync(join(dir, "url"), server.url);
  try {
    return await work();
  } finally {
    await server.remove();
  }
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
    withServer(dir, async () => {
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
  cases: ({ quick }) =>
    [50, 500].flatMap((processors) => cases(`${processors} processors`, { processors, count: quick ? 5_000 : 50_000 })),
  run: (each, dir) =>
    withServer(dir, async () => {
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
  run: (each, dir) => withServer(dir, () => latency.run(each, dir)),
};

const behind: Measure = {
  name: "postgres-claim",
  title: "PostgreSQL: process from a backlog with other rows behind it",
  unit: "jobs/s",
  rounds: 1,
  cases: ({ quick }) =>
    [0, quick ? 50_000 : 1_000_000].flatMap((rows) =>
      cases(`${rows.toLocaleString("en-US")} rows behind`, { rows, count: quick ? 2_000 : 20_000 }, [
        "millrace postgres",
      ]),
    ),
  run: (each, dir) =>
    withServer(dir, async () => {
      const { rows, count } = each.with as { rows: number; count: number };
      const queue = await open(each.who, dir);
      for (let n = 0; n < rows; n += 1_000) await queue.submitMany(payloads(n, 1_000));
      await queue.close();
      return { "jobs/s": await firstOf(each.who, dir, count, rows) };
    }),
};

/** How fast the first of many are worked off: the rest stays behind. */
async function firstOf(who: Who, dir: string, count: number, rows: number): Promise<number> {
  if (rows === 0) return workOff(who, dir, count, { processors: 50 });
  const enough = Promise.withResolvers<void>();
  let started = 0;
  let warmAt = 0;
  const queue = await open(who, dir, {
    processors: 50,
    run() {
      started++;
      if (started === count / 10) warmAt = performance.now();
      if (started === count) enough.resolve();
    },
  });
  await enough.promise;
  const seconds = (performance.now() - warmAt) / 1_000;
  void queue.close();
  return (count * 0.9) / seconds;
}

export const postgresMeasures: Measure[] = [submit, processing, delays, behind];
