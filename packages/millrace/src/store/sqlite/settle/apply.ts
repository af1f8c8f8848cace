import { type Change, withoutDeadLetter } from "../../../job/lifecycle.ts";
import {
  CANCELLED,
  COMPLETED,
  codeOf,
  HAS_ATTEMPTS,
  HAS_LARGE_OUTPUT,
  HAS_UNIQUE_KEY,
  REJECTED,
  RUNNING,
} from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import { HAS_WAITS, WAITING } from "../../waits/codes.ts";
import { deleteRow } from "../control/delete.ts";
import type { Core } from "../core.ts";
import { dropOutputBody, IN_ROW_CHARS, putOutputBody } from "../read/row.ts";
import type { StageRow } from "../register/names.ts";
import { closeWaits } from "../waits/waits.ts";

const WRITE = `UPDATE job SET standing = ?, stage = ?, token = token + ?, run_at = ?, attempt = ?, failures = ?, failures_total = ?,
  crashes = ?, failure = ?, held_for = ?, output = ?, flags = ?, finished_at = ?, updated_at = ?, progress = NULL WHERE id = ?`;
/** A job that was started has no deadline to start by, so its column serves the hold. A claim and a release clear it. */
const SET_HELD_UNTIL = "UPDATE job SET expires_at = ? WHERE id = ?";
const ADD_ATTEMPT = `INSERT INTO attempt (job, stage, attempt, started_at, ended_at, holder, slot, outcome, failure, beside)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const COUNT_ATTEMPTS = "SELECT count(*) AS count FROM attempt WHERE job = ?";
const DROP_UNIQUE = "DELETE FROM unique_key WHERE job = ?";
const MOST_DEFERRALS_KEPT = 100;

/** Writes what the lifecycle decided, with all that follows from it. The caller holds the right: its token was checked. */
export function apply(core: Core, row: JobRow, decided: Change, now: number): SettleAnswer {
  const stage = decided.advance ? nextStage(core, row) : core.names.stage(row.stage);
  const change = withoutDeadLetter(decided, core.names.rules(stage.kind).retention.inputFailures);
  const standing = codeOf[change.standing];
  const wasRunning = row.standing === RUNNING;
  const finished = standing >= COMPLETED;
  let flags = row.flags;
  let { output } = row;
  if (change.output !== undefined) {
    const large = change.output.length > IN_ROW_CHARS;
    output = large ? null : change.output;
    flags = large ? flags | HAS_LARGE_OUTPUT : flags & ~HAS_LARGE_OUTPUT;
    if (large) putOutputBody(core, row.id, change.output);
    else if (row.flags & HAS_LARGE_OUTPUT) dropOutputBody(core, row.id);
  }
  const failure = change.failure ? JSON.stringify(change.failure) : null;
  if (wasRunning && standing !== COMPLETED && recordAttempt(core, row, change, failure, now)) flags |= HAS_ATTEMPTS;
  // What the job waited for is over with its stage.
  if ((finished || change.advance) && flags & HAS_WAITS)
    closeWaits(core, row.id, { mayBeRevived: standing > COMPLETED });
  if (finished) flags &= ~WAITING;
  if (finished && flags & HAS_UNIQUE_KEY) {
    core.statement(DROP_UNIQUE).run(row.id);
    flags &= ~HAS_UNIQUE_KEY;
  }
  core.statement(WRITE).run(
    standing,
    stage.id,
    // Ending a lease from outside must outdate it; a settle by its holder leaves the token to the next claim.
    change.outcome === "cancelled" || change.outcome === "abandoned" ? 1 : 0,
    change.runAt ?? row.run_at,
    change.advance ? 0 : row.attempt,
    change.failures,
    change.failuresTotal,
    change.crashes,
    failure ?? (finished || change.advance ? keptFailure(change, row) : row.failure),
    change.waitsFor ?? null,
    output,
    flags,
    finished ? now : null,
    now,
    row.id,
  );
  if (change.heldUntil !== undefined) core.statement(SET_HELD_UNTIL).run(change.heldUntil, row.id);
  core.counts.leave(row.stage, row.tenant, row.standing);
  core.counts.enter(stage.id, row.tenant, standing);
  if (wasRunning) core.leaseEnds(row.id);
  const forgotten = finished && keepsNothing(core, stage, standing);
  if (forgotten) deleteRow(core, { ...row, standing, stage: stage.id, flags });
  return {
    written: "written",
    standing: change.standing,
    ...(change.advance && { nextStage: stage.name }),
    ...(change.runAt !== undefined && { runAt: change.runAt }),
    ...(forgotten && { forgotten }),
  };
}

/** A failure stays in view while the job is retried, and goes with success. */
function keptFailure(change: Change, row: JobRow): string | null {
  return change.standing === "cancelled" ? row.failure : null;
}

function nextStage(core: Core, row: JobRow): StageRow {
  const { next } = core.names.stage(row.stage);
  if (next === undefined) throw new Error(`stage ${row.stage} has no next one`);
  return core.names.stage(next);
}

/** The attempt that completes a job is the job row itself: one write less on the path that most jobs take. */
function recordAttempt(core: Core, row: JobRow, change: Change, failure: string | null, now: number): boolean {
  if (change.outcome === "deferred") {
    const { count } = core.statement(COUNT_ATTEMPTS).get(row.id) as { count: number };
    if (count >= MOST_DEFERRALS_KEPT) return count > 0;
  }
  const { id, stage, attempt, started_at, holder, slot } = row;
  const beside = change.beside ? JSON.stringify(change.beside) : null;
  const ended = [started_at ?? now, now, holder, slot, change.outcome, failure, beside] as const;
  core.statement(ADD_ATTEMPT).run(id, stage, attempt, ...ended);
  return true;
}

function keepsNothing(core: Core, stage: StageRow, standing: number): boolean {
  const { finishedMs } = core.names.rules(stage.kind).retention;
  return finishedMs === "none" && (standing === COMPLETED || standing === CANCELLED || standing === REJECTED);
}
