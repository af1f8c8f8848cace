// ROW BY ROW: attempts that fail, wait, are deferred or held, go on to the next stage, continue as new, or complete with something
// to clear up. Their rows are locked, decided one by one and written in one transaction.

import { afterAttempt } from "../../../job/lifecycle.ts";
import { hasFollowUps } from "../../decide/follow-ups.ts";
import { LEASE_LOST, type WrittenAnswer } from "../../decide/settlement.ts";
import { continuedAnswer, continuesAs, withoutWaiters, withSuccessor } from "../../decide/successor.ts";
import { standpoint } from "../../rows/job-row.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import { CANCEL_ASKED } from "../../waits/codes.ts";
import { succeed } from "../children/succeed.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { OwnTransaction, StatementRunner, Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { type LockedRow, RUNS } from "../read/row.ts";
import { applyAll, type RowChange } from "./apply.ts";
import { loneDeaths } from "./deaths.ts";
import type { Ending } from "./ending.ts";
import { type FollowUpPlan, FollowUpWrites, withSteps } from "./follow-ups.ts";
import { suspend } from "./suspend.ts";

const LOCK_RUNNING = statement<{ now: Value; durable: string; keys: string }>(`SELECT *,
    ${nowBy(":now")} AS now,
    set_config('synchronous_commit', :durable, true)
  FROM millrace.job
  WHERE id = ANY(:keys::bigint[]) AND ${RUNS}
  ORDER BY id
  FOR UPDATE`);

export async function settleRowByRow(
  core: Core,
  tx: OwnTransaction,
  endings: readonly Ending[],
): Promise<Map<Ending, SettleAnswer>> {
  const followUps = await FollowUpWrites.prepare(core, tx, endings);
  const rows = await lockRunning(core, tx, endings);
  await followUps?.load(tx);
  const crashed = new Set(endings.filter(({ outcome }) => outcome.type === "crashed").map(({ key }) => key));
  const loneDeathsOf = await loneDeaths(
    tx,
    rows.filter(({ id }) => crashed.has(id)),
  );
  const held = new Map(rows.map((row) => [row.id, row]));
  const answers = new Map<Ending, SettleAnswer>();
  const decided: SettledEnding[] = [];
  for (const ending of endings) {
    const { key, lease, outcome } = ending;
    const row = held.get(key);
    answers.set(ending, LEASE_LOST);
    if (row?.token !== lease.token) continue;
    const rules = core.names.stageRules(core.names.stage(row.stage));
    const moment = { now: row.now, random: core.random };
    const change = afterAttempt(standpoint(row, loneDeathsOf(row)), outcome, rules, moment);
    // A job that was cancelled undoes what it did, and starts nothing more.
    const successor = continuesAs(row, core.names.stage(row.stage).kindName, outcome);
    const carried = row.flags & CANCEL_ASKED ? undefined : withSuccessor(ending.followUps, successor);
    const plan = hasFollowUps(carried) ? followUps?.decide(carried, row, change) : undefined;
    if (plan && "written" in plan) {
      answers.set(ending, plan);
      continue;
    }
    held.delete(key); // A second settlement of the same lease finds it ended.
    const settled = plan ? withSteps(successor ? withoutWaiters(row) : row, plan) : row;
    decided.push({ ending, plan, continued: successor && row, row: settled, change });
  }
  // The statements of all jobs that wait travel at once.
  const changed = await Promise.all(decided.map((each) => suspended(core, tx, each)));
  const written = await writeAll(core, tx, changed, followUps);
  for (const [i, { ending }] of changed.entries()) answers.set(ending, written[i] as SettleAnswer);
  return answers;
}

interface SettledEnding extends RowChange {
  readonly ending: Ending;
  readonly plan: FollowUpPlan | undefined;
  /** The row as it was, if the job has a successor. */
  readonly continued: LockedRow | undefined;
}

async function suspended(core: Core, tx: OwnTransaction, settled: SettledEnding): Promise<SettledEnding> {
  const { row, change, ending } = settled;
  const { outcome } = ending;
  return outcome.type === "waiting"
    ? { ...settled, ...(await suspend(core, tx, row, outcome.waits, change)) }
    : settled;
}

async function writeAll(
  core: Core,
  tx: OwnTransaction,
  changed: readonly SettledEnding[],
  followUps: FollowUpWrites | undefined,
): Promise<WrittenAnswer[]> {
  if (!followUps) return applyAll(core, tx, changed);
  const planned = changed.map(({ row, plan = NO_FOLLOW_UPS }) => ({ row, plan }));
  const written = await applyAll(core, tx, changed, followUps.lanesOf(planned.map(({ plan }) => plan)));
  const answers = await followUps.write(tx, planned, written);
  for (const [i, { continued }] of changed.entries()) {
    if (!continued) continue;
    const answer = continuedAnswer(answers[i] as WrittenAnswer);
    await succeed(core, tx, continued, core.ids.decode(answer.successor) as number);
    answers[i] = answer;
  }
  return answers;
}

const NO_FOLLOW_UPS: FollowUpPlan = { steps: [] };

async function lockRunning(core: Core, tx: StatementRunner, endings: readonly Ending[]): Promise<LockedRow[]> {
  const keys = numbers(endings.map(({ key }) => key));
  const rows = await tx.run<LockedRow>(...LOCK_RUNNING({ now: core.clock.given, durable: core.durable(true), keys }));
  await core.names.knowStages(rows.map(({ stage }) => stage));
  return rows;
}
