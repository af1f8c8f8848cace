// The end of an attempt. The lease is presented, and a stale token changes nothing.

import type { Lease } from "../../../job/lease.ts";
import { afterAttempt, type Outcome } from "../../../job/lifecycle.ts";
import { COMPLETED, HAS_LARGE_OUTPUT, HAS_UNIQUE_KEY, RUNNING } from "../../codes.ts";
import { standpoint } from "../../rows/job-row.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import { HAS_WAITS } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { IN_ROW_CHARS } from "../read/row.ts";
import { apply } from "./apply.ts";
import { heldRow } from "./belongings.ts";
import { loneDeathsOf } from "./deaths.ts";
import { suspend } from "./suspend.ts";

const COMPLETE = `UPDATE job SET standing = 5, output = ?1, failure = NULL, finished_at = ?2, updated_at = ?2
  WHERE id = ?3 AND token = ?4 AND standing = 4`;

const LOST = "lease-lost" as const;

export function settle(core: Core, lease: Lease, outcome: Outcome): SettleAnswer {
  return completeAtOnce(core, lease, outcome) ?? settleByRow(core, lease, outcome);
}

function settleByRow(core: Core, lease: Lease, outcome: Outcome): SettleAnswer {
  const row = heldRow(core, lease);
  if (!row) return { written: LOST };
  const now = core.clock.now();
  const plan = core.names.stageRules(core.names.stage(row.stage));
  if (outcome.type === "waiting") return suspend(core, row, outcome, now);
  const job = standpoint(row, outcome.type === "crashed" ? loneDeathsOf(core, row) : []);
  return apply(core, row, afterAttempt(job, outcome, plan, { now, random: core.random }), now);
}

/** The common end, in one guarded statement: a job of ours completes in its last stage, with nothing to clear up. */
function completeAtOnce(core: Core, lease: Lease, outcome: Outcome): SettleAnswer | undefined {
  if (outcome.type !== "completed" || outcome.output.length > IN_ROW_CHARS) return undefined;
  const key = core.ids.decode(lease.jobId) ?? -1;
  const held = core.held.get(key);
  if (!held || held.token !== lease.token || held.flags & NEEDS_CARE) return undefined;
  const stage = core.names.stage(held.stage);
  if (stage.next !== undefined || core.names.rules(stage.kind).retention.finishedMs === "none") return undefined;
  const { changes } = core.statement(COMPLETE).run(outcome.output, core.clock.now(), key, lease.token);
  if (Number(changes) === 0) return { written: LOST };
  core.counts.move(held.stage, held.tenant, RUNNING, COMPLETED);
  core.leaseEnds(key);
  return COMPLETED_ANSWER;
}

/** What a job has that is cleared up, or told to others, as it ends. */
const NEEDS_CARE = HAS_UNIQUE_KEY | HAS_LARGE_OUTPUT | HAS_WAITS;

const COMPLETED_ANSWER: SettleAnswer = { written: "written", standing: "completed" };
