import type { Lease } from "../../../job/lease.ts";
import { fromErrorData } from "../../../lib/app-error.ts";
import { HAS_STEPS } from "../../codes.ts";
import { stepNameReused } from "../../decide/attempt/steps.ts";
import type { ConfirmAnswer, Step, StepExtras } from "../../verbs/attempts.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";
import { addUndo } from "../waits/undo.ts";
import { beginWaits, readyTwinFor } from "../waits/waits.ts";
import { addFlag, whileHeld } from "./belongings.ts";
import { saveInGroup } from "./step-group.ts";

const LOOK_HELD = statement<{ key: number; token: number }>(`SELECT stage
  FROM millrace.job
  WHERE id = :key AND token = :token AND ${RUNS}`);
const STEPS = statement<{ key: number; stage: number }>(`SELECT name, value, saved_at AS "savedAt"
  FROM millrace.step
  WHERE job = :key AND stage = :stage`);
// A repeated call gets the same answer, because the first answer may have been lost.
const ADD_STEP = statement<{ key: number; stage: number; name: string; value: string; now: number }>(`INSERT
  INTO millrace.step (job, stage, name, value, saved_at)
  VALUES (:key, :stage, :name, :value, :now)
  ON CONFLICT (job, stage, name) DO UPDATE SET value = step.value WHERE step.value = excluded.value
  RETURNING name`);

const LOST = "lease-lost" as const;

export async function storedSteps(core: Core, lease: Lease): Promise<Step[] | typeof LOST> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  const [row] = await core.connections.write.run<{ stage: number }>(...LOOK_HELD({ key, token: lease.token }));
  if (!row) return LOST;
  await core.names.knowStages([row.stage]);
  const stage = core.names.stage(row.stage).name;
  const steps = await core.connections.write.run<Omit<Step, "stage">>(...STEPS({ key, stage: row.stage }));
  return steps.map(({ name, value, savedAt }) => ({ stage, name, value, savedAt }));
}

export async function saveStep(
  core: Core,
  lease: Lease,
  name: string,
  value: string,
  more: StepExtras = {},
): Promise<ConfirmAnswer> {
  const isPlain = more.undo === undefined && !more.waits?.length;
  const saved = isPlain ? await saveInGroup(core, lease, name, value) : undefined;
  return saved ?? saveAlone(core, lease, { name, value }, more);
}

async function saveAlone(
  core: Core,
  lease: Lease,
  { name, value }: Pick<Step, "name" | "value">,
  { undo, waits = [] }: StepExtras,
): Promise<ConfirmAnswer> {
  if (waits.length > 0) await readyTwinFor(core, lease);
  let left = 0;
  const written = await whileHeld(core, lease, { durable: true }, async (tx, held) => {
    const row = waits.length > 0 ? await beginWaits(core, tx, held.id, waits) : held;
    const added = await tx.run(...ADD_STEP({ key: row.id, stage: row.stage, name, value, now: row.now }));
    if (added.length === 0) throw fromErrorData(stepNameReused(name));
    await addFlag(core, tx, row, HAS_STEPS);
    if (undo !== undefined) await addUndo(tx, row, { type: "step", name, handler: undo });
    left = held.left ?? 0;
  });
  return written === LOST ? LOST : { forMs: left };
}
