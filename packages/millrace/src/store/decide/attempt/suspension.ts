// How an attempt ends that has nothing left to do but wait. If one of its waits has its answer by now, the job is ready at once.

import type { Transition } from "../../../job/lifecycle.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { HAS_WAITS, NEVER, WAITING, wokenRunAt } from "../../waits/codes.ts";

export interface SuspensionFacts {
  readonly isAnswered: boolean;
  /** When the first of its waits ends by itself. Undefined: none does. */
  readonly endsAt: number | undefined;
  readonly now: number;
}

/** The row and the change to settle. `decided` is what the lifecycle says of a waiting attempt. */
export function decideSuspension<Row extends JobRow>(
  row: Row,
  decided: Transition,
  { isAnswered, endsAt, now }: SuspensionFacts,
): { row: Row; change: Transition } {
  const flags = (row.flags | HAS_WAITS | WAITING) & (isAnswered ? ~WAITING : ~0);
  const change: Transition = isAnswered
    ? { ...decided, standing: "ready", runAt: wokenRunAt(now) }
    : { ...decided, runAt: endsAt ?? NEVER };
  return { row: { ...row, flags }, change };
}
