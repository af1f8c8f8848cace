// What a claim and settle of 10 costs on PostgreSQL: beside a million rows in one tenant's backlog, and while somebody holds a
// snapshot, so that no dead row can be cleared away.

import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { type Case, type Figures, type Measure, percentile } from "../harness.ts";
import { withServer } from "./postgres-server.ts";
import { claim, openPostgresStore, settle, submit } from "./store.ts";

const TIMES = 300;
const SIZE = 10;
const BATCH = 1_000;
const ALONE = "no other rows";

export const postgresClaim: Measure = {
  name: "postgres-claim",
  title: "PostgreSQL: claim + settle of 10 through the store",
  unit: "ms",
  cases: ({ quick }) =>
    [0, quick ? 50_000 : 1_000_000].map(
      (rows): Case => ({
        who: "millrace postgres",
        setting: rows === 0 ? ALONE : `${rows.toLocaleString("en-US")} pending`,
        against: { who: "millrace postgres", setting: ALONE },
        with: { rows },
      }),
    ),
  run: (each, dir) =>
    withServer(dir, async ({ url }) => {
      const store = await openPostgresStore(url);
      const rows = Math.max(each.with["rows"] as number, 2 * TIMES * SIZE);
      for (let left = rows; left > 0; left -= BATCH) await submit(store, Math.min(left, BATCH));
      const claims: number[] = [];
      const both: number[] = [];
      for (let i = 0; i < TIMES + TIMES / 3; i++) {
        const start = performance.now();
        const jobs = await claim(store, SIZE);
        const claimed = performance.now();
        await settle(store, jobs);
        if (i < TIMES / 3) continue;
        claims.push(claimed - start);
        both.push(performance.now() - start);
      }
      await store.close();
      return {
        "claim ms": percentile(claims, 0.5),
        both: percentile(both, 0.5),
        "claim p99": percentile(claims, 0.99),
      };
    }),
};

const TICK_MS = 20;
const PER_SECOND = 500;

export const postgresSnapshot: Measure = {
  name: "postgres-snapshot",
  title: `PostgreSQL: claims at ${PER_SECOND} jobs a second while somebody holds a snapshot`,
  unit: "ms",
  rounds: 1,
  cases: ({ quick }) => {
    const seconds = quick ? 15 : 180;
    const of = (setting: string, more: Record<string, number>): Case => ({
      who: "millrace postgres",
      setting,
      with: { seconds, tenants: 1, snapshot: 1, ...more },
    });
    return [
      of(`no snapshot, ${seconds} s`, { snapshot: 0, seconds: Math.min(seconds, 30) }),
      of(`snapshot held for ${seconds} s`, {}),
      of(`snapshot held for ${seconds} s, 20 tenants`, { tenants: 20 }),
    ];
  },
  run: (each, dir) => withServer(dir, ({ url }) => flowUnderSnapshot(url, each.with as unknown as Flow)),
};

export interface Flow {
  seconds: number;
  tenants: number;
  /** 1: somebody holds one all the while. */
  snapshot: number;
}

/** Jobs are submitted at a steady rate and worked off as they come; every claim that found some is measured. */
export async function flowUnderSnapshot(url: string, { seconds, tenants, snapshot }: Flow): Promise<Figures> {
  const store = await openPostgresStore(url);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  if (snapshot === 1) {
    await other.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    await other.query("SELECT count(*) FROM millrace.job");
  }
  const start = performance.now();
  const endAt = start + seconds * 1_000;
  const claims: number[] = [];
  let submitted = 0;
  let settled = 0;
  let turn = 0;

  const submitter = async () => {
    while (performance.now() < endAt) {
      const due = Math.floor(((performance.now() - start) / 1_000) * PER_SECOND) - submitted;
      submitted += Math.max(0, due);
      if (due > 0) await submit(store, due, { tenant: `tenant-${turn++ % tenants}` });
      await pause(TICK_MS);
    }
  };
  const worker = async () => {
    const slots = Array.from({ length: SIZE }, (_, i) => i);
    while (performance.now() < endAt || settled < submitted) {
      const askedAt = performance.now();
      const { jobs } = await store.claim({ kind: "noop", stage: "running", slots, suspects: 0 });
      if (jobs.length === 0) await pause(2);
      else {
        claims.push(performance.now() - askedAt);
        await settle(store, jobs);
        settled += jobs.length;
      }
    }
  };
  await Promise.all([submitter(), worker()]);
  const last = claims.slice(-Math.ceil(claims.length / 5));
  await other.end();
  await store.close();
  return {
    p99: percentile(claims, 0.99),
    p50: percentile(claims, 0.5),
    max: Math.max(...claims),
    "p99 of the last fifth": percentile(last, 0.99),
    "jobs/s": settled / ((performance.now() - start) / 1_000),
  };
}
