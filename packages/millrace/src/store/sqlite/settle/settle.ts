// SETTLE: ends an attempt and writes what follows from it. The lease is presented, and a stale token changes nothing.
//
//   settle ──▶ at once: completes in its last stage, nothing to clear up ──one statement──▶ completed
//         └──▶ by row: reads the row, asks the lifecycle ──▶ apply writes the settlement
//                  ├── waiting: suspend stores its waits first
//                  ├── continued: its successor is a follow-up, and takes its place last
//                  └── follow-ups: decided before apply, written after it; if they are refused, nothing is written

import type { Lease } from "../../../job/lease.ts";
import { afterAttempt, type Outcome } from "../../../job/lifecycle.ts";
import { HAS_WAITER } from "../../children/codes.ts";
import { COMPLETED, HAS_LARGE_RESULT, RUNNING } from "../../codes.ts";
import { hasFollowUps } from "../../decide/follow-ups.ts";
import { COMPLETED_ANSWER, isLinked, isPlainCompletion, keepsNothing, LEASE_LOST } from "../../decide/settlement.ts";
import { continuedAnswer, continuesAs, withoutWaiters, withSuccessor } from "../../decide/successor.ts";
import { standpoint } from "../../rows/job-row.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import type { FollowUps } from "../../verbs/follow-ups.ts";
import { CANCEL_ASKED } from "../../waits/codes.ts";
import { endEdges } from "../children/edges.ts";
import { succeed } from "../children/succeed.ts";
import type { Core } from "../core.ts";
import { wakeSharers } from "../keys/room.ts";
import { IN_ROW_CHARS } from "../read/row.ts";
import { apply } from "./apply.ts";
import { heldRow } from "./belongings.ts";
import { loneDeathsOf } from "./deaths.ts";
import { planFollowUps, withSteps, writeFollowUps } from "./follow-ups.ts";
import { suspend } from "./suspend.ts";

const COMPLETE = `UPDATE job SET standing = ${COMPLETED}, output = ?1, failure = NULL, finished_at = ?2, updated_at = ?2
  WHERE id = ?3 AND token = ?4 AND standing = ${RUNNING}`;

export function settle(core: Core, lease: Lease, outcome: Outcome, followUps?: FollowUps): SettleAnswer {
  if (hasFollowUps(followUps)) return settleByRow(core, lease, outcome, followUps);
  return completeAtOnce(core, lease, outcome) ?? settleByRow(core, lease, outcome);
}

/** The common end of a job of this process, in one guarded statement. Undefined: it needs its row. */
function completeAtOnce(core: Core, lease: Lease, outcome: Outcome): SettleAnswer | undefined {
  if (outcome.type !== "completed" || outcome.result.length > IN_ROW_CHARS) return undefined;
  const key = core.ids.decode(lease.jobId) ?? -1;
  const held = core.held.get(key);
  if (!held || held.token !== lease.token || held.flags & HAS_LARGE_RESULT) return undefined;
  const stage = core.names.stage(held.stage);
  if (!isPlainCompletion(outcome, held, stage)) return undefined;
  if (!isLinked(held) && keepsNothing(core.names.rules(stage.kind), COMPLETED)) return undefined;
  const { changes } = core.statement(COMPLETE).run(outcome.result, core.clock.now(), key, lease.token);
  if (Number(changes) === 0) return LEASE_LOST;
  core.counts.move(held.stage, held.tenant, RUNNING, COMPLETED);
  core.leaseEnds(key);
  wakeSharers(core, stage.kind);
  if (held.flags & HAS_WAITER) endEdges(core, key, COMPLETED, core.clock.now());
  return COMPLETED_ANSWER;
}

function settleByRow(core: Core, lease: Lease, outcome: Outcome, given?: FollowUps): SettleAnswer {
  const row = heldRow(core, lease);
  if (!row) return LEASE_LOST;
  const now = core.clock.now();
  const rules = core.names.stageRules(core.names.stage(row.stage));
  const job = standpoint(row, outcome.type === "crashed" ? loneDeathsOf(core, row) : []);
  const change = afterAttempt(job, outcome, rules, { now, random: core.random });
  const successor = continuesAs(row, core.names.stage(row.stage).kindName, outcome);
  const followUps = withSuccessor(given, successor);
  // A job that was cancelled undoes what it did, and starts nothing more.
  const plan = followUps && !(row.flags & CANCEL_ASKED) ? planFollowUps(core, row, change, followUps) : undefined;
  if (plan?.type === "refused") return plan.answer;
  const held = plan ? withSteps(successor ? withoutWaiters(row) : row, plan) : row;
  const settled = outcome.type === "waiting" ? suspend(core, held, outcome.waits, change, now) : { row: held, change };
  const answer = apply(core, settled.row, settled.change, now);
  const written = plan ? writeFollowUps(core, settled.row, plan, answer, now) : answer;
  if (!successor) return written;
  const continued = continuedAnswer(written);
  succeed(core, row, core.ids.decode(continued.successor) as number, now);
  return continued;
}
