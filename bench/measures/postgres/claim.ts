// What a claim and settle of 10 costs on PostgreSQL: beside a million rows in one tenant's backlog, and while another session holds a
// snapshot, so that no dead row can be cleared away.

import { type Flow, flowUnderSnapshot, PER_SECOND } from "../../../test/support/postgres-flow.ts";
import { type Case, type Measure, percentile } from "../../harness.ts";
import { openPostgresStore, submit, TIMED_JOBS, timeClaims } from "../store.ts";
import { withServer } from "./server.ts";

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
      const rows = Math.max(each.with["rows"] as number, TIMED_JOBS);
      for (let left = rows; left > 0; left -= BATCH) await submit(store, Math.min(left, BATCH));
      const { claims, both } = await timeClaims(store);
      await store.close();
      return {
        "claim ms": percentile(claims, 0.5),
        both: percentile(both, 0.5),
        "claim p99": percentile(claims, 0.99),
      };
    }),
};

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
  run: (each, dir) =>
    withServer(dir, async ({ url }) => {
      const { claims, settled } = await flowUnderSnapshot(url, each.with as unknown as Flow);
      const last = claims.slice(-Math.ceil(claims.length / 5));
      return {
        p99: percentile(claims, 0.99),
        p50: percentile(claims, 0.5),
        max: Math.max(...claims),
        "p99 of the last fifth": percentile(last, 0.99),
        "jobs/s": settled / (each.with["seconds"] as number),
      };
    }),
};
