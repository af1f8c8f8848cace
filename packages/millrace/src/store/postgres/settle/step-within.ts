// A step in a transaction of the caller's. Its last statements are ours:
//
//   the caller begins ──their writes──▶ lock the job, check the token ──▶ store the step ──▶ settle, if it completes ──▶ the caller
//                                                                                                                       commits
//
// The lock comes last, so a process that is stopped in the middle of its own work holds no row of the job. A settlement is known to
// be over after the commit alone: until then the lease counts as ending, so that the caretaker does not take it for lost.

import type { Lease } from "../../../job/lease.ts";
import { afterAttempt } from "../../../job/lifecycle.ts";
import { AppError, fromErrorData } from "../../../lib/app-error.ts";
import { HAS_STEPS } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { jobColumns } from "../../columns/job-columns.ts";
import { stepNameReused } from "../../decide/attempt/steps.ts";
import { isLinked } from "../../decide/settlement.ts";
import { standpoint } from "../../rows/job-row.ts";
import type { SettleResult } from "../../verbs/attempts.ts";
import type { CallerTransaction } from "../../verbs/caller-transaction.ts";
import type { StepWithin, StepWithinAnswer } from "../../verbs/within.ts";
import { doWorkLeftBehind } from "../children/left-work.ts";
import { CallerRunner } from "../connection/caller-runner.ts";
import { CallerWriter } from "../connection/caller-writer.ts";
import { nowBy } from "../connection/clock.ts";
import type { Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { type LockedRow, RUNS } from "../read/row.ts";
import { checkCaller, noTransaction, otherDatabase, type Rights } from "../submit/check-caller.ts";
import { onePerCore } from "../thread/group.ts";
import { addUndo } from "../waits/undo.ts";
import { applyAll } from "./apply.ts";

const STEP_RIGHTS: Rights = { job: "SELECT,UPDATE", step: "SELECT,INSERT,UPDATE", meta: "SELECT" };
const UNDO_RIGHTS: Rights = { ...STEP_RIGHTS, undo: "SELECT,INSERT" };
const SETTLE_RIGHTS: Rights = {
  ...UNDO_RIGHTS,
  job: "SELECT,UPDATE,DELETE",
  finished: "SELECT,INSERT",
  attempt: "SELECT,INSERT,DELETE",
  unique_key: "SELECT,UPDATE,DELETE",
  follower: "SELECT,DELETE",
  lane: "SELECT,INSERT,UPDATE",
  wait: "SELECT,UPDATE,DELETE",
  workflow: "SELECT,INSERT,UPDATE,DELETE",
  edge: "SELECT,UPDATE,DELETE",
  left_work: "SELECT,INSERT",
};

const IS_OURS = statement<{
  transaction: string;
  idSecret: string;
}>(`SELECT pg_current_xact_id()::text = :transaction::text AS "isSameTransaction",
    coalesce((SELECT value FROM millrace.meta WHERE name = 'id_secret') = :idSecret::text, false) AS "isSameStore"`);
// The payload stays in the database: the statements that move the row copy it there.
const COLUMNS = listOf(jobColumns().filter((name) => name !== "output"));
const lockedBy = (lock: string) =>
  statement<LockParameters>(`SELECT ${COLUMNS}, NULL AS output, NULL AS payload, ${nowBy(":now")} AS now
    FROM millrace.job
    WHERE id = :key::bigint AND token = :token::bigint AND ${RUNS}
    ${lock}`);
const LOCK = lockedBy("FOR UPDATE");
const LOCK_FOR_STEP = lockedBy("FOR NO KEY UPDATE");
// A repeated call gets the same answer, because the first answer may have been lost.
const ADD_STEP = statement<AddedStep>(`WITH put AS (
    INSERT INTO millrace.step (job, stage, name, value, saved_at)
    VALUES (:key::bigint, :stage::int, :name::text, :value::text, :now::bigint)
    ON CONFLICT (job, stage, name) DO UPDATE SET value = step.value
      WHERE step.value = excluded.value
    RETURNING name
  )
  SELECT count(*)::text AS answer FROM put`);
const ADD_FLAG = statement<{ key: number }>(`UPDATE millrace.job
  SET flags = flags | ${HAS_STEPS}
  WHERE id = :key`);

interface LockParameters {
  now: Value;
  key: number;
  token: number;
}

interface AddedStep {
  key: number;
  stage: number;
  name: string;
  value: string;
  now: number;
}

/** Ends the mark of a lease that a caller's transaction settles. By the key of the job. */
const settling = onePerCore(() => new Map<number, () => void>());

export async function saveStepWithin(
  core: Core,
  caller: CallerTransaction,
  lease: Lease,
  step: StepWithin,
): Promise<StepWithinAnswer> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  const tx = new CallerRunner(caller, core.connections.target);
  const rights = step.result !== undefined ? SETTLE_RIGHTS : step.undo !== undefined ? UNDO_RIGHTS : STEP_RIGHTS;
  const transaction = await checkCaller(core, tx, rights);
  const [ours] = await tx.run<{ isSameTransaction: boolean; isSameStore: boolean }>(
    ...IS_OURS({ transaction, idSecret: core.idSecret }),
  );
  if (!ours?.isSameTransaction) throw noTransaction();
  if (!ours.isSameStore) throw otherDatabase(undefined, core.connections.target.schema);
  const lock = step.result === undefined ? LOCK_FOR_STEP : LOCK;
  const [row] = await tx.run<LockedRow>(...lock({ now: core.clock.given, key, token: lease.token }));
  if (!row) return "lease-lost";
  const { name, value } = step;
  const put = await tx.ask<number>(...ADD_STEP({ key, stage: row.stage, name, value, now: row.now }));
  if (put !== 1) throw fromErrorData(stepNameReused(step.name));
  const writer = new CallerWriter(caller, core.connections.target);
  if (step.undo !== undefined) await addUndo(writer, row, { type: "step", name: step.name, handler: step.undo });
  if (step.result === undefined) {
    if (!(row.flags & HAS_STEPS)) await writer.run(...ADD_FLAG({ key }));
    // The transaction may still fail. That does no harm: it costs a look into an empty table.
    const held = core.leases.get(key);
    if (held) held.flags |= HAS_STEPS;
    return {};
  }
  return { settled: await settleWithin(core, writer, row, step.result) };
}

async function settleWithin(core: Core, tx: CallerWriter, row: LockedRow, result: string): Promise<SettleResult> {
  await core.names.knowStages([row.stage]);
  const rules = core.names.stageRules(core.names.stage(row.stage));
  const moment = { now: row.now, random: core.random };
  const change = afterAttempt(standpoint(row), { type: "completed", result }, rules, moment);
  beginSettling(core, row.id);
  try {
    const [answer] = await applyAll(core, tx, [{ row: { ...row, flags: row.flags | HAS_STEPS }, change }]);
    return answer as SettleResult;
  } catch (error) {
    endSettling(core, row.id);
    throw error;
  }
}

/** Notifies other processes of the commit, and forgets the lease. Work that fails is left to the caretaker. */
export async function endStepWithin(core: Core, lease: Lease, isCommitted: boolean): Promise<void> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  if (isCommitted) {
    const wasLinked = isLinked({ flags: core.leases.get(key)?.flags ?? 0 });
    core.leases.end(key);
    if (wasLinked) await doWorkLeftBehind(core).catch(() => {});
    core.voice.say("work");
    core.events.wake();
  }
  endSettling(core, key);
}

function beginSettling(core: Core, key: number): void {
  if (settling(core).has(key)) throw new AppError("transaction-unusable", "The attempt is being settled already.");
  const { promise, resolve } = Promise.withResolvers<void>();
  settling(core).set(key, resolve);
  void core.leases.whileSettling([key], () => promise);
}

function endSettling(core: Core, key: number): void {
  settling(core).get(key)?.();
  settling(core).delete(key);
}
