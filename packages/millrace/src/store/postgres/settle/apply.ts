// Writes settlements. What each holds is decided in ../../decide/settlement.ts.

import type { Transition } from "../../../job/lifecycle.ts";
import { valuesOf } from "../../columns/column.ts";
import { JOB_COLUMNS, jobColumns } from "../../columns/job-columns.ts";
import {
  type AttemptRecord,
  countsAttempts,
  decideSettlement,
  isLinked,
  type Settlement,
  type WrittenAnswer,
} from "../../decide/settlement.ts";
import { SETTLED_COLUMNS, type SettledColumn, type SettledColumns } from "../../rows/settled-columns.ts";
import { endLinks } from "../children/edges.ts";
import { tellOfWork } from "../children/queue.ts";
import { type Lane, wakeLanes } from "../claim/lanes.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import { deleteBelongings } from "../control/delete.ts";
import type { Core } from "../core.ts";
import { dropFollower, passOnKey, type StartedFollower } from "../followers/follower.ts";
import { leavePlaces } from "../keys/places.ts";
import { isShared } from "../keys/room.ts";
import { COLUMNS, type LockedRow } from "../read/row.ts";
import { restartStreams } from "../streams/restart.ts";
import { undoDecision } from "../waits/undo.ts";
import { closeWaits } from "../waits/waits.ts";

type WriteParameters = SettledColumns & { id: number; outdated: number };

const parameterOf = (name: SettledColumn) => `:${name}::${JOB_COLUMNS[name].type}`;
const SETTLED_VALUES = Object.fromEntries(SETTLED_COLUMNS.map((name) => [name, parameterOf(name)]));

const WRITE = statement<WriteParameters>(`UPDATE millrace.job
  SET ${SETTLED_COLUMNS.map((name) => `${name} = ${parameterOf(name)}`).join(",\n    ")},
    token = token + :outdated
  WHERE id = :id`);
const FINISH = statement<WriteParameters>(`WITH gone AS (
    DELETE FROM millrace.job
    WHERE id = :id
    RETURNING *
  )
  INSERT INTO millrace.finished (${COLUMNS})
  SELECT ${valuesOf(jobColumns(), { ...SETTLED_VALUES, token: "token + :outdated::bigint" })}
  FROM gone`);
const DROP = statement<{ id: number }>("DELETE FROM millrace.job WHERE id = :id");
const ADD_ATTEMPT = statement<AttemptRecord>(`INSERT INTO millrace.attempt
    (job, stage, attempt, started_at, ended_at, holder, slot, outcome, failure, beside)
  VALUES (:job, :stage, :attempt, :started_at, :ended_at, :holder, :slot, :outcome, :failure, :beside)`);
const COUNT_ATTEMPTS = statement<{ job: number }>(`SELECT count(*)::int AS count
  FROM millrace.attempt
  WHERE job = :job`);

export interface RowChange {
  readonly row: LockedRow;
  readonly change: Transition;
}

/**
 * Writes what the lifecycle decided. The caller holds the rows' locks, and the right: their tokens were checked. The statements of
 * all jobs travel at once: one by one, 500 jobs took longer on a busy machine than a transaction may, and were tried again
 * without end. Their lanes are woken at the end, in one order, so that two transactions cannot wait for each other.
 * `otherLanes`: the lanes of jobs that the same transaction stores later.
 */
export async function applyAll(
  core: Core,
  tx: OwnTransaction,
  changes: readonly RowChange[],
  otherLanes: readonly Lane[] = [],
): Promise<WrittenAnswer[]> {
  const applied = await Promise.all(changes.map((change) => apply(core, tx, change)));
  const settled = applied.map(({ settlement }) => settlement);
  const ended = settled.flatMap(({ isFinished, columns }, i) => {
    const { row } = changes[i] as RowChange;
    return isFinished && isLinked(row) ? [{ ...row, standing: columns.standing }] : [];
  });
  if (ended.length > 0) await endLinks(core, tx, ended, ended[0]?.now as number);
  const lanes = settled.flatMap(({ stage, answer }, i) =>
    answer.standing === "ready" ? [{ stage: stage.id, tenant: (changes[i] as RowChange).row.tenant }] : [],
  );
  const lanesOfFollowers = applied.flatMap(({ follower }) => follower?.lane ?? []);
  await wakeLanes(tx, [...lanes, ...lanesOfFollowers, ...otherLanes]);
  const leaving = settled.flatMap(({ key }, i) => (key === "leaves" ? [(changes[i] as RowChange).row.id] : []));
  const hasLeft = await leavePlaces(tx, leaving);
  if (
    hasLeft ||
    applied.some(({ follower }) => follower) ||
    settled.some(({ endsLease, key, stage }) => key === "arrives" || (endsLease && isSharedBy(core, stage.kind)))
  ) {
    tx.afterCommit(async () => tellOfWork(core));
  }
  return settled.map(({ answer }) => answer);
}

/** Whether its end makes room for jobs that other pools look for. */
function isSharedBy(core: Core, kind: number): boolean {
  return isShared(core.names.rules(kind).concurrency);
}

interface Application {
  settlement: Settlement;
  /** The follower that is due now, because the job has ended. */
  follower: StartedFollower | undefined;
}

async function apply(core: Core, tx: StatementRunner, { row, change }: RowChange): Promise<Application> {
  const recordedAttempts = countsAttempts({ row, change }) ? await countAttempts(tx, row.id) : 0;
  const undo = await undoDecision(tx, row, change);
  if (undo) await core.names.knowStages([undo.stage]);
  const settlement = decideSettlement({ row, change, now: row.now, recordedAttempts, undo }, core.names);
  const { columns, attempt, waitState } = settlement;
  if (attempt) await tx.run(...ADD_ATTEMPT(attempt));
  if (waitState !== undefined) await closeWaits(tx, row.id, waitState);
  if (settlement.restartsStreams) await restartStreams(core, tx, row);
  const follower = settlement.dropsUniqueKey ? await passOnKey(tx, row.id, row.now) : undefined;
  if (settlement.dropsFollower) await dropFollower(tx, row.id);
  if (settlement.isForgotten) {
    await tx.run(...DROP({ id: row.id }));
    await deleteBelongings(tx, [{ id: row.id, flags: columns.flags }]);
  } else {
    const write = settlement.isFinished ? FINISH : WRITE;
    await tx.run(...write({ ...columns, id: row.id, outdated: settlement.outdatesLease ? 1 : 0 }));
  }
  return { settlement, follower };
}

async function countAttempts(tx: StatementRunner, job: number): Promise<number> {
  const [recorded] = await tx.run<{ count: number }>(...COUNT_ATTEMPTS({ job }));
  return recorded?.count ?? 0;
}
