// SETTLE: ends attempts and writes what follows from each. Attempts that end at the same moment share one transaction.
//
//   settle ──sort──┬──▶ complete ───┬──all as expected──────────────────▶ answers
//                  ├──▶ drop ───────┤                                        ▲
//                  └──▶ row by row ─┤                                        │
//                                   └──a bundle is gone, or a dropped job    │
//                                      got log lines ──▶ look again ─────────┘
//                                                        (row by row)
//
// | way        | file          | takes                                                      | does                            |
// | complete   | complete.ts   | completes in its last stage, nothing to clear up but a key | one statement for all           |
// | drop       | complete.ts   | the same, of a kind that keeps nothing, nothing beside it   | one statement deletes all       |
// | row by row | row-by-row.ts | everything else, and the second settle of the same job     | locks, decides and writes each, |
// |            |               |                                                            | with its follow-ups             |
//
// The first two do not look at rows: they rely on the leases that this process holds, and their statements check the token or the
// bundle of each job. store/decide/settlement.ts decides what is written; settle-queue.ts gathers what ends together.

import { HAS_WAITER } from "../../children/codes.ts";
import { COMPLETED } from "../../codes.ts";
import { hasFollowUps } from "../../decide/follow-ups.ts";
import { isLinked, isPlainCompletion, keepsNothing, LEASE_LOST } from "../../decide/settlement.ts";
import { KEYED } from "../../keys/codes.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import { endEdges } from "../children/edges.ts";
import { tellOfWork } from "../children/queue.ts";
import { hasCaps } from "../claim/bounded.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { leavePlaces } from "../keys/places.ts";
import { isShared } from "../keys/room.ts";
import { complete, drop } from "./complete.ts";
import type { Ending } from "./ending.ts";
import { settleRowByRow } from "./row-by-row.ts";
import { readyTwinsFor } from "./suspend.ts";

type Answers = Map<Ending, SettleAnswer>;

export function settle(core: Core, endings: readonly Ending[]): Promise<SettleAnswer[]> {
  const keys = endings.map(({ key }) => key);
  return core.leases.whileSettling(keys, async () => {
    // A note travels on another connection. It must not come after the end of its lease.
    if (core.notes.any) await core.notes.ended(keys);
    const ways = sort(core, endings);
    const makesRoom = ways.complete.length + ways.drop.length > 0 && endings.some(({ key }) => isSharedBy(core, key));
    await core.bundles.openFor(ways.rowByRow.map(({ key }) => key));
    await readyTwinsFor(core, ways.rowByRow);
    const answers = await whileBundlesStayClosed(core, ways, async (mayOpen) => {
      const first = await write(core, ways);
      const again = leftOver(core, ways, first);
      if (again.length === 0) return first;
      mayOpen();
      return new Map([...first, ...(await lookAgain(core, again, first))]);
    });
    // A lease that was refused is left to the caretaker, which says why it is lost.
    for (const ending of endings) if (answers.get(ending)?.written === "written") core.leases.end(ending.key);
    tellOthers(core, answers, makesRoom);
    return endings.map((ending) => answers.get(ending) ?? LEASE_LOST);
  });
}

/** Each list is in the order of its keys, except `rowByRow`. */
interface Ways {
  readonly complete: Ending[];
  readonly drop: Ending[];
  readonly rowByRow: Ending[];
}

function sort(core: Core, endings: readonly Ending[]): Ways {
  const ways: Ways = { complete: [], drop: [], rowByRow: [] };
  const seen = new Set<number>();
  for (const ending of endings) {
    // A second settlement of the same job is decided after the first.
    const way = seen.has(ending.key) ? "rowByRow" : wayOf(core, ending);
    ways[way].push(ending);
    seen.add(ending.key);
  }
  for (const each of [ways.complete, ways.drop]) each.sort((a, b) => a.key - b.key);
  return ways;
}

function wayOf(core: Core, { key, lease, outcome, followUps }: Ending): keyof Ways {
  const held = core.leases.get(key);
  if (held?.token !== lease.token || hasFollowUps(followUps)) return "rowByRow";
  const stage = core.names.stage(held.stage);
  if (!isPlainCompletion(outcome, held, stage, { leavesKey: true })) return "rowByRow";
  if (isLinked(held) || !keepsNothing(core.names.rules(stage.kind), COMPLETED)) return "complete";
  // What a job has beside its row is deleted with it, and needs a row that says that the job runs.
  return held.flags === 0 ? "drop" : "rowByRow";
}

/** True: the ending is written together with all others of its way, in one statement. */
export function isQuick(core: Core, ending: Ending): boolean {
  return wayOf(core, ending) !== "rowByRow";
}

/** Keeps the bundles of jobs that complete closed until `work` is done or calls `mayOpen`. */
async function whileBundlesStayClosed<T>(
  core: Core,
  ways: Ways,
  work: (mayOpen: () => void) => Promise<T>,
): Promise<T> {
  const bundles = [...ways.complete, ...ways.drop].flatMap(({ key }) => core.leases.get(key)?.bundle ?? []);
  const mayOpen = await core.bundles.keepClosed(new Set(bundles));
  try {
    return await work(mayOpen);
  } finally {
    mayOpen();
  }
}

/** One transaction. Most endings of one moment go the same way, and then it is one statement. */
async function write(core: Core, ways: Ways): Promise<Answers> {
  const { write: db } = core.connections;
  const isOneStatement = !ways.complete.some((ending) => hasFlags(core, ending, HAS_WAITER | KEYED));
  if (ways.rowByRow.length + ways.drop.length === 0 && isOneStatement) return complete(core, db, ways.complete);
  if (ways.rowByRow.length + ways.complete.length === 0) return drop(core, db, ways.drop);
  return db.transact(async (tx) => {
    const completed: Answers = ways.complete.length > 0 ? await completeLinked(core, tx, ways.complete) : new Map();
    const dropped: Answers = ways.drop.length > 0 ? await drop(core, tx, ways.drop) : new Map();
    const rest = [...ways.drop.filter((ending) => !dropped.has(ending)), ...ways.rowByRow];
    const settled: Answers = rest.length > 0 ? await settleRowByRow(core, tx, rest) : new Map();
    return new Map([...completed, ...dropped, ...settled]);
  });
}

/** Whether the job had one of the flags when it was claimed. */
function hasFlags(core: Core, { key }: Ending, flags: number): boolean {
  return ((core.leases.get(key)?.flags ?? 0) & flags) !== 0;
}

/** The same transaction marks the edges to jobs that others wait for, and gives the keys of jobs back. */
async function completeLinked(core: Core, tx: OwnTransaction, endings: readonly Ending[]): Promise<Answers> {
  const answers = await complete(core, tx, [...endings]);
  const written = endings.filter((ending) => answers.get(ending)?.written === "written");
  const awaited = written.filter((ending) => hasFlags(core, ending, HAS_WAITER));
  const jobs = awaited.map(({ key }) => ({ id: key, standing: COMPLETED }));
  if (jobs.length > 0) await endEdges(core, tx, jobs, core.clock.now());
  const keyed = written.filter((ending) => hasFlags(core, ending, KEYED)).map(({ key }) => key);
  if (await leavePlaces(tx, keyed)) tx.afterCommit(async () => tellOfWork(core));
  return answers;
}

/**
 * The endings whose jobs differ from what this process knew. A job that was to be dropped has got a log line or another
 * row of its own. Or its bundle is gone, because its holder was declared dead or a call of ours opened it and the
 * answer was lost. The job's own row then says so, but the statement that waited for the bundle could not see it.
 */
function leftOver(core: Core, { drop: dropped }: Ways, answers: Answers): Ending[] {
  const refused = [...answers].filter(([, { written }]) => written !== "written").map(([ending]) => ending);
  return [
    ...dropped.filter((ending) => !answers.has(ending)),
    ...refused.filter(({ key }) => core.leases.get(key)?.bundle?.isOpened === false),
  ];
}

async function lookAgain(core: Core, endings: readonly Ending[], answers: Answers): Promise<Answers> {
  try {
    await core.bundles.openFor(endings.map(({ key }) => key));
    return await core.connections.write.transact((tx) => settleRowByRow(core, tx, endings));
  } catch (error) {
    if (![...answers.values()].some(({ written }) => written === "written")) throw error;
    // Others of this call are written, so the call has an answer. This process forgets these leases; the jobs go back to the queue.
    for (const { key } of endings) core.leases.end(key);
    return new Map();
  }
}

/** The end of the job makes room under a limit on running jobs. */
function isSharedBy(core: Core, key: number): boolean {
  const held = core.leases.get(key);
  return held !== undefined && isShared(core.names.rules(core.names.stage(held.stage).kind).concurrency);
}

function tellOthers(core: Core, answers: Answers, makesRoom: boolean): void {
  const written = [...answers.values()].filter((answer) => answer.written === "written");
  const isWork = written.some(
    ({ nextStage, jobIds, successor, standing }) =>
      nextStage !== undefined ||
      jobIds !== undefined ||
      successor !== undefined ||
      standing === "suspect" ||
      standing === "ready",
  );
  if (isWork || makesRoom) core.voice.say("work");
  else if (written.length > 0) core.voice.say("end");
  // Pools of this process may have claimed while the tenants were still at their limits, so they look again.
  if (makesRoom || hasCaps(core)) core.events.wake();
}
