// What submitters notice of transactions that others hold open: from the call of submit to its answer, one after the other, with none
// and with 50 callers who have submitted a job of the same kind and tenant and commit after 5 s.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { defineKind, Millrace, postgres } from "../../../packages/millrace/src/index.ts";
import { payloadOf } from "../../contenders/contender.ts";
import { anyPayload } from "../../contenders/millrace.ts";
import { type Case, type Measure, percentile } from "../../harness.ts";
import { withServer } from "./server.ts";

const HELD_MS = 5_000;
const CALLERS = 50;
export const NONE_HELD = "no other transaction";

export const postgresHeld: Measure = {
  name: "postgres-held",
  title: "PostgreSQL: submissions beside transactions that are held for 5 s",
  unit: "ms",
  cases: () =>
    [0, CALLERS].map(
      (callers): Case => ({
        who: "millrace postgres",
        setting: callers === 0 ? NONE_HELD : `${callers} transactions held`,
        against: { who: "millrace postgres", setting: NONE_HELD },
        with: { callers },
      }),
    ),
  run: (each, dir) =>
    withServer(dir, async () => {
      const { callers } = each.with as { callers: number };
      const url = readFileSync(join(dir, "url"), "utf8");
      const noop = defineKind({ name: "noop", payload: anyPayload, run: () => undefined });
      const millrace = await Millrace.open({ store: postgres(url), kinds: [noop] });
      const pool = new pg.Pool({ connectionString: url, max: Math.max(1, callers) });
      const submitUntil = async (end: number) => {
        const times: number[] = [];
        while (performance.now() < end) {
          const start = performance.now();
          await millrace.submit(noop, payloadOf(times.length));
          times.push(performance.now() - start);
        }
        return times;
      };
      await submitUntil(performance.now() + HELD_MS / 5);
      const held = Array.from({ length: callers }, async () => {
        const client = await pool.connect();
        await client.query("BEGIN");
        await millrace.within(client).submit(noop, payloadOf(0));
        return client;
      });
      const clients = await Promise.all(held);
      const times = await submitUntil(performance.now() + HELD_MS);
      for (const client of clients) {
        await client.query("COMMIT");
        client.release();
      }
      await pause(100);
      await pool.end();
      await millrace.stop();
      return { p99: percentile(times, 0.99), p50: percentile(times, 0.5), "jobs/s": (times.length * 1_000) / HELD_MS };
    }),
};
