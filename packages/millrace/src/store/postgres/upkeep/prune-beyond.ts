// Bounds by count over all stages, JOB_KEEP_MAX and DLQ_KEEP_MAX. There are no counter rows (migrations/base/0001-jobs.ts), so the
// jobs have to be counted. Counting a million takes 0.2 to 0.6 s, so it is done rarely: see `countedExcess`.

import { CANCELLED, COMPLETED, FAILED, REJECTED } from "../../codes.ts";
import { keptMs } from "../../decide/settlement.ts";
import { IS_NEEDED } from "../children/forget.ts";
import { numbers } from "../connection/arrays.ts";
import { deleteBelongings } from "../control/delete.ts";
import type { Core } from "../core.ts";

/** No row of `finished` is smaller, so a table of fewer bytes than this for each job of the bound cannot be beyond it. */
const LEAST_ROW_BYTES = 128;
/** Counting this many jobs takes a few milliseconds. */
const COUNTED_EACH_TIME = 10_000;
/** The bound is kept to one percent. */
const SLACK = 0.01;
/** A server may not count inserts (`track_counts`), and an undone insert counts too. */
const COUNT_AGAIN_MS = 10 * 60_000;
/** More jobs beyond a bound than this are found by the next counts, so that no count takes longer than a statement may. */
const MOST_EXCESS = 100_000;

const TABLE = `SELECT pg_relation_size('millrace.finished')::bigint AS bytes,
  pg_stat_get_tuples_inserted('millrace.finished'::regclass)::bigint AS inserted`;
const COUNT = `SELECT coalesce(sum(counted.count), 0)::bigint AS count FROM unnest($1::int[], $2::int[]) AS bounded (stage, standing)
  CROSS JOIN LATERAL (SELECT count(*) AS count FROM (SELECT 1 FROM millrace.finished
    WHERE stage = bounded.stage AND standing = bounded.standing LIMIT $3) AS kept) AS counted`;
// The oldest of each stage and standing come from their index; of those, the ones whose own time is over first.
const BEYOND = `WITH old AS MATERIALIZED (SELECT oldest.id FROM unnest($1::int[], $2::int[], $3::bigint[]) AS bounded (stage, standing, kept_ms)
    CROSS JOIN LATERAL (SELECT id, finished_at FROM millrace.finished
      WHERE stage = bounded.stage AND standing = bounded.standing AND NOT (${IS_NEEDED}) ORDER BY finished_at LIMIT $4) AS oldest
    ORDER BY oldest.finished_at + bounded.kept_ms, oldest.id LIMIT $4)
  DELETE FROM millrace.finished WHERE id = ANY(ARRAY(SELECT id FROM old)) RETURNING id, flags`;

/** Where jobs of one bound are, and how long their kind keeps them. */
interface BoundedJobs {
  stage: number;
  standing: number;
  keptMs: number;
}

/** What the last count found of one bound. */
export interface Excess {
  /** Jobs beyond the bound that are not deleted yet. */
  left: number;
  /** How many more there may be before the bound is passed. */
  readonly room: number;
  /** How many rows the table had been given by then, in its whole life. */
  readonly inserted: number;
  readonly countedAt: number;
}

/** Returns how many were deleted. */
export async function pruneBeyond(core: Core, limit: number): Promise<number> {
  const { jobKeepMax, dlqKeepMax } = core.options.limits;
  const finished = await pruneTo(core, [COMPLETED, CANCELLED, REJECTED], jobKeepMax, limit);
  return finished + (await pruneTo(core, [FAILED], dlqKeepMax, limit - finished));
}

async function pruneTo(core: Core, standings: number[], bound: number, limit: number): Promise<number> {
  if (bound === 0 || limit <= 0) return 0;
  const bounded = boundedJobsOf(core, standings);
  const excess = await countedExcess(core, bounded, bound);
  const most = Math.min(limit, excess.left);
  if (most <= 0) return 0;
  const deleted = await core.connections.write.transact(async (tx) => {
    const kept = numbers(bounded.map((each) => each.keptMs));
    const rows = await tx.run<{ id: number; flags: number }>(BEYOND, [...addressOf(bounded), kept, most]);
    await deleteBelongings(tx, rows);
    return rows.length;
  });
  excess.left -= deleted;
  return deleted;
}

/** A large bound is counted only when the table is large enough to be beyond it, and has grown enough since the last count. */
async function countedExcess(core: Core, bounded: readonly BoundedJobs[], bound: number): Promise<Excess> {
  const name = String(bounded[0]?.standing);
  const isLarge = bound > COUNTED_EACH_TIME;
  const known = isLarge ? core.excess.get(name) : undefined;
  // The last count is used up first: a cleanup of many passes counts once.
  if (known && known.left > 0) return known;
  const table = await tableOf(core);
  if (isLarge && table.bytes < bound * LEAST_ROW_BYTES) return { left: 0, room: 0, ...table };
  if (known && !mayBeBeyond(known, table, bound)) return known;
  const values = [...addressOf(bounded), bound + MOST_EXCESS];
  const [row] = await core.connections.write.run<{ count: number }>(COUNT, values);
  const over = (row?.count ?? 0) - bound;
  const excess = { left: Math.max(0, over), room: Math.max(0, -over), ...table };
  core.excess.set(name, excess);
  return excess;
}

type Table = Pick<Excess, "inserted" | "countedAt"> & { readonly bytes: number };

async function tableOf(core: Core): Promise<Table> {
  const [table] = await core.connections.write.run<{ bytes: number; inserted: number }>(TABLE);
  return { bytes: 0, inserted: 0, ...table, countedAt: core.clock.monotonic() };
}

function mayBeBeyond(known: Excess, { inserted, countedAt }: Table, bound: number): boolean {
  const grown = inserted - known.inserted;
  // Fewer rows than before mean that the server has lost its statistics.
  return grown < 0 || grown > Math.max(known.room, bound * SLACK) || countedAt - known.countedAt > COUNT_AGAIN_MS;
}

function boundedJobsOf(core: Core, standings: number[]): BoundedJobs[] {
  return core.names.allStages().flatMap(({ id, kind }) => {
    const rules = core.names.rules(kind);
    return standings.map((standing) => ({ stage: id, standing, keptMs: keptMs(rules, standing) }));
  });
}

function addressOf(bounded: readonly BoundedJobs[]): [string, string] {
  return [numbers(bounded.map(({ stage }) => stage)), numbers(bounded.map(({ standing }) => standing))];
}
