import { afterAttempt, type Outcome } from "../../../job/lifecycle.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { standpoint } from "../../rows/job-row.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import { HAS_WAITS, NEVER, WAITING, wokenRunAt } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { moveToTwin } from "../register/twin.ts";
import { nextEnd, restFor } from "../waits/waits.ts";
import { apply } from "./apply.ts";

/** Ends an attempt that has nothing left to do but wait. If one of its waits has its answer by now, the job is ready at once. */
export function suspend(
  core: Core,
  held: JobRow,
  outcome: Extract<Outcome, { type: "waiting" }>,
  now: number,
): SettleAnswer {
  const row = moveToTwin(core, held);
  const isAnswered = restFor(core, row, outcome.waits, now);
  const plan = core.names.stageRules(core.names.stage(row.stage));
  const decided = afterAttempt(standpoint(row, []), outcome, plan, { now, random: core.random });
  const flags = (row.flags | HAS_WAITS | WAITING) & (isAnswered ? ~WAITING : ~0);
  return apply(
    core,
    { ...row, flags },
    isAnswered
      ? { ...decided, standing: "ready", runAt: wokenRunAt(now) }
      : { ...decided, runAt: nextEnd(core, row.id) ?? NEVER },
    now,
  );
}
