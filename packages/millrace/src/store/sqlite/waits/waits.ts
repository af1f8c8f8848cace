// How a job waits. It stands scheduled until the earliest end of its waits, and an answer makes it ready before that. So a
// sleep costs what a scheduled job costs, and a claim never looks at a job that waits.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { isLateCall, LATE_CALL, type NewWait, type StoredType, type StoredWait } from "../../../job/wait.ts";
import { CANCEL_OF_WAIT } from "../../children/codes.ts";
import { READY, SCHEDULED } from "../../codes.ts";
import {
  answersOf,
  type FittingEvent,
  firstEnd,
  notReached,
  type OpenWait,
  type QueuedSignal,
  waitStart,
} from "../../decide/waits.ts";
import { needsKey } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { storedWaitOf, WAIT_COLUMNS, type WaitRow } from "../../rows/wait-rows.ts";
import {
  ANSWERED,
  CLOSED,
  DORMANT,
  HAS_SIGNALS,
  HAS_WAITS,
  OPEN,
  QUEUED,
  SET_ASIDE,
  TAKEN,
  TIMED_OUT,
  WAITING,
  wokenRunAt,
} from "../../waits/codes.ts";
import { leaveWork } from "../children/queue.ts";
import type { Core } from "../core.ts";
import { addFlag, heldRow } from "../settle/belongings.ts";
import { fittingEvent } from "./fitting-event.ts";

const START = `INSERT INTO wait (job, stage, type, name, state, since, until, tenant, topic, match_keys, match_hash,
    published_since, details)
  VALUES (?, ?, ?, ?, ${OPEN}, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (job, stage, type, name) DO UPDATE SET state = ${OPEN} WHERE state = ${DORMANT}`;
const DROP_LATE_CALLS = `DELETE FROM wait WHERE job = ? AND type = '${LATE_CALL}'`;
const OPEN_WAITS = `SELECT id, type, name, until FROM wait WHERE job = ? AND state = ${OPEN} ORDER BY id`;
const REST = `UPDATE wait SET state = ${DORMANT} WHERE id = ?`;
const ANSWER = "UPDATE wait SET state = ?, value = ?, answered_at = ?, source = ? WHERE id = ?";
const OF_STAGE = `SELECT ${WAIT_COLUMNS}
  FROM wait WHERE job = ? AND stage = ? ORDER BY id`;
const ONE = `SELECT id, source, state FROM wait WHERE job = ? AND stage = ? AND type = ? AND name = ?`;
const REOPEN = `UPDATE wait SET state = ${OPEN}, value = NULL, answered_at = NULL, source = NULL WHERE id = ?`;
const CLOSE = `UPDATE wait SET state = ${CLOSED}, source = NULL, value = NULL WHERE id = ?`;
const ADD_CLOSED = `INSERT INTO wait (job, stage, type, name, state, since, tenant) VALUES (?, ?, ?, ?, ${CLOSED}, ?, ?)`;
const ADD_RACE = `INSERT INTO wait (job, stage, type, name, state, since, tenant, value, answered_at)
  VALUES (?1, ?2, 'race', ?3, ${ANSWERED}, ?5, ?6, ?4, ?5) ON CONFLICT (job, stage, type, name) DO NOTHING`;
const CLOSE_ALL = `UPDATE wait SET state = ? WHERE job = ? AND state IN (${OPEN}, ${DORMANT})`;
const QUEUED_SIGNALS = `SELECT id, name, value FROM signal WHERE job = ? AND state = ${QUEUED} ORDER BY id`;
const SET_SIGNAL = "UPDATE signal SET state = ?, reason = ? WHERE id = ?";
const WAKE = `UPDATE job SET standing = ${READY}, run_at = ?, updated_at = ?, flags = flags & ~${WAITING} WHERE id = ?`;
const WAKE_KEYED = `UPDATE job SET run_at = ?, updated_at = ?, flags = flags & ~${WAITING} WHERE id = ?`;

/** Stores the starts of waits. A wait that is stored already keeps its start. */
export function startWaits(core: Core, row: JobRow, waits: readonly NewWait[], now: number): void {
  for (const wait of waits) {
    const { until, topic, match_keys, match_hash, published_since, details } = waitStart(wait, {
      submittedAt: row.created_at,
      now,
    });
    const event = [topic, match_keys, match_hash, published_since] as const;
    core.statement(START).run(row.id, row.stage, wait.type, wait.name, now, until, row.tenant, ...event, details);
  }
  if (waits.length > 0) addFlag(core, row, HAS_WAITS);
}

/** Stores the waits of an attempt that waits for nothing else. Returns true if one of them is answered already. */
export function restFor(core: Core, row: JobRow, waits: readonly NewWait[], now: number): boolean {
  startWaits(core, row, waits, now);
  for (const { id } of notReached(openWaits(core, row.id), waits)) core.statement(REST).run(id);
  answerOpen(core, row, now);
  return openWaits(core, row.id).length < waits.length;
}

/** When the job is due at the latest, by its open waits. */
export function nextEnd(core: Core, job: number): number | undefined {
  return firstEnd(openWaits(core, job));
}

/** At the start of an attempt: ends what is over, hands out what is queued, and reads all waits of the stage. */
export function resume(core: Core, lease: Lease): StoredWait[] | "lease-lost" {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  answerOpen(core, row, core.clock.now());
  const waits = storedWaits(core, row);
  // A late call is answered by the attempt that starts now.
  if (waits.some(isLateCall)) core.statement(DROP_LATE_CALLS).run(row.id);
  return waits;
}

/** No wait is open and no call came late, as after most waits: there is nothing to write. */
export function idleResume(core: Core, lease: Lease): { answer: StoredWait[] | "lease-lost" } | undefined {
  const row = heldRow(core, lease);
  if (!row) return { answer: "lease-lost" };
  const waits = storedWaits(core, row);
  const isIdle = openWaits(core, row.id).length === 0 && !waits.some(isLateCall);
  return isIdle ? { answer: waits } : undefined;
}

/** Gives answers to the open waits of a job. True: at least one got its answer. */
export function answerOpen(core: Core, row: Pick<JobRow, "id" | "flags" | "tenant">, now: number): boolean {
  const waits = openWaits(core, row.id);
  if (waits.length === 0) return false;
  const signals =
    row.flags & HAS_SIGNALS ? (core.statement(QUEUED_SIGNALS).all(row.id) as unknown as QueuedSignal[]) : [];
  const events = waits.flatMap((wait): FittingEvent[] => {
    const event = wait.type === "event" ? fittingEvent(core, wait.id, now) : undefined;
    return event ? [event] : [];
  });
  const answers = answersOf({ waits, signals, events, now });
  for (const answer of answers) {
    if (answer.type === "timed-out") {
      core.statement(ANSWER).run(TIMED_OUT, null, now, null, answer.wait);
      continue;
    }
    core.statement(ANSWER).run(ANSWERED, answer.value, now, answer.source, answer.wait);
    if (answer.type === "signal") core.statement(SET_SIGNAL).run(TAKEN, null, answer.source);
  }
  return answers.length > 0;
}

/** Makes a waiting job ready. A job that runs or is ready finds its answers by itself. */
export function wake(
  core: Core,
  row: Pick<JobRow, "id" | "stage" | "tenant" | "standing" | "flags">,
  now: number,
): boolean {
  if (row.standing !== SCHEDULED || !(row.flags & WAITING)) return false;
  if (needsKey(row.flags)) {
    core.statement(WAKE_KEYED).run(wokenRunAt(now), now, row.id);
    core.places.arrive(row.id);
    return false;
  }
  core.statement(WAKE).run(wokenRunAt(now), now, row.id);
  core.counts.move(row.stage, row.tenant, SCHEDULED, READY);
  return true;
}

/** The value of a signal does not fit the wait, so the wait goes on, with the next signal if there is one. */
export function setAside(core: Core, lease: Lease, name: string, reason: string): StoredWait | "lease-lost" {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  const wait = findWait(core, row, { type: "signal", name });
  if (!wait) throw new Error(`the wait ${name} is not in the store`);
  if (wait.source !== null) core.statement(SET_SIGNAL).run(SET_ASIDE, reason, wait.source);
  core.statement(REOPEN).run(wait.id);
  answerOpen(core, row, core.clock.now());
  return storedWaits(core, row).find((each) => each.type === "signal" && each.name === name) as StoredWait;
}

/** A signal that a losing wait had taken goes back to its queue: a closed wait takes none. */
export function decideRace(
  core: Core,
  lease: Lease,
  race: { name: string; value: string; closes: { type: StoredType; name: string }[] },
): WriteAnswer {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  const now = core.clock.now();
  core.statement(ADD_RACE).run(row.id, row.stage, race.name, race.value, now, row.tenant);
  for (const closed of race.closes) {
    const wait = findWait(core, row, closed);
    if (!wait) {
      core.statement(ADD_CLOSED).run(row.id, row.stage, closed.type, closed.name, now, row.tenant);
      continue;
    }
    if (closed.type === "signal" && wait.source !== null) core.statement(SET_SIGNAL).run(QUEUED, null, wait.source);
    core.statement(CLOSE).run(wait.id);
    if (closed.type === "children") leaveWork(core, CANCEL_OF_WAIT, wait.id);
  }
  addFlag(core, row, HAS_WAITS);
  return "written";
}

/** Gives the unanswered waits of a job this state, because its stage or the job is over. */
export function closeWaits(core: Core, job: number, state: number): void {
  core.statement(CLOSE_ALL).run(state, job);
}

/** A wait of the stage by its name. */
export function storedWait(
  core: Core,
  row: JobRow,
  { type, name }: { type: StoredType; name: string },
): StoredWait | undefined {
  return storedWaits(core, row).find((each) => each.type === type && each.name === name);
}

function storedWaits(core: Core, row: JobRow): StoredWait[] {
  return (core.statement(OF_STAGE).all(row.id, row.stage) as unknown as WaitRow[]).map(storedWaitOf);
}

function findWait(
  core: Core,
  row: JobRow,
  { type, name }: { type: StoredType; name: string },
): { id: number; source: number | null; state: number } | undefined {
  return core.statement(ONE).get(row.id, row.stage, type, name) as
    | { id: number; source: number | null; state: number }
    | undefined;
}

function openWaits(core: Core, job: number): OpenWait[] {
  return core.statement(OPEN_WAITS).all(job) as unknown as OpenWait[];
}
