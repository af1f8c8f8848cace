// How many jobs stand where. There are no counter rows (migrations/base/0001-jobs.ts), so they are counted. Live jobs and dead letters
// are few. Finished jobs can be a million, which takes 0.2 to 0.6 s, and every server asks every five seconds.

import { FAILED } from "../../codes.ts";
import type { Core } from "../core.ts";

const LIVE = `SELECT stage, standing, count(*)::bigint AS count FROM millrace.job GROUP BY stage, standing
  UNION ALL SELECT stage, standing, count(*)::bigint FROM millrace.finished WHERE standing = ${FAILED} GROUP BY stage, standing`;
const FINISHED = `SELECT stage, standing, count(*)::bigint AS count FROM millrace.finished WHERE standing <> ${FAILED}
  GROUP BY stage, standing`;
const SIZE = "SELECT pg_relation_size('millrace.finished')::bigint AS bytes";

/** A table of this size has about 40,000 jobs, which are counted in a few milliseconds. */
const SMALL_BYTES = 8 * 1024 ** 2;
/** A longer count is repeated so rarely that it takes a fiftieth of the time. */
const SHARE = 50;

export interface StandingCount {
  stage: number;
  standing: number;
  count: number;
}

/** The last count of many finished jobs in this process. */
export interface FinishedCount {
  readonly counts: Promise<StandingCount[]>;
  /** By the monotonic clock; infinite while it is under way. */
  freshUntil: number;
}

export async function standingCounts(core: Core): Promise<StandingCount[]> {
  const [live, finished] = await Promise.all([
    core.connections.read.run<StandingCount>(LIVE, []),
    finishedCounts(core),
  ]);
  return [...live, ...finished];
}

async function finishedCounts(core: Core): Promise<StandingCount[]> {
  const [table] = await core.connections.read.run<{ bytes: number }>(SIZE, []);
  if ((table?.bytes ?? 0) < SMALL_BYTES) return core.connections.read.run<StandingCount>(FINISHED, []);
  const startedAt = core.clock.monotonic();
  if (core.finishedCount && startedAt < core.finishedCount.freshUntil) return core.finishedCount.counts;
  const counts = core.connections.read.run<StandingCount>(FINISHED, []);
  const count: FinishedCount = { counts, freshUntil: Number.POSITIVE_INFINITY };
  core.finishedCount = count;
  counts.then(
    () => {
      const now = core.clock.monotonic();
      count.freshUntil = now + (now - startedAt) * SHARE;
    },
    () => {
      core.finishedCount = undefined;
    },
  );
  return counts;
}
