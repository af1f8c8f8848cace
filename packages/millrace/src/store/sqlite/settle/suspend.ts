import type { Transition } from "../../../job/lifecycle.ts";
import type { NewWait } from "../../../job/wait.ts";
import { decideSuspension } from "../../decide/attempt/suspension.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Core } from "../core.ts";
import { moveToTwin } from "../register/twin.ts";
import { nextEnd, restFor } from "../waits/waits.ts";

/** Stores the waits of an attempt that has nothing left to do, and gives the row and the change to settle. */
export function suspend(
  core: Core,
  held: JobRow,
  waits: readonly NewWait[],
  decided: Transition,
  now: number,
): { row: JobRow; change: Transition } {
  const row = moveToTwin(core, held);
  const isAnswered = restFor(core, row, waits, now);
  const endsAt = isAnswered ? undefined : nextEnd(core, row.id);
  return decideSuspension(row, decided, { isAnswered, endsAt, now });
}
