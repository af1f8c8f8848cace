// The places of jobs at their concurrency keys. Only the jobs that hold their key are ready, so a claim looks at no key at all, and
// costs the same with one key as with 100,000.
//
//   scheduled and due ──takePlaces──▶ waits in `place` ──takePlaces──▶ holds, ready ──▶ … ──▶ leaves, its key is due
//                                            ▲                                                       │
//                                            └────────────────── the next job of the key ◀───────────┘
//
// `takePlaces` is the only statement that makes a job hold its key, and one transaction at a time runs it: so no key is ever given
// away twice. Everything else only deletes places, under the lock of the job's row, and names the key in the same commit.

import { SUSPECT_CRASHES } from "../../../job/crash.ts";
import { READY, SCHEDULED, SUSPECT } from "../../codes.ts";
import { UNLIMITED } from "../../decide/attempt/keys.ts";
import { HOLDS_KEY, KEYED } from "../../keys/codes.ts";
import { NEVER, WAITING, wokenRunAtSql } from "../../waits/codes.ts";
import { WAKE_LANES } from "../claim/lanes.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { lockKey } from "../connection/locks.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { NAMES_VERSION } from "../register/names.ts";

const NEEDS_KEY = `flags & ${KEYED | HOLDS_KEY} = ${KEYED}`;
const HAS_WORK = statement<{ now: Value }>(`SELECT EXISTS (SELECT 1 FROM millrace.place_due)
    OR EXISTS (
      SELECT 1
      FROM millrace.job
      WHERE standing = ${SCHEDULED} AND concurrency_key IS NOT NULL AND run_at <= ${nowBy(":now")} AND ${NEEDS_KEY}
    ) AS "hasWork"`);
// Like a claim, it does not wait for the disk: a server that crashes and forgets it has the same work again.
const LOCK = statement<{ key: string }>(`SELECT set_config('synchronous_commit', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true), pg_advisory_xact_lock(:key::bigint)`);

const MOST_AT_ONCE = 1_000;

/** Jobs that are due get a place, in the order of their times and, of one moment, of their ids. */
const ARRIVE = statement<{ now: Value }>(`WITH due AS MATERIALIZED (
    SELECT id, run_at
    FROM millrace.job
    WHERE standing = ${SCHEDULED} AND concurrency_key IS NOT NULL AND run_at <= ${nowBy(":now")} AND ${NEEDS_KEY}
    ORDER BY run_at, id
    LIMIT ${MOST_AT_ONCE}
  ),
  locked AS MATERIALIZED (
    SELECT id, flags, run_at
    FROM millrace.job
    WHERE id = ANY(ARRAY(SELECT id FROM due)) AND standing + 0 = ${SCHEDULED} AND run_at + 0 <= ${nowBy(":now")}
    ORDER BY id
    FOR UPDATE
  ),
  parked AS (
    UPDATE millrace.job
    SET run_at = ${NEVER}, flags = job.flags & ~${WAITING}
    FROM locked
    WHERE job.id = locked.id
    RETURNING job.id, job.stage, job.tenant, job.priority, job.concurrency_key AS key,
      CASE WHEN locked.flags & ${WAITING} = 0 THEN locked.run_at ELSE ${wokenRunAtSql(nowBy(":now"))} END AS at
  ),
  placed AS (
    INSERT INTO millrace.place (job, kind, tenant, key, holds, priority, at)
    SELECT parked.id, stage.kind, parked.tenant, parked.key, false, parked.priority, parked.at
    FROM parked JOIN millrace.stage ON stage.id = parked.stage
    ORDER BY parked.at, parked.id
    ON CONFLICT (job) DO NOTHING
    RETURNING kind, tenant, key
  ),
  named AS (
    INSERT INTO millrace.place_due (kind, tenant, key) SELECT DISTINCT kind, tenant, key FROM placed
  )
  SELECT count(*)::int AS count FROM placed`);

/** Keys with room go to the jobs that wait for them. Any number of jobs of a kind that is not named may hold a key. */
const ADMIT = statement<AdmitParameters>(`WITH taken AS (
    DELETE FROM millrace.place_due
    WHERE ${NAMES_VERSION} = :version AND id = ANY(ARRAY(SELECT id FROM millrace.place_due ORDER BY id LIMIT ${MOST_AT_ONCE}))
    RETURNING kind, tenant, key
  ),
  keys AS MATERIALIZED (
    SELECT DISTINCT kind, tenant, key FROM taken
  ),
  picked AS MATERIALIZED (
    SELECT next.job, next.at
    FROM keys,
      LATERAL (
        SELECT coalesce((:most::int[])[array_position(:kinds::int[], keys.kind)], ${UNLIMITED}) - (
          SELECT count(*)
          FROM millrace.place
          WHERE holds AND place.kind = keys.kind AND place.tenant = keys.tenant AND place.key = keys.key
        ) AS jobs
      ) AS room,
      LATERAL (
        SELECT job, at
        FROM millrace.place
        WHERE NOT holds AND place.kind = keys.kind AND place.tenant = keys.tenant AND place.key = keys.key
        ORDER BY priority, id
        LIMIT greatest(0, room.jobs)
      ) AS next
  ),
  locked AS MATERIALIZED (
    SELECT id
    FROM millrace.job
    WHERE id = ANY(ARRAY(SELECT job FROM picked)) AND standing + 0 = ${SCHEDULED} AND run_at + 0 = ${NEVER}
    ORDER BY id
    FOR UPDATE
  ),
  held AS (
    UPDATE millrace.place SET holds = true WHERE job = ANY(ARRAY(SELECT id FROM locked))
  ),
  admitted AS (
    UPDATE millrace.job
    SET standing = CASE WHEN crashes >= ${SUSPECT_CRASHES} THEN ${SUSPECT} ELSE ${READY} END,
      run_at = CASE WHEN picked.at < 0 THEN picked.at ELSE ${nowBy(":now")} END,
      flags = flags | ${HOLDS_KEY}
    FROM picked
    WHERE job.id = picked.job AND job.id = ANY(ARRAY(SELECT id FROM locked))
    RETURNING job.stage, job.tenant, job.standing
  ),
  wanted AS (
    SELECT DISTINCT stage, tenant FROM admitted WHERE standing = ${READY}
  ),
  ${WAKE_LANES}
  SELECT (SELECT count(*)::int FROM taken) AS keys, count(*)::int AS admitted, ${NAMES_VERSION} AS version FROM admitted`);

/**
 * `most` jobs of each of the kinds may hold a key, by this version of the catalog. With another version, the statement
 * does nothing.
 */
interface AdmitParameters {
  now: Value;
  version: string;
  kinds: string;
  most: string;
}

const LEAVE = statement<{ jobs: string }>(`WITH gone AS (
    DELETE FROM millrace.place WHERE job = ANY(:jobs::bigint[]) RETURNING kind, tenant, key
  )
  INSERT INTO millrace.place_due (kind, tenant, key)
  SELECT DISTINCT kind, tenant, key FROM gone
  RETURNING 1`);
const PASS = "UPDATE millrace.place SET job = $2 WHERE job = $1";
const LOOK_AT_ALL = `INSERT INTO millrace.place_due (kind, tenant, key)
  SELECT DISTINCT kind, tenant, key FROM millrace.place WHERE NOT holds AND kind = ANY($1::int[])`;

/** Gives due jobs their places, and keys with room to the jobs that wait for them. True: jobs became ready. */
export async function takePlaces(core: Core): Promise<boolean> {
  const { write, target } = core.connections;
  const [found] = await write.run<{ hasWork: boolean }>(...HAS_WORK({ now: core.clock.given }));
  if (!found?.hasWork) return false;
  const now = core.clock.given;
  let hasAdmitted = false;
  for (;;) {
    const caps = [...core.names.keyedKinds()];
    const { version } = core.names;
    const admit = ADMIT({
      now,
      version,
      kinds: numbers(caps.map(([kind]) => kind)),
      most: numbers(caps.map(([, most]) => most)),
    });
    const [, [arrived], [admitted]] = (await write.together({
      transaction: [LOCK({ key: lockKey(target.schema, "places") }), ARRIVE({ now }), admit],
    })) as [unknown, [{ count: number }], [{ keys: number; admitted: number; version: string }]];
    hasAdmitted ||= admitted.admitted > 0;
    if (admitted.version !== version) await core.names.load();
    else if (arrived.count < MOST_AT_ONCE && admitted.keys < MOST_AT_ONCE) return hasAdmitted;
  }
}

/** These jobs give their keys back, or wait for them no more. The caller holds the locks of their rows. True: some had a place. */
export async function leavePlaces(tx: StatementRunner, jobs: readonly number[]): Promise<boolean> {
  return jobs.length > 0 && (await tx.run(...LEAVE({ jobs: numbers(jobs) }))).length > 0;
}

/** Another job goes on in the place of the first. */
export async function passPlace(tx: StatementRunner, from: number, to: number): Promise<void> {
  await tx.run(PASS, [from, to]);
}

/** The kinds allow more jobs per key than before. */
export async function lookAtAllKeys(tx: StatementRunner, kinds: readonly number[]): Promise<void> {
  if (kinds.length > 0) await tx.run(LOOK_AT_ALL, [numbers(kinds)]);
}
