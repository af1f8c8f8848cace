// The store by itself, without pools: for what a claim costs.

import type { ConcurrencyPolicy } from "../../packages/millrace/src/job/kind/plan.ts";
import type { ClaimedJob } from "../../packages/millrace/src/job/lease.ts";
import { PostgresStore } from "../../packages/millrace/src/store/postgres/store.ts";
import { SqliteStore } from "../../packages/millrace/src/store/sqlite/store.ts";
import type { Store } from "../../packages/millrace/src/store/store.ts";
import { fileOf } from "../contenders/millrace.ts";

export async function openStore(dir: string, durability: "full" | "normal"): Promise<SqliteStore> {
  return opened(new SqliteStore({ path: fileOf(dir), durability }));
}

export function openPostgresStore(url: string): Promise<PostgresStore> {
  return opened(new PostgresStore({ url }));
}

/** Its jobs have keys, of which as many run as a claim takes. */
export function openKeyedStore(dir: string, url?: string): Promise<Store> {
  const store =
    url === undefined ? new SqliteStore({ path: fileOf(dir), durability: "normal" }) : new PostgresStore({ url });
  return opened<Store>(store, { concurrency: { keyed: true, perKey: SIZE } });
}

async function opened<S extends Store>(store: S, more: { concurrency?: ConcurrencyPolicy } = {}): Promise<S> {
  const fail = (error: Error) => {
    throw error;
  };
  await store.open({ wake() {}, lost() {}, expired() {}, trouble: console.error, fatal: fail });
  await store.register([
    {
      name: "noop",
      ...more,
      stages: [{ name: "running", maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 300_000 } }],
      retention: { finishedMs: 3_600_000, deadLetterMs: 604_800_000 },
    },
  ]);
  return store;
}

const BATCH = 1_000;

const slots = (count: number) => Array.from({ length: count }, (_, i) => i);

/** One transaction. `delayMs` makes them scheduled ones. */
export async function submit(
  store: Store,
  count: number,
  more: { tenant?: string; delayMs?: number } = {},
): Promise<void> {
  const { tenant = "default", delayMs } = more;
  const job = {
    kind: "noop",
    payload: '{"n":123456,"at":1700000000000.25}',
    ...(delayMs !== undefined && { delayMs }),
  };
  await store.submit([{ tenant, jobs: Array.from({ length: count }, () => job) }]);
}

/** So many jobs of each key. The keys take turns, so that each claim finds jobs of ten keys if there are ten. */
export async function submitKeyed(store: Store, { keys, each }: { keys: number; each: number }): Promise<void> {
  for (let n = 0; n < keys * each; n += BATCH) {
    const jobs = Array.from({ length: Math.min(BATCH, keys * each - n) }, (_, i) => ({
      kind: "noop",
      payload: '{"n":123456,"at":1700000000000.25}',
      concurrencyKey: `key-${(n + i) % keys}`,
    }));
    await store.submit([{ tenant: "default", jobs }]);
  }
}

export async function claim(store: Store, count: number): Promise<ClaimedJob[]> {
  const { jobs } = await store.claim({ kind: "noop", stage: "running", slots: slots(count), suspects: 0 });
  if (jobs.length !== count) throw new Error(`claimed ${jobs.length} of ${count}`);
  return jobs;
}

/** Asked in one turn of the loop, so they share a commit as a pool's would. */
export async function settle(store: Store, jobs: ClaimedJob[]): Promise<void> {
  await Promise.all(jobs.map((job) => store.settle(job.lease, { type: "completed", result: "null" })));
}

/** How often a claim is timed, and of how many jobs; a third more come first, to warm up. */
const TIMES = 300;
const SIZE = 10;
export const TIMED_JOBS = (TIMES + TIMES / 3) * SIZE;

/** How long claims of ten take, and claims with their settles. */
export async function timeClaims(store: Store): Promise<{ claims: number[]; both: number[] }> {
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
  return { claims, both };
}
