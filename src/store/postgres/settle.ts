// What ends at the same moment is written in one transaction. Most of it is a job that completes in its last stage, with
// nothing to clear up: all of those are one statement, which moves them to the finished ones, or deletes them where nothing is
// kept. The rest is locked, decided one by one and written in the same transaction.

import type { Lease } from "../../job/lease.ts";
import { afterAttempt, type Change, type Outcome } from "../../job/lifecycle.ts";
import { HAS_UNIQUE_KEY } from "../codes.ts";
import { standpoint } from "../job-row.ts";
import type { Settled } from "../store.ts";
import { applyAll } from "./apply.ts";
import { numbers, texts } from "./arrays.ts";
import { NOW, nowBy } from "./clock.ts";
import type { Runner, Value } from "./connection.ts";
import type { Core } from "./core.ts";
import { COLUMNS, type JobRow } from "./row.ts";

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
  SELECT CASE WHEN count(*) < cardinality($1::bigint[]) THEN coalesce(json_agg(id)::text, '[]') END AS some FROM written`;
// One that got something beside its row meanwhile is left.
const DROP = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', $7, true) AS one), ${BUNDLES}
  DELETE FROM millrace.job WHERE (SELECT one FROM settings) IS NOT NULL AND ${HELD} AND flags = 0 RETURNING id`;
const LOCK_HELD = `SELECT *, ${NOW} AS now, set_config('synchronous_commit', $2, true) FROM millrace.job
  WHERE id = ANY($3::bigint[]) AND standing = 4 ORDER BY id FOR UPDATE`;

export interface Ending {
  lease: Lease;
  outcome: Outcome;
}

const LOST: Settled = { written: "lease-lost" };
const COMPLETED_ANSWER: Settled = { written: "written", standing: "completed" };
const FORGOTTEN_ANSWER: Settled = { ...COMPLETED_ANSWER, forgotten: true };

export async function settle(core: Core, endings: Ending[]): Promise<Settled[]> {
  const known = endings.map((ending) => ({ ...ending, key: core.ids.decode(ending.lease.jobId) ?? -1 }));
  const seen = new Set<number>();
  const quick: Known[] = [];
  const fleeting: Known[] = [];
  const rest: Known[] = [];
  for (const ending of known) {
    // A second one for the same job is decided after the first.
    if (seen.has(ending.key) || !isQuick(core, ending)) rest.push(ending);
    else if (!isFleeting(core, ending)) quick.push(ending);
    else (hasBelongings(core, ending) ? rest : fleeting).push(ending);
    seen.add(ending.key);
  }
  for (const each of [quick, fleeting]) each.sort((a, b) => a.key - b.key);
  for (const { key } of known) core.settling.add(key);
  let settled = () => {};
  try {
    await core.bundles.openFor(rest.map(({ key }) => key));
    const bundles = new Set([...quick, ...fleeting].flatMap(({ key }) => core.held.get(key)?.bundle ?? []));
    settled = await core.bundles.countOn(bundles);
    const answers =
      rest.length + fleeting.length === 0
        ? await complete(core, core.connections.write, quick)
        : await core.connections.write.transact(async (tx) => {
            const completed = quick.length > 0 ? await complete(core, tx, quick) : [];
            const dropped = fleeting.length > 0 ? await drop(core, tx, fleeting) : new Map<Ending, Settled>();
            const left = [...fleeting.filter((ending) => !dropped.has(ending)), ...rest];
            return new Map([...completed, ...dropped, ...(left.length > 0 ? await settleRest(core, tx, left) : [])]);
          });
    for (const [ending, answer] of await lookAgain(core, refusedInBundles(core, answers), settled))
      answers.set(ending, answer);
    // A lease of ours that was refused is left to the caretaker, which tells why it is lost.
    for (const ending of known) if (answers.get(ending)?.written === "written") core.letGo(ending.key);
    tellOthers(core, [...answers.values()]);
    // Our own pools claimed while these places were still taken: they look again.
    if (core.options.limits.maxConcurrentPerTenant > 0) core.events.wake();
    return known.map((ending) => answers.get(ending) ?? LOST);
  } finally {
    settled();
    for (const { key } of known) core.settling.delete(key);
  }
}

type Known = Ending & { key: number };

function isQuick(core: Core, { key, lease, outcome }: Known): boolean {
  const held = core.held.get(key);
  if (outcome.type !== "completed" || held?.token !== lease.token || held.flags & HAS_UNIQUE_KEY) return false;
  return core.names.stage(held.stage).next === undefined;
}

/** They counted on a bundle that is not there any more. */
function refusedInBundles(core: Core, answers: ReadonlyMap<Ending, Settled>): Known[] {
  const refused = [...answers].filter(([, { written }]) => written !== "written").map(([ending]) => ending as Known);
  return refused.filter(({ key }) => core.held.get(key)?.bundle?.opened === false);
}

/**
 * It was buried, or opened by a call of ours that was given up and went on: then the job's own row says so by now, which the
 * statement that waited for the bundle did not see. Dropped here such a job would be held for ever, and by nobody.
 */
async function lookAgain(core: Core, endings: Known[], settled: () => void): Promise<Map<Ending, Settled>> {
  if (endings.length === 0) return new Map();
  settled();
  try {
    await core.bundles.openFor(endings.map(({ key }) => key));
    return await core.connections.write.transact((tx) => settleRest(core, tx, endings));
  } catch {
    // Others of this call are written, so it has an answer: these are unknown to us from here on, and go back as such.
    for (const { key } of endings) core.letGo(key);
    return new Map();
  }
}

/** Of a quick one: its kind keeps nothing of what is done. */
function isFleeting(core: Core, { key }: Known): boolean {
  const stage = core.names.stage(core.held.get(key)?.stage as number);
  return core.names.plan(stage.kind).retention.finishedMs === "none";
}

/** One that has something beside its row: that goes with it, one by one, and for that it needs a row that says that it runs. */
function hasBelongings(core: Core, { key }: Known): boolean {
  return core.held.get(key)?.flags !== 0;
}

async function drop(core: Core, tx: Runner, endings: Known[]): Promise<Map<Ending, Settled>> {
  const rows = await takingSpent(core, endings, (values) => tx.run<{ id: number }>(DROP, values));
  const gone = new Set(rows.map(({ id }) => id));
  return new Map(endings.filter(({ key }) => gone.has(key)).map((ending) => [ending, FORGOTTEN_ANSWER]));
}

async function complete(core: Core, db: Runner, endings: Known[]): Promise<Map<Ending, Settled>> {
  const held = endings.map(({ key }) => core.held.get(key));
  const [row] = await takingSpent(core, endings, (values) =>
    db.run<{ some: string | null }>(COMPLETE, [
      ...values,
      numbers(endings.map(({ lease }) => lease.slot)),
      numbers(alike(held.map((each) => each?.startedAt))),
      texts(alike(endings.map(({ outcome }) => (outcome.type === "completed" ? outcome.output : null)))),
      core.clock.given,
    ]),
  );
  const all = row?.some === null;
  const written = new Set<number>(all ? [] : JSON.parse(row?.some ?? "[]"));
  return new Map(endings.map((ending) => [ending, all || written.has(ending.key) ? COMPLETED_ANSWER : LOST]));
}

/** One of them where all are the same. */
function alike<T>(values: T[]): T[] {
  return values.every((value) => value === values[0]) ? values.slice(0, 1) : values;
}

/** $1 to $7, and the rows of bundles of which nothing is left go on the way. */
async function takingSpent<T>(core: Core, endings: Known[], write: (values: Value[]) => Promise<T>): Promise<T> {
  const spent = core.bundles.takeSpent();
  const bundles = endings.map(({ key }) => core.held.get(key)?.bundle?.number ?? 0);
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
    core.bundles.giveBack(spent);
    throw error;
  }
}

async function settleRest(core: Core, tx: Runner, endings: Known[]): Promise<Map<Ending, Settled>> {
  const rows = await tx.run<JobRow & { now: number }>(LOCK_HELD, [
    core.clock.given,
    core.durable(true),
    numbers(endings.map(({ key }) => key)),
  ]);
  await core.names.knowStages(rows.map(({ stage }) => stage));
  const held = new Map(rows.map((row) => [row.id, row]));
  const answers = new Map<Ending, Settled>();
  const changed: { ending: Known; row: JobRow & { now: number }; change: Change }[] = [];
  for (const ending of endings) {
    const { key, lease, outcome } = ending;
    const row = held.get(key);
    answers.set(ending, LOST);
    if (row?.token !== lease.token) continue;
    held.delete(key); // a second settle of the same lease finds it ended
    const plan = core.names.stagePlan(core.names.stage(row.stage));
    const change = afterAttempt(standpoint(row), outcome, plan, { now: row.now, random: core.random });
    changed.push({ ending, row, change });
  }
  const written = await applyAll(core, tx, changed);
  for (const [i, { ending }] of changed.entries()) answers.set(ending, written[i] as Settled);
  return answers;
}

function tellOthers(core: Core, answers: Settled[]): void {
  let ended = false;
  for (const answer of answers) {
    if (answer.written === "lease-lost") continue;
    if (answer.nextStage !== undefined || answer.standing === "suspect" || answer.standing === "ready") {
      return core.voice.say("work");
    }
    ended = true;
  }
  if (ended) core.voice.say("end");
}
