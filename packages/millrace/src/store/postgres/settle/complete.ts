// Jobs that complete in their last stage, with nothing to clear up: one statement for all of them, in bundles or not, which moves
// them to the finished ones, or deletes them where nothing is kept.

import type { SettleAnswer } from "../../verbs/attempts.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { Runner, Value } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { COLUMNS } from "../read/row.ts";
import { type Ending, type Known, LOST } from "./ending.ts";

// The ids come in order, and what belongs to each is found at its place among them. Joined with the arrays as rows, of which the
// planner thinks there are ten, every job was compared with every other's: 20 of the 22 ms that 250 jobs took. The sums
// keep the planner from the index of running jobs, which is full of those that have ended since the last vacuum.
// A job in a bundle is ours for as long as its bundle is there; nobody can take that away before we have committed.
// $1 ids, $2 tokens, $3 holder, $4 each one's bundle, $5 all bundles, $6 those of which nothing is left.
const PLACE = "width_bucket(id, $1::bigint[])";
/** What is the same for all travels once. */
const at = (array: string, place: string) => `(${array})[least(${place}, cardinality(${array}))]`;
const BUNDLES = `ours AS MATERIALIZED (SELECT number FROM millrace.bundle WHERE holder = $3 AND number = ANY($5::bigint[]) FOR KEY SHARE),
  spent AS (DELETE FROM millrace.bundle WHERE holder = $3 AND number = ANY($6::bigint[]))`;
const HELD = `id = ANY($1::bigint[]) AND ((standing + 0 = 4 AND token = ${at("$2::bigint[]", PLACE)})
    OR (standing + 0 = 1 AND ${at("$4::bigint[]", PLACE)} = ANY(ARRAY(SELECT number FROM ours))))`;
/** Nearly always it is all of them, and then they need not be named. */
const someOf = (table: string) =>
  `SELECT CASE WHEN count(*) < cardinality($1::bigint[]) THEN coalesce(json_agg(id), '[]'::json) END AS some FROM ${table}`;
// $7 durable, $8 slots, $9 when each began, $10 outputs, $11 the moment.
// The moment is reckoned once, not for every row.
const COMPLETE = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', $7, true)),
  moment AS MATERIALIZED (SELECT ${nowBy("$11")} AS now FROM settings), ${BUNDLES},
  gone AS (DELETE FROM millrace.job WHERE ${HELD} RETURNING *, ${PLACE} AS place),
  written AS (INSERT INTO millrace.finished (${COLUMNS}) SELECT id, stage, tenant, 5, priority, run_at, ${at("$2::bigint[]", "place")}, $3,
    ($8::int[])[place], failures + crashes + 1, failures, failures_total, crashes, flags, created_at, (SELECT now FROM moment),
    coalesce(${at("$9::bigint[]", "place")}, started_at), (SELECT now FROM moment), max_attempts, timeout_ms, NULL, payload,
    ${at("$10::text[]", "place")}, NULL, held_for, CASE WHEN standing = 4 THEN progress END, tags, trace,
    retry_of, retried_as FROM gone RETURNING id)
  ${someOf("written")}`;
// One that got something beside its row meanwhile is left.
const DROP = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', $7, true) AS one), ${BUNDLES},
  gone AS (DELETE FROM millrace.job WHERE (SELECT one FROM settings) IS NOT NULL AND ${HELD} AND flags = 0 RETURNING id) ${someOf("gone")}`;

interface Some {
  /** null: all of them. */
  some: number[] | null;
}

const COMPLETED_ANSWER: SettleAnswer = { written: "written", standing: "completed" };
const FORGOTTEN_ANSWER: SettleAnswer = { ...COMPLETED_ANSWER, forgotten: true };

/** Those that are gone; one that is not there is left to be looked at by itself. */
export async function drop(core: Core, db: Runner, endings: Known[]): Promise<Map<Ending, SettleAnswer>> {
  const [row] = await takingSpent(core, endings, (values) => db.run<Some>(DROP, values));
  const gone = endings.filter(among(row));
  return new Map(gone.map((ending) => [ending, FORGOTTEN_ANSWER]));
}

export async function complete(core: Core, db: Runner, endings: Known[]): Promise<Map<Ending, SettleAnswer>> {
  const held = endings.map(({ key }) => core.leases.get(key));
  const [row] = await takingSpent(core, endings, (values) =>
    db.run<Some>(COMPLETE, [
      ...values,
      numbers(endings.map(({ lease }) => lease.slot)),
      numbers(alike(held.map((each) => each?.startedAt))),
      texts(alike(endings.map(({ outcome }) => (outcome.type === "completed" ? outcome.output : null)))),
      core.clock.given,
    ]),
  );
  const isWritten = among(row);
  return new Map(endings.map((ending) => [ending, isWritten(ending) ? COMPLETED_ANSWER : LOST]));
}

function among(row: Some | undefined): (ending: Known) => boolean {
  if (row?.some === null) return () => true;
  const some = new Set(row?.some);
  return ({ key }) => some.has(key);
}

/** One of them where all are the same. */
function alike<T>(values: T[]): T[] {
  return values.every((value) => value === values[0]) ? values.slice(0, 1) : values;
}

/** $1 to $7, and the rows of bundles of which nothing is left go on the way. */
async function takingSpent<T>(core: Core, endings: Known[], write: (values: Value[]) => Promise<T>): Promise<T> {
  const spent = core.bundles.removeSpent();
  const bundles = endings.map(({ key }) => core.leases.get(key)?.bundle?.number ?? 0);
  try {
    return await write([
      numbers(endings.map(({ key }) => key)),
      numbers(alike(endings.map(({ lease }) => lease.token))),
      core.instances.id,
      numbers(alike(bundles)),
      numbers(new Set(bundles)),
      numbers(spent.map(({ number }) => number)),
      core.durable(true),
    ]);
  } catch (error) {
    core.bundles.restoreSpent(spent);
    throw error;
  }
}
