// Hands the signals of callers' transactions to their jobs:
//
//   signal_caller  --(the transaction commits)-->  visible  --(under the lock of the job's row)-->  signal: queued or set aside
//
// A process that knows of the commit delivers at once. Each second every process looks for the others, so a process that dies after its
// commit leaves nothing behind.

import { IS_SUCCESSOR } from "../../children/codes.ts";
import { type CommittedSignal, type DeliveredSignal, deliveredSignals } from "../../decide/signals.ts";
import { HAS_SIGNALS, QUEUED, SET_ASIDE } from "../../waits/codes.ts";
import { tellOfWork } from "../children/queue.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { answerAndWake } from "./waits.ts";

/** Jobs of one look. Others are left to the next. */
const MOST_JOBS = 500;

const WITH_SIGNALS = `SELECT DISTINCT job FROM millrace.signal_caller ORDER BY job LIMIT ${MOST_JOBS}`;
// The beat of a process must not wait for a transaction that holds the job. The next look finds the signal again.
const LOCK_FREE = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = $2 FOR UPDATE SKIP LOCKED`;
const IS_LIVE = "SELECT id FROM millrace.job WHERE id = $1";
const ADD_FLAG = `UPDATE millrace.job SET flags = flags | ${HAS_SIGNALS} WHERE id = $1`;
// It locks the row, so that the signals are stored before the job is pruned, or not at all.
const ADD_FLAG_ENDED = `UPDATE millrace.finished SET flags = flags | ${HAS_SIGNALS} WHERE id = $1 RETURNING standing`;
// A job that continued as new is completed, and its successor goes on in its place.
const PASS_ON = `UPDATE millrace.signal_caller SET job = successor.id
  FROM millrace.finished JOIN (
    SELECT id, flags FROM millrace.job UNION ALL SELECT id, flags FROM millrace.finished
  ) AS successor ON successor.id = finished.retried_as AND successor.flags & ${IS_SUCCESSOR} <> 0
  WHERE finished.id = $1 AND signal_caller.job = finished.id
  RETURNING successor.id`;
const TAKE_OUT = `DELETE FROM millrace.signal_caller WHERE job = $1 RETURNING id, name, value, at, sent_by AS by, key`;
const COUNT = `SELECT count(*)::int AS count FROM millrace.signal WHERE job = $1 AND state = ${QUEUED}`;
const USED_KEYS = "SELECT key FROM millrace.signal WHERE job = $1 AND key = ANY($2::text[])";
const ADD = `INSERT INTO millrace.signal (job, name, value, at, sent_by, key, state, reason)
  SELECT $1::bigint, name, value, at, sent_by, key, CASE WHEN reason IS NULL THEN ${QUEUED} ELSE ${SET_ASIDE} END, reason
  FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[])
    WITH ORDINALITY AS sent (name, value, at, sent_by, key, reason, n)
  ORDER BY n`;

/** Delivers what has been committed and is not delivered yet, by any process. */
export async function deliverSignals(core: Core): Promise<void> {
  const found = await core.connections.write.run<{ job: number }>(WITH_SIGNALS);
  let isDelivered = false;
  for (const { job } of found) if (await deliverTo(core, job)) isDelivered = true;
  if (isDelivered) tellOfWork(core);
}

/** Delivers to one job. False: nothing is committed for it, or another transaction holds it. */
export async function deliverTo(core: Core, job: number): Promise<boolean> {
  return core.connections.write.transact((tx) => deliverWithin(core, tx, job));
}

async function deliverWithin(core: Core, tx: StatementRunner, job: number): Promise<boolean> {
  const [row] = await tx.run<LockedRow>(LOCK_FREE, [core.clock.given, job]);
  if (row) {
    const added = await takeOver(tx, job, row.standing);
    if (added.length === 0) return false;
    await tx.run(ADD_FLAG, [job]);
    await answerAndWake(tx, { ...row, flags: row.flags | HAS_SIGNALS });
    return true;
  }
  if ((await tx.run(IS_LIVE, [job])).length > 0) return false;
  const [passedOn] = await tx.run<{ id: number }>(PASS_ON, [job]);
  if (passedOn) return deliverWithin(core, tx, passedOn.id);
  const [ended] = await tx.run<{ standing: number }>(ADD_FLAG_ENDED, [job]);
  if (ended) await takeOver(tx, job, ended.standing);
  // The job is deleted, and its signals with it.
  else await tx.run(TAKE_OUT, [job]);
  return false;
}

/** Moves the signals of a job to where its waits find them. The caller holds the lock of the job's row. */
async function takeOver(tx: StatementRunner, job: number, standing: number): Promise<DeliveredSignal[]> {
  const signals = await tx.run<CommittedSignal>(TAKE_OUT, [job]);
  if (signals.length === 0) return [];
  const [count] = await tx.run<{ count: number }>(COUNT, [job]);
  const keys = signals.flatMap(({ key }) => key ?? []);
  const used = keys.length > 0 ? await tx.run<{ key: string }>(USED_KEYS, [job, texts(keys)]) : [];
  const usedKeys = used.map(({ key }) => key);
  const added = deliveredSignals({ standing, queued: count?.count ?? 0, usedKeys }, signals);
  if (added.length > 0) await add(tx, job, added);
  return added;
}

async function add(tx: StatementRunner, job: number, added: readonly DeliveredSignal[]): Promise<void> {
  await tx.run(ADD, [
    job,
    texts(added.map(({ name }) => name)),
    texts(added.map(({ value }) => value)),
    numbers(added.map(({ at }) => at)),
    texts(added.map(({ by }) => by)),
    texts(added.map(({ key }) => key)),
    texts(added.map(({ reason }) => reason)),
  ]);
}
