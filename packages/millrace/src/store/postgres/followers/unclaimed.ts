// Which jobs of unique keys were never claimed, under the locks that keep them so until the transaction ends.

import { isUnclaimed } from "../../decide/pending/change.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { lockShared } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import type { PostgresJobRow } from "../read/row.ts";
import { uniqueName } from "../submit/facts.ts";
import type { KeyName } from "./follower.ts";

// One look into each index per key, whatever the tables held when the plan was made (decision 0021).
const FIND = `SELECT asked.kind, asked.tenant, asked.key,
    (SELECT job FROM millrace.unique_key
      WHERE unique_key.kind = asked.kind AND unique_key.tenant = asked.tenant AND unique_key.key = asked.key LIMIT 1) AS leader,
    (SELECT job FROM millrace.follower
      WHERE follower.kind = asked.kind AND follower.tenant = asked.tenant AND follower.key = asked.key LIMIT 1) AS follower
  FROM unnest($1::int[], $2::int[], $3::text[]) AS asked (kind, tenant, key)`;
const LOCK = `SELECT id, stage, token, standing, flags FROM millrace.job WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE`;
const BUNDLED = `SELECT id FROM unnest($1::bigint[]) AS asked (id) WHERE id IN (SELECT unnest(jobs) FROM millrace.bundle)`;

interface FoundKey extends KeyName {
  leader: number | null;
  follower: number | null;
}

export type LockedJob = Pick<PostgresJobRow, "id" | "stage" | "token" | "standing" | "flags">;

/** What stands under a unique key. */
export interface LockedKey {
  leader: LockedJob | undefined;
  follower: LockedJob | undefined;
  /** The job that may be changed: the follower, or else a leader that was never claimed. */
  unclaimed: LockedJob | undefined;
}

/** Locks the jobs of keys, whose own locks the caller holds. Returns them by the names that `uniqueName` gives. */
export async function lockUnclaimed(
  core: Core,
  tx: StatementRunner,
  names: readonly KeyName[],
): Promise<Map<string, LockedKey>> {
  if (names.length === 0) return new Map();
  const { found, rows } = await lockJobs(tx, names);
  await core.names.knowStages([...rows.values()].map(({ stage }) => stage));
  const bundled = await bundledJobs(core, tx, [...rows.values()].filter(isUnclaimed));
  return new Map(
    found.map((each) => {
      const leader = each.leader === null ? undefined : rows.get(each.leader);
      const follower = each.follower === null ? undefined : rows.get(each.follower);
      const isFree = leader !== undefined && isUnclaimed(leader) && !bundled.has(leader.id);
      const unclaimed = follower ?? (isFree ? leader : undefined);
      return [uniqueName(each.kind, each.tenant, each.key), { leader, follower, unclaimed }];
    }),
  );
}

/**
 * Locks live jobs first, in the order in which their ends lock them. A job that ends or continues as new meanwhile is
 * looked up again.
 */
async function lockJobs(
  tx: StatementRunner,
  names: readonly KeyName[],
): Promise<{ found: FoundKey[]; rows: Map<number, LockedJob> }> {
  const values = [
    numbers(names.map(({ kind }) => kind)),
    numbers(names.map(({ tenant }) => tenant)),
    texts(names.map(({ key }) => key)),
  ];
  for (let before = await tx.run<FoundKey>(FIND, values); ; ) {
    const leaders = await tx.run<LockedJob>(LOCK, [numbers(before.flatMap(({ leader }) => leader ?? []))]);
    const followers = await tx.run<LockedJob>(LOCK, [numbers(before.flatMap(({ follower }) => follower ?? []))]);
    const found = await tx.run<FoundKey>(FIND, values);
    const rows = new Map([...leaders, ...followers].map((row) => [row.id, row]));
    const isLocked = (id: number | null) => id === null || rows.has(id);
    if (found.every(({ leader, follower }) => isLocked(leader) && isLocked(follower))) return { found, rows };
    before = found;
  }
}

/** A claim that writes a bundle locks no rows, but it is alone with its stage: with a share of that lock no new bundle appears. */
export async function bundledJobs(
  core: Core,
  tx: StatementRunner,
  rows: readonly Pick<LockedJob, "id" | "stage">[],
): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const stages = new Set(rows.map(({ stage }) => `claims ${stage}`));
  await lockShared(tx, core.connections.target.schema, stages);
  const named = await tx.run<{ id: number }>(BUNDLED, [numbers(rows.map(({ id }) => id))]);
  return new Set(named.map(({ id }) => id));
}
