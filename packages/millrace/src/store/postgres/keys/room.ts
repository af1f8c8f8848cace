// How many jobs of a kind may start, by its own total and by the limits that it shares. A claim holds their locks while it counts
// what runs and until it has committed, so that no other claim counts the same room.

import type { ConcurrencyPolicy } from "../../../job/kind/plan.ts";
import { READY, RUNNING } from "../../codes.ts";
import type { RunningLimit } from "../../verbs/circumstances.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { NAMES_VERSION } from "../register/names.ts";

const TOTALS = statement<{ names: string }>(`SELECT name, coalesce(set_total, total) AS total
  FROM millrace.concurrency_limit
  WHERE name = ANY(:names::text[])`);
/** Jobs in bundles are always looked up by their keys, whatever the planner would choose. */
const COUNT = statement<{ kinds: string }>(`WITH counted AS MATERIALIZED (
    SELECT id, kind FROM millrace.stage WHERE kind = ANY(:kinds::int[])
  ),
  running AS (
    SELECT stage FROM millrace.job WHERE standing = ${RUNNING} AND stage = ANY(ARRAY(SELECT id FROM counted))
    UNION ALL
    SELECT own.stage
    FROM millrace.bundle,
      unnest(bundle.jobs) AS named (id),
      LATERAL (SELECT stage FROM millrace.job WHERE job.id = named.id AND standing + 0 = ${READY} LIMIT 1) AS own
    WHERE own.stage = ANY(ARRAY(SELECT id FROM counted))
  )
  SELECT counted.kind, count(*)::int AS count
  FROM running JOIN counted ON counted.id = running.stage
  GROUP BY counted.kind`);
const VERSION = `SELECT ${NAMES_VERSION} AS value`;

export function isShared(concurrency: ConcurrencyPolicy | undefined): boolean {
  return concurrency?.total !== undefined || concurrency?.limits !== undefined;
}

/** `Infinity` without any limit. Takes the locks of the limits. */
export async function roomOfKind(core: Core, tx: StatementRunner, kind: number): Promise<number> {
  for (;;) {
    const { concurrency } = core.names.rules(kind);
    if (!isShared(concurrency)) return Number.POSITIVE_INFINITY;
    const { limits = [] } = concurrency as ConcurrencyPolicy;
    await lock(tx, core.connections.target.schema, [`total ${kind}`, ...limits.map((name) => `limit ${name}`)]);
    const [version] = await tx.run<{ value: string }>(VERSION);
    // Another deployment has changed the limits since this process last looked.
    if (version?.value !== core.names.version) {
      await core.names.load();
      continue;
    }
    const rooms = (await runningLimits(core, tx, kind)).map((limit) => limit.total - limit.running);
    return Math.max(0, Math.min(...rooms));
  }
}

/** The limits on running jobs of a kind, with what runs under each. */
export async function runningLimits(core: Core, db: StatementRunner, kind: number): Promise<RunningLimit[]> {
  const { concurrency } = core.names.rules(kind);
  if (!isShared(concurrency)) return [];
  const { total, limits = [] } = concurrency as ConcurrencyPolicy;
  const shared =
    limits.length > 0 ? await db.run<{ name: string; total: number }>(...TOTALS({ names: texts(limits) })) : [];
  const kinds = [kind, ...limits.flatMap((limit) => core.names.kindsUnder(limit))];
  const counts = await runningByKind(db, kinds);
  const running = (of: readonly number[]) => of.reduce((all, each) => all + (counts.get(each) ?? 0), 0);
  const own = total === undefined ? [] : [{ total, running: running([kind]) }];
  return [...own, ...shared.map((limit) => ({ ...limit, running: running(core.names.kindsUnder(limit.name)) }))];
}

/** How many jobs of each kind run; a kind without any is left out. */
export async function runningByKind(
  db: StatementRunner,
  kinds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (kinds.length === 0) return new Map();
  const counts = await db.run<{ kind: number; count: number }>(...COUNT({ kinds: numbers([...new Set(kinds)]) }));
  return new Map(counts.map((row) => [row.kind, row.count]));
}
