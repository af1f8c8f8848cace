import type { Outcome, Transition } from "../../../job/lifecycle.ts";
import type { NewWait } from "../../../job/wait.ts";
import { decideSuspension } from "../../decide/attempt/suspension.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { moveToTwin, readyTwins } from "../register/twin.ts";
import { restFor } from "../waits/waits.ts";
import type { RowChange } from "./apply.ts";
import type { Ending } from "./ending.ts";

/**
 * The jobs that are to wait move to the twin of their plan, and successors start there. It is made before their transaction, which
 * then needs no second connection.
 */
export async function readyTwinsFor(core: Core, endings: readonly Ending[]): Promise<void> {
  const stagesOf = (type: Outcome["type"]) =>
    endings.flatMap(({ key, outcome }) => (outcome.type === type ? (core.leases.get(key)?.stage ?? []) : []));
  const kinds = new Set(stagesOf("continued").map((stage) => core.names.stage(stage).kindName));
  if (kinds.size > 0) await core.names.loadKinds(kinds);
  const starts = [...kinds].flatMap((kind) => core.names.firstStage(kind)?.id ?? []);
  const stages = [...stagesOf("waiting"), ...starts];
  if (stages.length > 0) await readyTwins(core, stages, core.clock.now());
}

/** Stores the waits of an attempt that has nothing left to do, and gives the row and the change to settle. */
export async function suspend(
  core: Core,
  tx: StatementRunner,
  held: LockedRow,
  waits: readonly NewWait[],
  decided: Transition,
): Promise<RowChange> {
  const row = await moveToTwin(core, tx, held);
  return decideSuspension(row, decided, { ...(await restFor(core, tx, row, waits)), now: row.now });
}
