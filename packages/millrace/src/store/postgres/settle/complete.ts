// COMPLETE and DROP: jobs that complete in their last stage and leave nothing to clear up. One statement for all of them, in
// bundles or not, moves them to the finished jobs, or deletes them where their kind keeps nothing.

import { COMPLETED, READY, RUNNING } from "../../codes.ts";
import { valuesOf } from "../../columns/column.ts";
import { jobColumns } from "../../columns/job-columns.ts";
import { COMPLETED_ANSWER, FORGOTTEN_ANSWER, LEASE_LOST } from "../../decide/settlement.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { type Query, statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { COLUMNS } from "../read/row.ts";
import type { Ending } from "./ending.ts";

/** All arrays are in the order of the keys. An array of one value stands for the same value for every job. */
interface HeldParameters {
  durable: string;
  keys: string;
  tokens: string;
  holder: number;
  /** The bundle of each job; 0 without one. */
  bundleOf: string;
  /** All of these bundles. */
  bundles: string;
  /** Bundles all of whose jobs have ended. Their rows are deleted on the way. */
  spent: string;
}

interface CompleteParameters extends HeldParameters {
  now: Value;
  slots: string;
  startedAt: string;
  results: string;
}

// The keys come in order, and what belongs to each job is found at its position among them. As a join with the arrays, of
// which the planner expects ten rows, every job was compared with every other: 20 of the 22 ms for 250 jobs.
const POSITION = "width_bucket(id, :keys::bigint[])";
const at = (array: string, position: string) => `(${array})[least(${position}, cardinality(${array}))]`;

// A job in a bundle is ours for as long as the row of its bundle exists, and the lock keeps that row until we have committed.
const OUR_BUNDLES = `ours AS MATERIALIZED (
    SELECT number
    FROM millrace.bundle
    WHERE holder = :holder AND number = ANY(:bundles::bigint[])
    FOR KEY SHARE
  ),
  spent AS (
    DELETE FROM millrace.bundle
    WHERE holder = :holder AND number = ANY(:spent::bigint[])
  )`;

// The sums keep the planner from the index of running jobs, which is full of jobs that have ended since the last vacuum.
const IS_OURS = `id = ANY(:keys::bigint[])
      AND (
        (standing + 0 = ${RUNNING} AND token = ${at(":tokens::bigint[]", POSITION)})
        OR (standing + 0 = ${READY} AND ${at(":bundleOf::bigint[]", POSITION)} = ANY(ARRAY(SELECT number FROM ours)))
      )`;

/** Nearly always all keys are written, and then the answer does not list them. */
const keysIn = (table: string) => `SELECT CASE
      WHEN count(*) < cardinality(:keys::bigint[]) THEN coalesce(json_agg(id), '[]'::json)
    END AS keys
  FROM ${table}`;

const COMPLETED_VALUES = valuesOf(jobColumns(), {
  standing: String(COMPLETED),
  token: at(":tokens::bigint[]", "position"),
  holder: ":holder",
  slot: "(:slots::int[])[position]",
  attempt: "failures + crashes + 1",
  updated_at: "(SELECT now FROM moment)",
  started_at: `coalesce(${at(":startedAt::bigint[]", "position")}, started_at)`,
  finished_at: "(SELECT now FROM moment)",
  expires_at: "NULL",
  output: at(":results::text[]", "position"),
  flags: `flags & ~${HOLDS_KEY}`,
  failure: "NULL",
  cause: "NULL",
  progress: `CASE WHEN standing = ${RUNNING} THEN progress END`,
});

// The moment is computed once, not for every row.
const COMPLETE = statement<CompleteParameters>(`WITH settings AS MATERIALIZED (
    SELECT set_config('synchronous_commit', :durable, true)
  ),
  moment AS MATERIALIZED (
    SELECT ${nowBy(":now")} AS now
    FROM settings
  ),
  ${OUR_BUNDLES},
  gone AS (
    DELETE FROM millrace.job
    WHERE ${IS_OURS}
    RETURNING *, ${POSITION} AS position
  ),
  written AS (
    INSERT INTO millrace.finished (${COLUMNS})
    SELECT ${COMPLETED_VALUES}
    FROM gone
    RETURNING id
  )
  ${keysIn("written")}`);

/** A job that has got a log line or another row of its own since is left alone. */
const DROP = statement<HeldParameters>(`WITH settings AS MATERIALIZED (
    SELECT set_config('synchronous_commit', :durable, true) AS set
  ),
  ${OUR_BUNDLES},
  gone AS (
    DELETE FROM millrace.job
    WHERE (SELECT set FROM settings) IS NOT NULL
      AND ${IS_OURS}
      AND flags = 0
    RETURNING id
  )
  ${keysIn("gone")}`);

interface WrittenKeys {
  /** The keys that were written. Null: all of them. */
  keys: number[] | null;
}

/** The endings must be in the order of their keys. An ending that is not written has lost its lease. */
export async function complete(
  core: Core,
  db: StatementRunner,
  endings: readonly Ending[],
): Promise<Map<Ending, SettleAnswer>> {
  const held = endings.map(({ key }) => core.leases.get(key));
  const isWritten = await run(core, db, endings, (parameters) =>
    COMPLETE({
      ...parameters,
      now: core.clock.given,
      slots: numbers(endings.map(({ lease }) => lease.slot)),
      startedAt: numbers(alike(held.map((each) => each?.startedAt))),
      results: texts(alike(endings.map(({ outcome }) => (outcome.type === "completed" ? outcome.result : null)))),
    }),
  );
  return new Map(endings.map((ending) => [ending, isWritten(ending) ? COMPLETED_ANSWER : LEASE_LOST]));
}

/** The endings must be in the order of their keys. A job that is not deleted is missing in the answer. */
export async function drop(
  core: Core,
  db: StatementRunner,
  endings: readonly Ending[],
): Promise<Map<Ending, SettleAnswer>> {
  const isDeleted = await run(core, db, endings, DROP);
  return new Map(endings.filter(isDeleted).map((ending) => [ending, FORGOTTEN_ANSWER]));
}

async function run(
  core: Core,
  db: StatementRunner,
  endings: readonly Ending[],
  queryOf: (parameters: HeldParameters) => Query,
): Promise<(ending: Ending) => boolean> {
  const spent = core.bundles.removeSpent();
  const bundles = endings.map(({ key }) => core.leases.get(key)?.bundle?.number ?? 0);
  try {
    const query = queryOf({
      durable: core.durable(true),
      keys: numbers(endings.map(({ key }) => key)),
      tokens: numbers(alike(endings.map(({ lease }) => lease.token))),
      holder: core.instances.id,
      bundleOf: numbers(alike(bundles)),
      bundles: numbers(new Set(bundles)),
      spent: numbers(spent.map(({ number }) => number)),
    });
    const [written] = await db.run<WrittenKeys>(...query);
    if (written?.keys === null) return () => true;
    const keys = new Set(written?.keys);
    return ({ key }) => keys.has(key);
  } catch (error) {
    core.bundles.restoreSpent(spent);
    throw error;
  }
}

/** Shortens an array of equal values to one value. */
function alike<T>(values: T[]): T[] {
  return values.every((value) => value === values[0]) ? values.slice(0, 1) : values;
}
