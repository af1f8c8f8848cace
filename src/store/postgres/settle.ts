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
import { NOW } from "./clock.ts";
import type { Runner } from "./connection.ts";
import type { Core } from "./core.ts";
import { COLUMNS, type JobRow } from "./row.ts";

// The ids come in order, and what belongs to each is found at its place among them. Joined with the arrays as rows, of which the
// planner thinks there are ten, every job was compared with every other's: 20 of the 22 ms that 250 jobs took. The sum
// keeps the planner from the index of running jobs, which is full of those that have ended since the last vacuum.
const held = (ids: string, tokens: string) =>
  `id = ANY(${ids}::bigint[]) AND standing + 0 = 4 AND token = (${tokens}::bigint[])[width_bucket(id, ${ids}::bigint[])]`;
// The moment is reckoned once, not for every row.
const COMPLETE = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', $2, true)),
  moment AS MATERIALIZED (SELECT ${NOW} AS now FROM settings),
  gone AS (DELETE FROM millrace.job WHERE ${held("$3", "$4")} RETURNING *)
  INSERT INTO millrace.finished (${COLUMNS}) SELECT id, stage, tenant, 5, priority, run_at, token, holder, slot, attempt, failures,
    failures_total, crashes, flags, created_at, (SELECT now FROM moment), started_at, (SELECT now FROM moment), max_attempts, timeout_ms, expires_at,
    payload, ($5::text[])[width_bucket(id, $3::bigint[])], NULL, held_for, progress, tags, trace, retry_of, retried_as
  FROM gone RETURNING id`;
// One that has something beside its row is left: that goes with it, one by one.
const DROP = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', $1, true) AS one)
  DELETE FROM millrace.job WHERE (SELECT one FROM settings) IS NOT NULL AND ${held("$2", "$3")} AND flags = 0 RETURNING id`;
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
    else if (leavesNothing(core, ending)) fleeting.push(ending);
    else quick.push(ending);
    seen.add(ending.key);
  }
  for (const each of [quick, fleeting]) each.sort((a, b) => a.key - b.key);
  for (const { key } of known) core.settling.add(key);
  try {
    const answers =
      rest.length + fleeting.length === 0
        ? await complete(core, core.connections.write, quick)
        : await core.connections.write.transact(async (tx) => {
            const completed = quick.length > 0 ? await complete(core, tx, quick) : [];
            const dropped = fleeting.length > 0 ? await drop(core, tx, fleeting) : new Map<Ending, Settled>();
            const left = [...fleeting.filter((ending) => !dropped.has(ending)), ...rest];
            return new Map([...completed, ...dropped, ...(left.length > 0 ? await settleRest(core, tx, left) : [])]);
          });
    // A lease of ours that was refused is left to the caretaker, which tells why it is lost.
    for (const ending of known) if (answers.get(ending)?.written === "written") core.held.delete(ending.key);
    tellOthers(core, [...answers.values()]);
    // Our own pools claimed while these places were still taken: they look again.
    if (core.options.limits.maxConcurrentPerTenant > 0) core.events.wake();
    return known.map((ending) => answers.get(ending) ?? LOST);
  } finally {
    for (const { key } of known) core.settling.delete(key);
  }
}

type Known = Ending & { key: number };

function isQuick(core: Core, { key, lease, outcome }: Known): boolean {
  const held = core.held.get(key);
  if (outcome.type !== "completed" || held?.token !== lease.token || held.flags & HAS_UNIQUE_KEY) return false;
  return core.names.stage(held.stage).next === undefined;
}

/** Of a quick one: its kind keeps nothing of what is done. */
function leavesNothing(core: Core, { key }: Known): boolean {
  const stage = core.names.stage(core.held.get(key)?.stage as number);
  return core.names.plan(stage.kind).retention.finishedMs === "none";
}

async function drop(core: Core, tx: Runner, endings: Known[]): Promise<Map<Ending, Settled>> {
  const rows = await tx.run<{ id: number }>(DROP, [
    core.durable(true),
    numbers(endings.map(({ key }) => key)),
    numbers(endings.map(({ lease }) => lease.token)),
  ]);
  const gone = new Set(rows.map(({ id }) => id));
  return new Map(endings.filter(({ key }) => gone.has(key)).map((ending) => [ending, FORGOTTEN_ANSWER]));
}

async function complete(core: Core, db: Runner, endings: Known[]): Promise<Map<Ending, Settled>> {
  const rows = await db.run<{ id: number }>(COMPLETE, [
    core.clock.given,
    core.durable(true),
    numbers(endings.map(({ key }) => key)),
    numbers(endings.map(({ lease }) => lease.token)),
    texts(endings.map(({ outcome }) => (outcome.type === "completed" ? outcome.output : null))),
  ]);
  const written = new Set(rows.map(({ id }) => id));
  return new Map(endings.map((ending) => [ending, written.has(ending.key) ? COMPLETED_ANSWER : LOST]));
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
