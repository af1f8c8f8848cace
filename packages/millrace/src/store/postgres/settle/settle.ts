// What ends at the same moment is written in one transaction. Most of it is a job that completes in its last stage, with
// nothing to clear up: all of those are one statement, which moves them to the finished ones, or deletes them where nothing is
// kept (complete.ts). The rest is locked, decided one by one and written in the same transaction. What turns out not to be as it
// was known here is looked at again in a second one.

import { afterAttempt, type Change } from "../../../job/lifecycle.ts";
import { HAS_UNIQUE_KEY } from "../../codes.ts";
import { standpoint } from "../../rows/job-row.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import { HAS_WAITS } from "../../waits/codes.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { type JobRow, RUNS } from "../read/row.ts";
import { applyAll } from "./apply.ts";
import { complete, drop } from "./complete.ts";
import { loneDeaths } from "./deaths.ts";
import { type Ending, type Known, LOST } from "./ending.ts";
import { readyTwinsFor, suspend } from "./suspend.ts";

const LOCK_HELD = `SELECT *, ${NOW} AS now, set_config('synchronous_commit', $2, true) FROM millrace.job
  WHERE id = ANY($3::bigint[]) AND ${RUNS} ORDER BY id FOR UPDATE`;

export function settle(core: Core, known: Known[]): Promise<SettleAnswer[]> {
  return core.leases.whileSettling(
    known.map(({ key }) => key),
    () => settleAll(core, known),
  );
}

async function settleAll(core: Core, known: Known[]): Promise<SettleAnswer[]> {
  if (core.notes.any) await core.notes.ended(known.map(({ key }) => key));
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
  let settled = () => {};
  try {
    await core.bundles.openFor(rest.map(({ key }) => key));
    await readyTwinsFor(core, rest);
    const bundles = new Set([...quick, ...fleeting].flatMap(({ key }) => core.leases.get(key)?.bundle ?? []));
    settled = await core.bundles.keepClosed(bundles);
    const answers = await write(core, { quick, fleeting, rest });
    const again = [...fleeting.filter((ending) => !answers.has(ending)), ...refusedInBundles(core, answers)];
    for (const [ending, answer] of await lookAgain(core, again, answers, settled)) answers.set(ending, answer);
    // A lease of ours that was refused is left to the caretaker, which tells why it is lost.
    for (const ending of known) if (answers.get(ending)?.written === "written") core.leases.end(ending.key);
    tellOthers(core, [...answers.values()]);
    // Our own pools claimed while these places were still taken: they look again.
    if (core.options.limits.maxConcurrentPerTenant > 0) core.events.wake();
    return known.map((ending) => answers.get(ending) ?? LOST);
  } finally {
    settled();
  }
}

export function knownBy(core: Core, ending: Ending): Known {
  return { ...ending, key: core.ids.decode(ending.lease.jobId) ?? -1 };
}

interface Sorted {
  /** They complete, and that is all. */
  quick: Known[];
  /** So do these, and nothing is kept of them. */
  fleeting: Known[];
  rest: Known[];
}

/** All of it in one transaction; most of what ends together is of one sort, and then one statement. */
async function write(core: Core, { quick, fleeting, rest }: Sorted): Promise<Map<Ending, SettleAnswer>> {
  const { write: db } = core.connections;
  if (rest.length + fleeting.length === 0) return complete(core, db, quick);
  if (rest.length + quick.length === 0) return drop(core, db, fleeting);
  return db.transact(async (tx) => {
    const completed = quick.length > 0 ? await complete(core, tx, quick) : [];
    const dropped = fleeting.length > 0 ? await drop(core, tx, fleeting) : new Map<Ending, SettleAnswer>();
    const left = [...fleeting.filter((ending) => !dropped.has(ending)), ...rest];
    return new Map([...completed, ...dropped, ...(left.length > 0 ? await settleRest(core, tx, left) : [])]);
  });
}

/** It completes in its last stage, with nothing to clear up. */
export function isQuick(core: Core, { key, lease, outcome }: Known): boolean {
  const held = core.leases.get(key);
  if (outcome.type !== "completed" || held?.token !== lease.token || held.flags & (HAS_UNIQUE_KEY | HAS_WAITS))
    return false;
  return core.names.stage(held.stage).next === undefined;
}

/** They counted on a bundle that is not there any more. */
function refusedInBundles(core: Core, answers: ReadonlyMap<Ending, SettleAnswer>): Known[] {
  const refused = [...answers].filter(([, { written }]) => written !== "written").map(([ending]) => ending as Known);
  return refused.filter(({ key }) => core.leases.get(key)?.bundle?.isOpened === false);
}

/**
 * It got something beside its row meanwhile, such as a line of its log. Or its bundle was buried, or opened by a call of ours that
 * was given up and went on: then the job's own row says so by now, which the statement that waited for the bundle did not see.
 * Dropped here such a job would be held for ever, and by nobody.
 */
async function lookAgain(
  core: Core,
  endings: Known[],
  answers: ReadonlyMap<Ending, SettleAnswer>,
  settled: () => void,
): Promise<Map<Ending, SettleAnswer>> {
  if (endings.length === 0) return new Map();
  settled();
  try {
    await core.bundles.openFor(endings.map(({ key }) => key));
    return await core.connections.write.transact((tx) => settleRest(core, tx, endings));
  } catch (error) {
    if (![...answers.values()].some(({ written }) => written === "written")) throw error;
    // Others of this call are written, so it has an answer: these are unknown to us from here on, and go back as such.
    for (const { key } of endings) core.leases.end(key);
    return new Map();
  }
}

/** Of a quick one: its kind keeps nothing of what is done. */
function isFleeting(core: Core, { key }: Known): boolean {
  const stage = core.names.stage(core.leases.get(key)?.stage as number);
  return core.names.rules(stage.kind).retention.finishedMs === "none";
}

/** One that has something beside its row: that goes with it, one by one, and for that it needs a row that says that it runs. */
function hasBelongings(core: Core, { key }: Known): boolean {
  return core.leases.get(key)?.flags !== 0;
}

async function settleRest(core: Core, tx: Runner, endings: Known[]): Promise<Map<Ending, SettleAnswer>> {
  const rows = await tx.run<JobRow & { now: number }>(LOCK_HELD, [
    core.clock.given,
    core.durable(true),
    numbers(endings.map(({ key }) => key)),
  ]);
  await core.names.knowStages(rows.map(({ stage }) => stage));
  const crashed = new Set(endings.filter(({ outcome }) => outcome.type === "crashed").map(({ key }) => key));
  const loneDeathsOf = await loneDeaths(
    tx,
    rows.filter(({ id }) => crashed.has(id)),
  );
  const held = new Map(rows.map((row) => [row.id, row]));
  const answers = new Map<Ending, SettleAnswer>();
  const changed: { ending: Known; row: JobRow & { now: number }; change: Change }[] = [];
  for (const ending of endings) {
    const { key, lease, outcome } = ending;
    const row = held.get(key);
    answers.set(ending, LOST);
    if (row?.token !== lease.token) continue;
    held.delete(key); // a second settle of the same lease finds it ended
    const plan = core.names.stageRules(core.names.stage(row.stage));
    const job = standpoint(row, loneDeathsOf(row));
    const change = afterAttempt(job, outcome, plan, { now: row.now, random: core.random });
    const resting = outcome.type === "waiting" ? await suspend(core, tx, row, outcome.waits, change) : { row, change };
    changed.push({ ending, ...resting });
  }
  const written = await applyAll(core, tx, changed);
  for (const [i, { ending }] of changed.entries()) answers.set(ending, written[i] as SettleAnswer);
  return answers;
}

function tellOthers(core: Core, answers: SettleAnswer[]): void {
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
