// Jobs come at a steady rate and are worked off as they come, while somebody else may hold a snapshot: no dead row is cleared
// away then. For a fault test and for the bench.

import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { PostgresStore } from "../../packages/millrace/src/store/postgres/store.ts";

export const PER_SECOND = 500;
const TICK_MS = 20;
const SIZE = 10;
const JOB = { kind: "noop", payload: '{"n":123456}' };
const KIND = {
  name: "noop",
  stages: [{ name: "running", maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 300_000 } }],
  retention: { finishedMs: 3_600_000, deadLetterMs: 604_800_000 },
};

export interface Flow {
  seconds: number;
  tenants: number;
  /** 1: somebody holds one all the while. */
  snapshot: number;
}

export interface Flowed {
  /** What each claim that found jobs took, in milliseconds. */
  claims: number[];
  submitted: number;
  settled: number;
}

export async function flowUnderSnapshot(url: string, { seconds, tenants, snapshot }: Flow): Promise<Flowed> {
  const store = new PostgresStore({ url });
  await store.open({ wake() {}, lost() {}, expired() {}, trouble: console.error, fatal: console.error });
  await store.register([KIND]);
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
      if (due > 0)
        await store.submit([{ tenant: `tenant-${turn++ % tenants}`, jobs: Array.from({ length: due }, () => JOB) }]);
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
        await Promise.all(jobs.map(({ lease }) => store.settle(lease, { type: "completed", result: "null" })));
        settled += jobs.length;
      }
    }
  };
  await Promise.all([submitter(), worker()]);
  await other.end();
  await store.close();
  return { claims, submitted, settled };
}
