// Writes a settlement. What it holds is decided in ../../decide/settlement.ts.

import type { Transition } from "../../../job/lifecycle.ts";
import { HAS_LARGE_RESULT } from "../../codes.ts";
import type { KeyChange } from "../../decide/attempt/keys.ts";
import { type AttemptRecord, countsAttempts, decideSettlement, type WrittenAnswer } from "../../decide/settlement.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { SETTLED_COLUMNS, type SettledColumns } from "../../rows/settled-columns.ts";
import { endLinks } from "../children/edges.ts";
import { deleteRow } from "../control/delete.ts";
import type { Core } from "../core.ts";
import { dropFollower, passOnKey } from "../followers/follower.ts";
import { wakeSharers } from "../keys/room.ts";
import { dropResultBody, IN_ROW_CHARS, putResultBody } from "../read/row.ts";
import { restartStreams } from "../streams/restart.ts";
import { undoDecision } from "../waits/undo.ts";
import { closeWaits } from "../waits/waits.ts";

const WRITE = `UPDATE job SET ${SETTLED_COLUMNS.map((name) => `${name} = ?`).join(", ")}, token = token + ? WHERE id = ?`;
const ADD_ATTEMPT = `INSERT INTO attempt (job, stage, attempt, started_at, ended_at, holder, slot, outcome, failure, beside)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const COUNT_ATTEMPTS = "SELECT count(*) AS count FROM attempt WHERE job = ?";

/** Writes what the lifecycle decided, with all that follows from it. The caller holds the right: its token was checked. */
export function apply(core: Core, row: JobRow, change: Transition, now: number): WrittenAnswer {
  const recordedAttempts = countsAttempts({ row, change }) ? countAttempts(core, row.id) : 0;
  const undo = undoDecision(core, row, change, now);
  const settlement = decideSettlement({ row, change, now, recordedAttempts, undo }, core.names);
  const { stage, columns, attempt, waitState } = settlement;
  if (attempt) addAttempt(core, attempt);
  if (waitState !== undefined) closeWaits(core, row.id, waitState);
  if (settlement.restartsStreams) restartStreams(core, row);
  if (settlement.dropsUniqueKey) passOnKey(core, row.id, now);
  if (settlement.key !== "none") changePlace(core, row.id, settlement.key);
  if (settlement.dropsFollower) dropFollower(core, row.id);
  if (settlement.isForgotten) {
    deleteRow(core, { ...row, flags: columns.flags });
  } else {
    write(core, row, columns, settlement.outdatesLease);
    core.counts.leave(row.stage, row.tenant, row.standing);
    core.counts.enter(stage.id, row.tenant, columns.standing);
  }
  if (settlement.endsLease) {
    core.leaseEnds(row.id);
    wakeSharers(core, stage.kind);
  }
  if (settlement.isFinished) endLinks(core, row, columns.standing, now);
  return settlement.answer;
}

function changePlace(core: Core, job: number, change: Exclude<KeyChange, "none">): void {
  if (change === "leaves") core.places.leave(job);
  else core.places.arrive(job);
}

function write(core: Core, row: JobRow, settled: SettledColumns, outdatesLease: boolean): void {
  const columns = settled.output === row.output ? settled : withResult(core, row, settled, settled.output ?? "");
  const values: (string | number | null)[] = [];
  for (const name of SETTLED_COLUMNS) values.push(columns[name]);
  core.statement(WRITE).run(...values, outdatesLease ? 1 : 0, row.id);
}

/** A result that is too long for the row goes to a table of its own. */
function withResult(core: Core, row: JobRow, columns: SettledColumns, result: string): SettledColumns {
  if (result.length > IN_ROW_CHARS) {
    putResultBody(core, row.id, result);
    return { ...columns, output: null, flags: columns.flags | HAS_LARGE_RESULT };
  }
  if (row.flags & HAS_LARGE_RESULT) dropResultBody(core, row.id);
  return { ...columns, flags: columns.flags & ~HAS_LARGE_RESULT };
}

function countAttempts(core: Core, job: number): number {
  return (core.statement(COUNT_ATTEMPTS).get(job) as { count: number }).count;
}

function addAttempt(core: Core, record: AttemptRecord): void {
  const { job, stage, attempt, started_at, ended_at, holder, slot, outcome, failure, beside } = record;
  core.statement(ADD_ATTEMPT).run(job, stage, attempt, started_at, ended_at, holder, slot, outcome, failure, beside);
}
