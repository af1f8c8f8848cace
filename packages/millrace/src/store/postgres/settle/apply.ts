import { type Change, withoutDeadLetter } from "../../../job/lifecycle.ts";
import { CANCELLED, COMPLETED, codeOf, HAS_ATTEMPTS, HAS_UNIQUE_KEY, REJECTED, RUNNING } from "../../codes.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import { HAS_WAITS, WAITING } from "../../waits/codes.ts";
import { wakeLanes } from "../claim/lanes.ts";
import type { Runner } from "../connection/connection.ts";
import { deleteBelongings } from "../control/delete.ts";
import type { Core } from "../core.ts";
import { COLUMNS, type JobRow } from "../read/row.ts";
import type { StageRow } from "../register/names.ts";
import { closeWaits } from "../waits/waits.ts";

const WRITE = `UPDATE millrace.job SET standing = $2, stage = $3, token = token + $4, run_at = $5, attempt = $6, failures = $7,
  failures_total = $8, crashes = $9, failure = $10, held_for = $11, output = $12, flags = $13, updated_at = $14, progress = NULL
  WHERE id = $1`;
const FINISH = `WITH gone AS (DELETE FROM millrace.job WHERE id = $1 RETURNING *)
  INSERT INTO millrace.finished (${COLUMNS}) SELECT id, $3::int, tenant, $2::smallint, priority, $5::bigint, token + $4::bigint, holder, slot,
  $6::int, $7::int, $8::int, $9::int, $13::int, created_at, $14::bigint, started_at, $14::bigint, max_attempts, timeout_ms, expires_at,
  payload, $12::text, $10::text, $11::text, NULL, tags, trace, retry_of, retried_as FROM gone`;
/** A job that was started has no deadline to start by, so its column serves the hold. A claim and a release clear it. */
const SET_HELD_UNTIL = "UPDATE millrace.job SET expires_at = $2 WHERE id = $1";
const DROP = "DELETE FROM millrace.job WHERE id = $1";
const ADD_ATTEMPT = `INSERT INTO millrace.attempt (job, stage, attempt, started_at, ended_at, holder, slot, outcome, failure, beside)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const COUNT_ATTEMPTS = "SELECT count(*)::int AS count FROM millrace.attempt WHERE job = $1";
const DROP_UNIQUE = "DELETE FROM millrace.unique_key WHERE job = $1";
const MOST_DEFERRALS_KEPT = 100;

/** All that follows from what was decided, apart from its lane. */
async function write(core: Core, tx: Runner, row: JobRow, decided: Change, now: number): Promise<SettleAnswer> {
  const stage = stageAfter(core, row, decided);
  const change = withoutDeadLetter(decided, core.names.rules(stage.kind).retention.inputFailures);
  const standing = codeOf[change.standing];
  const wasRunning = row.standing === RUNNING;
  const finished = standing >= COMPLETED;
  const failure = change.failure ? JSON.stringify(change.failure) : null;
  let flags = row.flags;
  if (wasRunning && standing !== COMPLETED && (await recordAttempt(tx, row, change, failure, now)))
    flags |= HAS_ATTEMPTS;
  // What the job waited for is over with its stage.
  if ((finished || change.advance) && flags & HAS_WAITS) {
    await closeWaits(tx, row.id, { mayBeRevived: standing > COMPLETED });
  }
  if (finished) flags &= ~WAITING;
  if (finished && flags & HAS_UNIQUE_KEY) {
    await tx.run(DROP_UNIQUE, [row.id]);
    flags &= ~HAS_UNIQUE_KEY;
  }
  const forgotten = finished && keepsNothing(core, stage, standing);
  if (forgotten) {
    await tx.run(DROP, [row.id]);
    await deleteBelongings(tx, [{ id: row.id, flags }]);
  } else {
    await tx.run(finished ? FINISH : WRITE, [
      row.id,
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
      change.output ?? row.output,
      flags,
      now,
    ]);
  }
  if (change.heldUntil !== undefined) await tx.run(SET_HELD_UNTIL, [row.id, change.heldUntil]);
  return {
    written: "written",
    standing: change.standing,
    ...(change.advance && { nextStage: stage.name }),
    ...(change.runAt !== undefined && { runAt: change.runAt }),
    ...(forgotten && { forgotten }),
  };
}

/**
 * Writes what the lifecycle decided. The caller holds the rows' locks, and the right: their tokens were checked. Of many jobs all
 * travels at once: one by one, 500 took longer on a busy machine than a transaction may, and were tried again and again
 * without end. Their lanes are woken at the end, in one order: two who do that cannot wait for each other.
 */
export async function applyAll(
  core: Core,
  tx: Runner,
  changes: readonly { row: JobRow & { now: number }; change: Change }[],
): Promise<SettleAnswer[]> {
  const settled = await Promise.all(changes.map(({ row, change }) => write(core, tx, row, change, row.now)));
  const ready = changes.filter(({ change }) => change.standing === "ready");
  await wakeLanes(
    tx,
    ready.map(({ row, change }) => ({ stage: stageAfter(core, row, change).id, tenant: row.tenant })),
  );
  return settled;
}

/** A failure stays in view while the job is retried, and goes with success. */
function keptFailure(change: Change, row: JobRow): string | null {
  return change.standing === "cancelled" ? row.failure : null;
}

function stageAfter(core: Core, row: JobRow, change: Change): StageRow {
  if (!change.advance) return core.names.stage(row.stage);
  const { next } = core.names.stage(row.stage);
  if (next === undefined) throw new Error(`stage ${row.stage} has no next one`);
  return core.names.stage(next);
}

/** The attempt that completes a job is the job row itself: one write less on the path that most jobs take. */
async function recordAttempt(
  tx: Runner,
  row: JobRow,
  change: Change,
  failure: string | null,
  now: number,
): Promise<boolean> {
  if (change.outcome === "deferred") {
    const [kept] = await tx.run<{ count: number }>(COUNT_ATTEMPTS, [row.id]);
    if ((kept?.count ?? 0) >= MOST_DEFERRALS_KEPT) return true;
  }
  const { id, stage, attempt, started_at, holder, slot } = row;
  const beside = change.beside ? JSON.stringify(change.beside) : null;
  const ended = [started_at ?? now, now, holder, slot, change.outcome, failure, beside];
  await tx.run(ADD_ATTEMPT, [id, stage, attempt, ...ended]);
  return true;
}

export function keepsNothing(core: Core, stage: StageRow, standing: number): boolean {
  const { finishedMs } = core.names.rules(stage.kind).retention;
  return finishedMs === "none" && (standing === COMPLETED || standing === CANCELLED || standing === REJECTED);
}
