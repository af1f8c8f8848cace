// Cancels jobs. A running job with steps to undo is asked to end, and one that is undoing goes on; all others end at once.

import { FINISHED } from "../../../job/job.ts";
import type { Transition } from "../../../job/lifecycle.ts";
import { CANCELLED, JOINED } from "../../codes.ts";
import { decideCancellation } from "../../decide/cancellation.ts";
import type { WrittenAnswer } from "../../decide/settlement.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import type { CancelAnswer } from "../../verbs/jobs.ts";
import { tellOfWork } from "../children/queue.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { leavePlaces } from "../keys/places.ts";
import type { LockedRow } from "../read/row.ts";
import { applyAll } from "../settle/apply.ts";
import { askCancel } from "../waits/undo.ts";
import { ENDED_JOBS, LOCK_JOBS } from "./job-rows.ts";

/** The jobs among these that a submission in a caller's transaction has joined. */
const JOINED_JOBS = "SELECT job AS id FROM millrace.joined WHERE job = ANY($1::bigint[])";

const GIVE_UP = `UPDATE millrace.finished SET standing = ${CANCELLED}, updated_at = ${NOW}, flags = flags & ~${HOLDS_KEY} WHERE id = $2`;

const BATCH = 200;
const ENDED_CANCELLED = { standing: CANCELLED, flags: 0 };

export async function cancel(
  core: Core,
  jobIds: string[],
  reason: string,
  { unlessJoined = false }: { unlessJoined?: boolean } = {},
): Promise<CancelAnswer[]> {
  const answers: CancelAnswer[] = [];
  // Small batches, so that no other transaction waits long for a row.
  for (let i = 0; i < jobIds.length; i += BATCH) {
    const batch = jobIds.slice(i, i + BATCH);
    await core.bundles.openFor(batch.map((jobId) => core.ids.decode(jobId) ?? -1));
    answers.push(
      ...(await core.connections.write.transact((tx) => cancelBatch(core, tx, batch, { reason, unlessJoined }))),
    );
  }
  if (answers.some((answer) => typeof answer === "object" && "running" in answer)) core.voice.say("revoked");
  core.voice.say("end");
  return answers;
}

export async function cancelBatch(
  core: Core,
  tx: OwnTransaction,
  jobIds: string[],
  { reason, unlessJoined }: { reason: string; unlessJoined: boolean },
): Promise<CancelAnswer[]> {
  const keys = jobIds.map((jobId) => core.ids.decode(jobId) ?? -1);
  const rows = await tx.run<LockedRow>(LOCK_JOBS, [core.clock.given, numbers(keys)]);
  await core.names.knowStages(rows.map(({ stage }) => stage));
  const live = new Map(rows.map((row) => [row.id, row]));
  const ended = new Map<number, Pick<LockedRow, "standing" | "flags">>();
  for (const row of await tx.run<Pick<LockedRow, "id" | "standing" | "flags">>(ENDED_JOBS, [numbers(keys)]))
    ended.set(row.id, row);
  const joined = unlessJoined ? await tx.run<{ id: number }>(JOINED_JOBS, [numbers(keys)]) : [];
  for (const { id } of joined) {
    const row = live.get(id);
    if (row) row.flags |= JOINED;
  }
  const answers: CancelAnswer[] = [];
  const changes: { row: LockedRow; change: Transition; i: number }[] = [];
  for (const [i, key] of keys.entries()) {
    const row = live.get(key);
    const jobId = jobIds[i] as string;
    const known = row ?? ended.get(key);
    const { answer, change, asks, givesUpKey } = decideCancellation(known, { jobId, reason, unlessJoined });
    if (givesUpKey) {
      await giveUpKey(core, tx, key);
      ended.set(key, ENDED_CANCELLED);
    }
    answers.push(answer);
    if (row && asks) await askCancel(tx, row, asks);
    if (!row || !change) continue;
    live.delete(key);
    ended.set(key, ENDED_CANCELLED);
    changes.push({ row, change, i });
  }
  const written = await applyAll(core, tx, changes);
  for (const [n, { i }] of changes.entries()) {
    if (!FINISHED.has((written[n] as WrittenAnswer).standing)) answers[i] = { undoing: true };
  }
  return answers;
}

/** A dead letter that kept the jobs behind it waiting. */
async function giveUpKey(core: Core, tx: OwnTransaction, key: number): Promise<void> {
  await tx.run(GIVE_UP, [core.clock.given, key]);
  await leavePlaces(tx, [key]);
  tx.afterCommit(async () => tellOfWork(core));
}
