import type { Change } from "../../../job/lifecycle.ts";
import type { NewWait } from "../../../job/wait.ts";
import { HAS_WAITS, NEVER, WAITING, wokenRunAt } from "../../waits/codes.ts";
import type { Runner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { moveToTwin, readyTwins } from "../register/twin.ts";
import { type LockedRow, nextEnd, restFor } from "../waits/waits.ts";
import type { Known } from "./ending.ts";

/** The jobs that are to wait move to the twin of their plan. It is made before their transaction, which then needs no second connection. */
export async function readyTwinsFor(core: Core, endings: readonly Known[]): Promise<void> {
  const stages = endings.flatMap(({ key, outcome }) => {
    const stage = outcome.type === "waiting" ? core.leases.get(key)?.stage : undefined;
    return stage === undefined ? [] : [stage];
  });
  if (stages.length > 0) await readyTwins(core, stages, core.clock.now());
}

/** Ends an attempt that has nothing left to do but wait. If one of its waits has its answer by now, the job is ready at once. */
export async function suspend(
  core: Core,
  tx: Runner,
  held: LockedRow,
  waits: readonly NewWait[],
  decided: Change,
): Promise<{ row: LockedRow; change: Change }> {
  const moved = await moveToTwin(core, tx, held);
  const isAnswered = await restFor(core, tx, moved, waits);
  const row = { ...moved, flags: (moved.flags | HAS_WAITS | WAITING) & (isAnswered ? ~WAITING : ~0) };
  const change: Change = isAnswered
    ? { ...decided, standing: "ready", runAt: wokenRunAt(row.now) }
    : { ...decided, runAt: (await nextEnd(tx, row.id)) ?? NEVER };
  return { row, change };
}
