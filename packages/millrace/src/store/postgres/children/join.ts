// Whether a wait for other jobs is over. Most looks find another job open, without a lock. Otherwise the look is repeated under
// the lock of the job that waits, which a revival takes too.

import {
  CANCEL_DEPENDENT,
  CANCEL_OF_WAIT,
  ENDED_CANCELLED,
  ENDED_FAILED,
  FORGOTTEN,
  modeOf,
  RUNS_YET,
} from "../../children/codes.ts";
import { type JoinFacts, joinOf } from "../../decide/children.ts";
import { ANSWERED, DORMANT, OPEN } from "../../waits/codes.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { wake } from "../waits/waits.ts";
import { leaveWork, tellOfWork } from "./queue.ts";

const first = (state: number) =>
  `(SELECT id FROM millrace.edge WHERE wait = asked.id AND state = ${state} ORDER BY wait, state, id LIMIT 1)`;
const LOOK = `SELECT wait.id, wait.job, wait.state, wait.details,
    EXISTS (SELECT 1 FROM millrace.edge WHERE wait = asked.id AND state = ${RUNS_YET}) AS "isOpen",
    ${first(ENDED_FAILED)} AS failed, ${first(ENDED_CANCELLED)} AS cancelled, ${first(FORGOTTEN)} AS forgotten
  FROM unnest($1::bigint[]) AS asked (id)
  JOIN millrace.wait ON wait.id = asked.id AND wait.state IN (${OPEN}, ${DORMANT})`;
const LOCK_LIVE = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = $2 FOR UPDATE`;
const ANSWER = `UPDATE millrace.wait SET state = ${ANSWERED}, answered_at = $2, source = $3
  WHERE id = $1 AND state IN (${OPEN}, ${DORMANT})`;

interface SeenWait extends JoinFacts {
  id: number;
  job: number;
  state: number;
  details: string | null;
}

export async function joinWaits(core: Core, waits: readonly number[]): Promise<void> {
  if (waits.length === 0) return;
  for (const seen of await look(core.connections.write, waits)) {
    if (joinOf(modeOf(seen.details), seen) !== "open") {
      const isWoken = await core.connections.write.transact((tx) => answer(core, tx, seen));
      if (isWoken) tellOfWork(core);
    }
  }
}

function look(db: StatementRunner, waits: readonly number[]): Promise<SeenWait[]> {
  return db.run<SeenWait>(LOOK, [numbers(waits)]);
}

/** True: the job was woken. */
async function answer(core: Core, tx: OwnTransaction, { id, job }: SeenWait): Promise<boolean> {
  const [row] = await tx.run<LockedRow>(LOCK_LIVE, [core.clock.given, job]);
  const [wait] = await look(tx, [id]);
  const join = wait && joinOf(modeOf(wait.details), wait);
  // The wait of a job that has ended is answered too, because a revival of the job begins it again.
  if (!wait || join === undefined || join === "open") return false;
  const now = row?.now ?? core.clock.now();
  if (join === "hopeless") {
    if (row) await leaveWork(core, tx, { what: CANCEL_DEPENDENT, refs: [row.id], now });
    return false;
  }
  const failed = typeof join === "object" ? join.failed : null;
  await tx.run(ANSWER, [id, now, failed]);
  if (failed !== null) await leaveWork(core, tx, { what: CANCEL_OF_WAIT, refs: [id], now });
  return row !== undefined && wait.state === OPEN && (await wake(tx, row));
}
