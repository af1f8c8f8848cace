import type { Lease } from "../../../job/lease.ts";
import { fromErrorData } from "../../../lib/app-error.ts";
import { HAS_STEPS } from "../../codes.ts";
import { stepNameReused } from "../../decide/attempt/steps.ts";
import type { ConfirmAnswer, Step, StepExtras } from "../../verbs/attempts.ts";
import type { Core } from "../core.ts";
import { moveToTwin } from "../register/twin.ts";
import { addUndo } from "../waits/undo.ts";
import { startWaits } from "../waits/waits.ts";
import { addFlag, heldRow } from "./belongings.ts";

const STEPS = "SELECT name, value, saved_at AS savedAt FROM step WHERE job = ? AND stage = ?";
export const ADD_STEP = `INSERT INTO step (job, stage, name, value, saved_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (job, stage, name) DO UPDATE SET value = step.value WHERE step.value = excluded.value`;

const LOST = "lease-lost" as const;

export function storedSteps(core: Core, lease: Lease): Step[] | typeof LOST {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  const stage = core.names.stage(row.stage).name;
  const steps = core.statement(STEPS).all(row.id, row.stage) as unknown as Omit<Step, "stage">[];
  return steps.map((step) => ({ stage, name: step.name, value: step.value, savedAt: step.savedAt }));
}

export function saveStep(
  core: Core,
  lease: Lease,
  name: string,
  value: string,
  { undo, waits = [] }: StepExtras = {},
): ConfirmAnswer {
  const held = heldRow(core, lease);
  if (!held) return LOST;
  const row = waits.length > 0 ? moveToTwin(core, held) : held;
  const now = core.clock.now();
  const { changes } = core.statement(ADD_STEP).run(row.id, row.stage, name, value, now);
  if (Number(changes) === 0) throw fromErrorData(stepNameReused(name));
  addFlag(core, row, HAS_STEPS);
  if (undo !== undefined) addUndo(core, row, { type: "step", name, handler: undo });
  if (waits.length > 0) startWaits(core, row, waits, now);
  return { forMs: core.instances.leftMs(row.holder as number) };
}
