// How a job waits, parallel to SQLite's. Everything that answers a wait holds the lock of the job's row, so an answer is given
// once. Events have no row in common with the jobs that wait for them: see events.ts.

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
  type WaitAnswer,
  waitStart,
} from "../../decide/waits.ts";
import { needsKey } from "../../keys/codes.ts";
import { storedWaitOf, WAIT_COLUMNS, type WaitRow } from "../../rows/wait-rows.ts";
import type { DecidedRace } from "../../verbs/waits.ts";
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
import { wakeLanes } from "../claim/lanes.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import { lockShared } from "../connection/locks.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { type LockedRow, RUNS } from "../read/row.ts";
import { moveToTwin, readyTwins } from "../register/twin.ts";
import { fittingEvent, topicLock } from "./fitting-event.ts";

const LOCK_HELD = `SELECT *, ${NOW} AS now, set_config('synchronous_commit', $2, true)
  FROM millrace.job
  WHERE id = $3 AND token = $4 AND ${RUNS}
  FOR NO KEY UPDATE`;
const START = `INSERT INTO millrace.wait AS known (job, stage, type, name, state, since, until, tenant, topic, match_keys, match_hash,
    published_since, details)
  VALUES ($1, $2, $3, $4, ${OPEN}, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (job, stage, type, name) DO UPDATE SET state = ${OPEN} WHERE known.state = ${DORMANT}`;
const READ_LOCKED = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = $2`;
const DROP_LATE_CALLS = `DELETE FROM millrace.wait WHERE job = $1 AND type = '${LATE_CALL}'`;
const OPEN_WAITS = `SELECT id, type, name, until FROM millrace.wait WHERE job = $1 AND state = ${OPEN} ORDER BY id`;
const REST = `UPDATE millrace.wait SET state = ${DORMANT} WHERE id = $1`;
const ANSWER = "UPDATE millrace.wait SET state = $2, value = $3, answered_at = $4, source = $5 WHERE id = $1";
const OF_STAGE = `SELECT ${WAIT_COLUMNS}
  FROM millrace.wait
  WHERE job = $1 AND stage = $2
  ORDER BY id`;
// Without a wait, one row says that the lease holds.
const LOOK_HELD = statement<{ key: number; token: number }>(`SELECT "hasOpen", stored.*
  FROM (
    SELECT id, stage, EXISTS (SELECT 1 FROM millrace.wait WHERE wait.job = job.id AND state = ${OPEN}) AS "hasOpen"
    FROM millrace.job
    WHERE id = :key AND token = :token AND ${RUNS}
  ) AS held
  LEFT JOIN LATERAL (
    SELECT id AS number, ${WAIT_COLUMNS}
    FROM millrace.wait
    WHERE wait.job = held.id AND wait.stage = held.stage
  ) AS stored ON true
  ORDER BY number`);
const ONE = "SELECT id, source, state FROM millrace.wait WHERE job = $1 AND stage = $2 AND type = $3 AND name = $4";
const REOPEN = `UPDATE millrace.wait SET state = ${OPEN}, value = NULL, answered_at = NULL, source = NULL WHERE id = $1`;
const CLOSE = `UPDATE millrace.wait SET state = ${CLOSED}, source = NULL, value = NULL WHERE id = $1`;
const ADD_CLOSED = `INSERT INTO millrace.wait (job, stage, type, name, state, since, tenant)
  VALUES ($1, $2, $3, $4, ${CLOSED}, $5, $6)`;
const ADD_RACE = `INSERT INTO millrace.wait (job, stage, type, name, state, since, tenant, value, answered_at)
  VALUES ($1, $2, 'race', $3, ${ANSWERED}, $5, $6, $4, $5)
  ON CONFLICT (job, stage, type, name) DO NOTHING`;
const CLOSE_ALL = `UPDATE millrace.wait SET state = $2 WHERE job = $1 AND state IN (${OPEN}, ${DORMANT})`;
const QUEUED_SIGNALS = `SELECT id, name, value FROM millrace.signal WHERE job = $1 AND state = ${QUEUED} ORDER BY id`;
const SET_SIGNAL = "UPDATE millrace.signal SET state = $2, reason = $3 WHERE id = $1";
const WAKE = `UPDATE millrace.job
  SET standing = ${READY}, run_at = $2, updated_at = $3, flags = flags & ~${WAITING}
  WHERE id = $1`;
/** The job is due, but gets a place at its concurrency key first. */
const WAKE_KEYED = `UPDATE millrace.job SET run_at = $2, updated_at = $3, flags = flags & ~${WAITING} WHERE id = $1`;
const ADD_FLAG = "UPDATE millrace.job SET flags = flags | $2 WHERE id = $1 AND flags & $2 = 0";

type HeldWaitRow = { hasOpen: boolean } & (WaitRow | { [Column in keyof WaitRow]: null });

function isWaitRow(row: HeldWaitRow): row is { hasOpen: boolean } & WaitRow {
  return row.name !== null;
}

/** Stores the starts of waits. A wait that is stored already keeps its start. */
export async function startWaits(tx: StatementRunner, row: LockedRow, waits: readonly NewWait[]): Promise<void> {
  const { id, stage, tenant, now, created_at: submittedAt } = row;
  const started = waits.map((wait) => {
    const { until, topic, match_keys, match_hash, published_since, details } = waitStart(wait, { submittedAt, now });
    const event = [topic, match_keys, match_hash, published_since] as const;
    return tx.run(START, [id, stage, wait.type, wait.name, now, until, tenant, ...event, details]);
  });
  if (waits.length > 0) await Promise.all([...started, tx.run(ADD_FLAG, [row.id, HAS_WAITS])]);
}

export interface Rest {
  /** One of the waits has its answer by now. */
  isAnswered: boolean;
  /** When the job is due at the latest, by its open waits. */
  endsAt: number | undefined;
}

/** Stores the waits of an attempt that waits for nothing else. */
export async function restFor(
  core: Core,
  tx: StatementRunner,
  row: LockedRow,
  waits: readonly NewWait[],
): Promise<Rest> {
  await lockTopics(core, tx, row, waits);
  const [, open, signals] = await Promise.all([
    startWaits(tx, row, waits),
    openWaits(tx, row.id),
    queuedSignals(tx, row),
  ]);
  const dormant = new Set(notReached(open, waits).map(({ id }) => id));
  const reached = open.filter(({ id }) => !dormant.has(id));
  const answers = await answersFor(tx, row, reached, signals);
  await Promise.all([
    ...answers.flatMap((each) => writeAnswer(tx, each, row.now)),
    ...[...dormant].map((id) => tx.run(REST, [id])),
  ]);
  const answered = new Set(answers.map(({ wait }) => wait));
  const left = reached.filter(({ id }) => !answered.has(id));
  return { isAnswered: left.length < waits.length, endsAt: firstEnd(left) };
}

/** Gives answers to the open waits of a job, and wakes it if it got one. True: it waited and is ready now. */
export async function answerAndWake(tx: StatementRunner, row: LockedRow): Promise<boolean> {
  const answers = await findAnswers(tx, row);
  if (answers.length === 0) return false;
  const [isWoken] = await Promise.all([wake(tx, row), ...answers.flatMap((each) => writeAnswer(tx, each, row.now))]);
  return isWoken;
}

/** Gives answers to the open waits of a job that runs. */
async function answerOpen(tx: StatementRunner, row: LockedRow): Promise<void> {
  const answers = await findAnswers(tx, row);
  await Promise.all(answers.flatMap((each) => writeAnswer(tx, each, row.now)));
}

async function findAnswers(tx: StatementRunner, row: LockedRow): Promise<WaitAnswer[]> {
  const [waits, signals] = await Promise.all([openWaits(tx, row.id), queuedSignals(tx, row)]);
  return answersFor(tx, row, waits, signals);
}

/** What answers these waits by now. Reads only for waits for events. */
export async function answersFor(
  tx: StatementRunner,
  row: LockedRow,
  waits: readonly OpenWait[],
  signals: readonly QueuedSignal[],
): Promise<WaitAnswer[]> {
  const events: FittingEvent[] = [];
  for (const wait of waits) {
    const event = wait.type === "event" ? await fittingEvent(tx, wait.id, row.now) : undefined;
    if (event) events.push(event);
  }
  return answersOf({ waits, signals, events, now: row.now });
}

export function writeAnswer(tx: StatementRunner, answer: WaitAnswer, now: number): Promise<unknown>[] {
  if (answer.type === "timed-out") return [tx.run(ANSWER, [answer.wait, TIMED_OUT, null, now, null])];
  const given = tx.run(ANSWER, [answer.wait, ANSWERED, answer.value, now, answer.source]);
  return answer.type === "signal" ? [given, tx.run(SET_SIGNAL, [answer.source, TAKEN, null])] : [given];
}

/** Makes a waiting job ready. A job that runs or is ready finds its answers by itself. */
export async function wake(tx: StatementRunner, row: LockedRow): Promise<boolean> {
  if (row.standing !== SCHEDULED || !(row.flags & WAITING)) return false;
  if (needsKey(row.flags)) {
    await tx.run(WAKE_KEYED, [row.id, wokenRunAt(row.now), row.now]);
    return true;
  }
  await Promise.all([tx.run(WAKE, [row.id, wokenRunAt(row.now), row.now]), wakeLanes(tx, [row])]);
  return true;
}

/** At the start of an attempt: ends what is over, hands out what is queued, and reads all waits of the stage. */
export async function resume(core: Core, lease: Lease): Promise<StoredWait[] | "lease-lost"> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  const rows = await core.connections.write.run<HeldWaitRow>(...LOOK_HELD({ key, token: lease.token }));
  const [first] = rows;
  if (!first) return "lease-lost";
  const waits = rows.filter(isWaitRow).map(storedWaitOf);
  // No wait is open and no call came late, as after most waits: there is nothing to write.
  if (!first.hasOpen && !waits.some(isLateCall)) return waits;
  return whileHeldRow(core, lease, async (tx, row) => {
    await answerOpen(tx, row);
    const waits = await storedWaits(tx, row);
    // A late call is answered by the attempt that starts now.
    if (waits.some(isLateCall)) await tx.run(DROP_LATE_CALLS, [row.id]);
    return waits;
  });
}

/** The value of a signal does not fit the wait, so the wait goes on, with the next signal if there is one. */
export async function setAside(
  core: Core,
  lease: Lease,
  name: string,
  reason: string,
): Promise<StoredWait | "lease-lost"> {
  return whileHeldRow(core, lease, async (tx, row) => {
    const wait = await findWait(tx, row, { type: "signal", name });
    if (!wait) throw new Error(`the wait ${name} is not in the store`);
    if (wait.source !== null) await tx.run(SET_SIGNAL, [wait.source, SET_ASIDE, reason]);
    await tx.run(REOPEN, [wait.id]);
    await answerOpen(tx, row);
    const stored = await storedWaits(tx, row);
    return stored.find((each) => each.type === "signal" && each.name === name) as StoredWait;
  });
}

/** A signal that a losing wait had taken goes back to its queue: a closed wait takes none. */
export async function decideRace(core: Core, lease: Lease, race: DecidedRace): Promise<WriteAnswer> {
  return whileHeldRow(core, lease, async (tx, row) => {
    await tx.run(ADD_RACE, [row.id, row.stage, race.name, race.value, row.now, row.tenant]);
    for (const closed of race.closes) {
      const wait = await findWait(tx, row, closed);
      if (!wait) {
        await tx.run(ADD_CLOSED, [row.id, row.stage, closed.type, closed.name, row.now, row.tenant]);
        continue;
      }
      if (closed.type === "signal" && wait.source !== null) await tx.run(SET_SIGNAL, [wait.source, QUEUED, null]);
      await tx.run(CLOSE, [wait.id]);
      if (closed.type === "children")
        await leaveWork(core, tx, { what: CANCEL_OF_WAIT, refs: [wait.id], now: row.now });
    }
    await tx.run(ADD_FLAG, [row.id, HAS_WAITS]);
    const held = core.leases.get(row.id);
    if (held) held.flags |= HAS_WAITS;
    return "written" as const;
  });
}

/** Gives the unanswered waits of a job this state, because its stage or the job is over. */
export async function closeWaits(tx: StatementRunner, job: number, state: number): Promise<void> {
  await tx.run(CLOSE_ALL, [job, state]);
}

/**
 * Stores waits that an attempt starts while it runs on. The job moves to the twin of its plan with them; `readyTwinFor`
 * has made the twin.
 */
export async function beginWaits(
  core: Core,
  tx: StatementRunner,
  job: number,
  waits: readonly NewWait[],
): Promise<LockedRow> {
  const [found] = await tx.run<LockedRow>(READ_LOCKED, [core.clock.given, job]);
  const row = await moveToTwin(core, tx, found as LockedRow);
  await lockTopics(core, tx, row, waits);
  await startWaits(tx, row, waits);
  const held = core.leases.get(row.id);
  if (held) held.flags |= HAS_WAITS;
  return row;
}

/** Call this before a transaction that moves the job, because the twin is made in a transaction of its own. */
export async function readyTwinFor(core: Core, lease: Lease): Promise<void> {
  const held = core.leases.get(core.ids.decode(lease.jobId) ?? -1);
  if (held) await readyTwins(core, [held.stage], core.clock.now());
}

async function lockTopics(core: Core, tx: StatementRunner, row: LockedRow, waits: readonly NewWait[]): Promise<void> {
  const topics = waits.flatMap(({ event }) => (event ? [topicLock(row.tenant, event.topic)] : []));
  await lockShared(tx, core.connections.target.schema, topics);
}

export async function whileHeldRow<T>(
  core: Core,
  lease: Lease,
  work: (tx: OwnTransaction, row: LockedRow) => Promise<T>,
): Promise<T | "lease-lost"> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  return core.connections.write.transact(async (tx) => {
    const [row] = await tx.run<LockedRow>(LOCK_HELD, [core.clock.given, core.durable(true), key, lease.token]);
    return row ? work(tx, row) : "lease-lost";
  });
}

/** A wait of the stage by its name. */
export async function storedWait(
  tx: StatementRunner,
  row: LockedRow,
  { type, name }: { type: StoredType; name: string },
): Promise<StoredWait | undefined> {
  return (await storedWaits(tx, row)).find((each) => each.type === type && each.name === name);
}

async function storedWaits(tx: StatementRunner, row: LockedRow): Promise<StoredWait[]> {
  return tx.run<WaitRow>(OF_STAGE, [row.id, row.stage]).then((rows) => rows.map(storedWaitOf));
}

async function findWait(
  tx: StatementRunner,
  row: LockedRow,
  { type, name }: { type: StoredType; name: string },
): Promise<{ id: number; source: number | null } | undefined> {
  const [found] = await tx.run<{ id: number; source: number | null }>(ONE, [row.id, row.stage, type, name]);
  return found;
}

async function queuedSignals(tx: StatementRunner, row: LockedRow): Promise<QueuedSignal[]> {
  return row.flags & HAS_SIGNALS ? allQueuedSignals(tx, row.id) : [];
}

export function allQueuedSignals(tx: StatementRunner, job: number): Promise<QueuedSignal[]> {
  return tx.run<QueuedSignal>(QUEUED_SIGNALS, [job]);
}

export function openWaits(tx: StatementRunner, job: number): Promise<OpenWait[]> {
  return tx.run<OpenWait>(OPEN_WAITS, [job]);
}
