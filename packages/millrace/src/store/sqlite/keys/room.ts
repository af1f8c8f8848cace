// How many jobs of a kind may start, by its own total and by the limits that it shares. What runs is counted by the rows of the
// stages, which change in the commit of every job.

import type { RunningLimit } from "../../verbs/circumstances.ts";
import type { Core, ReadView } from "../core.ts";

const RUNNING_OF_KIND = "SELECT sum(running) AS running FROM stage WHERE kind = ?";
const LIMIT = "SELECT coalesce(set_total, total) AS total FROM concurrency_limit WHERE name = ?";

/** `Infinity` without any limit. */
export function roomOfKind(core: Core, kind: number): number {
  const { concurrency } = core.names.rules(kind);
  if (concurrency?.total === undefined && concurrency?.limits === undefined) return Number.POSITIVE_INFINITY;
  core.counts.flush();
  return Math.max(0, Math.min(...runningLimits(core, kind).map(({ total, running }) => total - running)));
}

/** The limits on running jobs of a kind, with what runs under each. */
export function runningLimits(core: ReadView, kind: number): RunningLimit[] {
  const { total, limits = [] } = core.names.rules(kind).concurrency ?? {};
  const own = total === undefined ? [] : [{ total, running: runningOf(core, [kind]) }];
  const shared = limits.flatMap((name) => {
    const found = core.statement(LIMIT).get(name) as { total: number } | undefined;
    return found ? [{ name, total: found.total, running: runningOf(core, core.names.kindsUnder(name)) }] : [];
  });
  return [...own, ...shared];
}

/** A job has ended. Pools of this process that had no room look again. */
export function wakeSharers(core: Core, kind: number): void {
  const { concurrency } = core.names.rules(kind);
  if (concurrency?.total !== undefined || concurrency?.limits !== undefined) core.wakePools();
}

export function runningOf(core: ReadView, kinds: readonly number[]): number {
  let sum = 0;
  for (const kind of kinds)
    sum += (core.statement(RUNNING_OF_KIND).get(kind) as { running: number | null }).running ?? 0;
  return sum;
}
