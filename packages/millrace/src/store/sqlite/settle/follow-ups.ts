// The steps and jobs that a settlement carries. They are decided before anything is written, and written after its row.

import type { Transition } from "../../../job/lifecycle.ts";
import { HAS_STEPS } from "../../codes.ts";
import { decideFollowUps, type FollowUpDecision, freesUniqueKey, stepValue } from "../../decide/follow-ups.ts";
import type { WrittenAnswer } from "../../decide/settlement.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { FollowUps } from "../../verbs/follow-ups.ts";
import type { Core } from "../core.ts";
import { Facts } from "../submit/facts.ts";
import { storeAccepted } from "../submit/submit.ts";
import { ADD_STEP } from "./steps.ts";

const FIND_STEP = "SELECT value FROM step WHERE job = ? AND stage = ? AND name = ?";

type FollowUpPlan = Extract<FollowUpDecision<number>, { type: "written" }>;

export function planFollowUps(
  core: Core,
  row: JobRow,
  change: Transition,
  followUps: FollowUps,
): FollowUpDecision<number> {
  core.names.refresh();
  return decideFollowUps(
    {
      submission: new Facts(core, row.tenant, freesUniqueKey(change) ? { endingJob: row.id } : {}),
      storedStep: (name) =>
        (core.statement(FIND_STEP).get(row.id, row.stage, name) as { value: string } | undefined)?.value,
    },
    followUps,
  );
}

/** The row as it is once the steps are stored. */
export function withSteps(row: JobRow, { steps }: FollowUpPlan): JobRow {
  return steps.length > 0 ? { ...row, flags: row.flags | HAS_STEPS } : row;
}

/** `row`: as it was before its settlement, because the steps belong to the stage that ended. */
export function writeFollowUps(
  core: Core,
  row: JobRow,
  { accepted, steps }: FollowUpPlan,
  settled: WrittenAnswer,
  now: number,
): WrittenAnswer {
  const jobIds = accepted ? storeAccepted(core, accepted, row.tenant, now).map(core.ids.encode) : [];
  if (!settled.forgotten) {
    for (const step of steps) core.statement(ADD_STEP).run(row.id, row.stage, step.name, stepValue(step, jobIds), now);
  }
  return accepted ? { ...settled, jobIds } : settled;
}
