// Cancel, deadline and expiry end a lease from outside: in one commit the state changes and the token is outdated. There
// is no "cancel requested" in between. Rows are always locked in the order of their keys.

import { type Death, deathOf } from "../../../job/crash.ts";
import { FINISHED } from "../../../job/job.ts";
import type { LossReason } from "../../../job/lease.ts";
import { afterAttempt, afterDeath, type Transition } from "../../../job/lifecycle.ts";
import { CANCELLED, JOINED, RUNNING } from "../../codes.ts";
import { afterOverdue, OVERDUE_GRACE_MS } from "../../decide/attempt/expiry.ts";
import { decideCancellation } from "../../decide/cancellation.ts";
import { failAtDeadline, lossReasonOf } from "../../decide/deadline.ts";
import type { WrittenAnswer } from "../../decide/settlement.ts";
import { afterDeadline, standpoint } from "../../rows/job-row.ts";
import type { CancelAnswer } from "../../verbs/jobs.ts";
import type { BeatAnswer } from "../../verbs/processes.ts";
import { CANCEL_ASKED } from "../../waits/codes.ts";
import { CLAIM_ANSWERED_MS, openAllOf } from "../claim/bundles.ts";
import { NOT_BUNDLED } from "../claim/pick.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import type { DeadProcess } from "../register/instances.ts";
import { endWorker } from "../register/workers.ts";
import { applyAll } from "../settle/apply.ts";
import { pastsOf } from "../settle/deaths.ts";
import { spreadLeftovers } from "../waits/events.ts";
import { askCancel } from "../waits/undo.ts";

const LOCK = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = ANY($2::bigint[]) ORDER BY id FOR UPDATE`;
/** Of jobs: those that a submission in a caller's transaction has joined. */
const JOINED_JOBS = "SELECT job AS id FROM millrace.joined WHERE job = ANY($1::bigint[])";
const ENDED = `SELECT id, standing, failure FROM millrace.finished WHERE id = ANY($1::bigint[])`;
// The sum keeps the planner from looking through all jobs in the order of their keys.
const HELD_BY = `SELECT *, ${NOW} AS now FROM millrace.job WHERE standing = ${RUNNING} AND holder = $2 ORDER BY id + 0 LIMIT 500 FOR UPDATE`;
export const HAND_BACK_BATCH = 500;
// Suspects first: all of them are judged in the transaction that sees every job of the process.
const HELD_BY_DEAD = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = ANY(ARRAY(SELECT id FROM millrace.job WHERE standing = ${RUNNING} AND holder = $2
  ORDER BY crashes DESC, id LIMIT ${HAND_BACK_BATCH})) AND standing + 0 = ${RUNNING} AND holder + 0 = $2 ORDER BY id FOR UPDATE`;
const ALL_HELD_BY = `SELECT id, crashes FROM millrace.job WHERE standing = ${RUNNING} AND holder = $1`;
const TOKENS_HELD_BY = `SELECT id, token, flags, ${NOW} - started_at AS age FROM millrace.job WHERE standing = ${RUNNING} AND holder = $2`;
const UNSTARTED = `SELECT *, ${NOW} AS now FROM millrace.job WHERE expires_at IS NOT NULL AND expires_at <= ${NOW} AND standing < ${RUNNING}
  AND ${NOT_BUNDLED} ORDER BY expires_at LIMIT 500 FOR UPDATE SKIP LOCKED`;
const PAST_DEADLINE = `SELECT *, ${NOW} AS now FROM millrace.job
  WHERE deadline_at IS NOT NULL AND deadline_at <= ${NOW} AND ${NOT_BUNDLED}
    AND NOT EXISTS (SELECT 1 FROM millrace.workflow WHERE workflow.job = job.id AND ending IS NOT NULL)
  ORDER BY deadline_at LIMIT 500 FOR UPDATE SKIP LOCKED`;
// Whoever buries an instance is alone with it: its own renewal waits, or came first and is seen here.
const LOCK_INSTANCE = `SELECT draining, beat_at, ${NOW} AS now FROM millrace.instance WHERE id = $2 AND ($3::boolean IS FALSE OR expires_at <= ${NOW}) FOR UPDATE`;
const CLOSE = "UPDATE millrace.instance SET expires_at = 0 WHERE id = $1";
const DIED = `UPDATE millrace.instance SET died_at = ${NOW} WHERE id = $2`;

const BATCH = 200;
const RELEASE_MS = 500;

export async function cancel(
  core: Core,
  jobIds: string[],
  reason: string,
  { unlessJoined = false }: { unlessJoined?: boolean } = {},
): Promise<CancelAnswer[]> {
  const answers: CancelAnswer[] = [];
  // In small batches, so that nobody waits long for a row.
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

async function cancelBatch(
  core: Core,
  tx: OwnTransaction,
  jobIds: string[],
  { reason, unlessJoined }: { reason: string; unlessJoined: boolean },
): Promise<CancelAnswer[]> {
  const keys = jobIds.map((jobId) => core.ids.decode(jobId) ?? -1);
  const rows = await tx.run<LockedRow>(LOCK, [core.clock.given, numbers(keys)]);
  await core.names.knowStages(rows.map(({ stage }) => stage));
  const live = new Map(rows.map((row) => [row.id, row]));
  const ended = new Map<number, number>();
  for (const row of await tx.run<{ id: number; standing: number }>(ENDED, [numbers(keys)]))
    ended.set(row.id, row.standing);
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
    const standing = ended.get(key);
    const known = row ?? (standing === undefined ? undefined : { standing });
    const { answer, change, asks } = decideCancellation(known, { jobId, reason, unlessJoined });
    answers.push(answer);
    if (row && asks) await askCancel(tx, row, asks);
    if (!row || !change) continue;
    live.delete(key);
    ended.set(key, CANCELLED);
    changes.push({ row, change, i });
  }
  const written = await applyAll(core, tx, changes);
  for (const [n, { i }] of changes.entries()) {
    if (!FINISHED.has((written[n] as WrittenAnswer).standing)) answers[i] = { undoing: true };
  }
  return answers;
}

export async function beat(core: Core, pools?: string): Promise<BeatAnswer> {
  if (pools !== undefined || core.instances.needsRenewal) await core.instances.renew(pools);
  const expired = [...(await expireDead(core)), ...(await failUnstarted(core)), ...(await failPastDeadline(core))];
  if (expired.length > 0) {
    core.events.expired(expired);
    core.voice.say("work");
  }
  await spreadLeftovers(core);
  return { expired, overdue: await failOverdue(core) };
}

/** Before an act that depends on who lives. */
export async function buryDead(core: Core): Promise<void> {
  const expired = await expireDead(core);
  if (expired.length === 0) return;
  core.events.expired(expired);
  core.voice.say("work");
}

async function expireDead(core: Core): Promise<BeatAnswer["expired"]> {
  const expired: BeatAnswer["expired"] = [];
  for (const dead of await core.instances.dead()) {
    let death: Death | undefined;
    for (;;) {
      const batch = await core.connections.write.transact((tx) => expireSome(core, tx, dead, death));
      expired.push(...batch.expired);
      if (!batch.more) break;
      death = batch.death;
    }
  }
  return expired;
}

interface ExpiredLeases {
  expired: BeatAnswer["expired"];
  more: boolean;
  death?: Death;
}

/** `known`: the death as the transaction before saw it, when none of its jobs had been taken back. */
async function expireSome(
  core: Core,
  tx: OwnTransaction,
  dead: DeadProcess,
  known: Death | undefined,
): Promise<ExpiredLeases> {
  const [instance] = await tx.run<{ draining: boolean; beat_at: number; now: number }>(LOCK_INSTANCE, [
    core.clock.given,
    dead.id,
    dead.expired,
  ]);
  const gone = instance === undefined && !dead.orphans;
  if (gone) return { expired: [], more: false };
  await openAllOf(tx, dead.id);
  const death = known ?? (await deathIn(core, tx, dead, instance?.draining ?? false));
  const all = await tx.run<LockedRow>(HELD_BY_DEAD, [core.clock.given, dead.id]);
  await core.names.knowStages(all.map(({ stage }) => stage));
  const rows = all.filter(({ stage }) => !core.names.isTooNew(core.names.stage(stage)));
  const pastOf = await pastsOf(tx, rows);
  const changes = rows.map((row) => {
    const plan = core.names.stageRules(core.names.stage(row.stage));
    const job = { ...standpoint(row), id: core.ids.encode(row.id) };
    return { row, change: afterDeath(job, plan, death, pastOf(row)) };
  });
  await applyAll(core, tx, changes);
  if (changes.some(({ row, change }) => change.crashes > row.crashes)) {
    await tx.run(DIED, [core.clock.given, dead.id]);
  }
  const expired = changes.map(({ row, change }) => ({ jobId: core.ids.encode(row.id), standing: change.standing }));
  const more = rows.length === HAND_BACK_BATCH;
  // The jobs of plans that need a newer engine stay with it until a newer process takes them back.
  if (!more && rows.length === all.length) {
    await tx.run(CLOSE, [dead.id]);
    await endWorker(tx, dead.id, instance ? Math.min(instance.beat_at, instance.now) : core.clock.now());
  }
  return { expired, more, death };
}

async function deathIn(core: Core, tx: StatementRunner, { id }: DeadProcess, draining: boolean): Promise<Death> {
  const held = await tx.run<{ id: number; crashes: number }>(ALL_HELD_BY, [id]);
  return deathOf(
    held.map(({ id: key, crashes }) => ({ id: core.ids.encode(key), crashes })),
    { draining },
  );
}

/** What this process still holds as it closes goes back to the queue: nobody looks for the leases of one that left. */
export async function handBack(core: Core): Promise<number> {
  const count = await core.connections.write.transact(async (tx) => {
    await openAllOf(tx, core.instances.id);
    return release(core, tx, await tx.run<LockedRow>(HELD_BY, [core.clock.given, core.instances.id]));
  });
  if (count > 0) core.voice.say("work");
  return count;
}

/**
 * In small commits, and for a part of a tick: under a server that goes away every second one large one would never be done,
 * and our own leases must be renewed in between.
 */
async function releaseUnknown(core: Core, keys: number[]): Promise<void> {
  const until = performance.now() + RELEASE_MS;
  let count = 0;
  try {
    for (let i = 0; i < keys.length && performance.now() < until; i += BATCH) {
      count += await core.connections.write.transact(async (tx) => {
        const rows = await tx.run<LockedRow>(LOCK, [core.clock.given, numbers(keys.slice(i, i + BATCH))]);
        const ours = rows.filter(({ standing, holder }) => standing === RUNNING && holder === core.instances.id);
        return release(
          core,
          tx,
          ours.filter((row) => isUnknown(core, row)),
        );
      });
    }
  } finally {
    if (count > 0) {
      core.voice.say("work");
      core.events.wake();
    }
  }
}

async function release(core: Core, tx: OwnTransaction, rows: LockedRow[]): Promise<number> {
  await core.names.knowStages(rows.map(({ stage }) => stage));
  const changes = rows.map((row) => {
    const plan = core.names.stageRules(core.names.stage(row.stage));
    const moment = { now: row.now, random: core.random };
    return { row, change: afterAttempt(standpoint(row), { type: "released" }, plan, moment) };
  });
  await applyAll(core, tx, changes);
  return rows.length;
}

/** Jobs that did not start in time, and holds that were not released in time. */
export function failUnstarted(core: Core): Promise<BeatAnswer["expired"]> {
  return core.connections.write.transact(async (tx) => {
    const rows = await tx.run<LockedRow>(UNSTARTED, [core.clock.given]);
    await core.names.knowStages(rows.map(({ stage }) => stage));
    const changes = rows.map((row) => ({ row, change: afterDeadline(row) }));
    await applyAll(core, tx, changes);
    return rows.map((row) => ({ jobId: core.ids.encode(row.id), standing: "failed" as const }));
  });
}

/** Jobs that did not end in time, wherever they stand. A process that runs one of them loses its lease. */
async function failPastDeadline(core: Core): Promise<BeatAnswer["expired"]> {
  const { rows, expired } = await core.connections.write.transact(async (tx) => {
    const late = await tx.run<LockedRow>(PAST_DEADLINE, [core.clock.given]);
    await core.names.knowStages(late.map(({ stage }) => stage));
    const changes = late.map((row) => ({ row, change: failAtDeadline(row) }));
    const answers = await applyAll(core, tx, changes);
    return {
      rows: late,
      expired: late.map((row, i) => ({ jobId: core.ids.encode(row.id), standing: answers[i]?.standing ?? "failed" })),
    };
  });
  const running = rows.filter(({ standing }) => standing === RUNNING);
  const ours = running.flatMap(({ id, token }) => (core.leases.get(id)?.token === token ? [{ id, token }] : []));
  for (const { id } of ours) core.leases.end(id);
  const lost = ours.map(({ id, token }) => ({ jobId: core.ids.encode(id), token, reason: "deadline" as const }));
  if (lost.length > 0) core.events.lost(lost);
  if (running.length > ours.length) core.voice.say("revoked");
  if (rows.length > 0) core.voice.say("end");
  return expired;
}

async function failOverdue(core: Core): Promise<string[]> {
  const latest = core.clock.monotonic() - OVERDUE_GRACE_MS;
  const late = core.leases.all().filter((held) => held.deadlineAt <= latest);
  if (late.length === 0) return [];
  await core.bundles.openFor(late.map(({ key }) => key));
  const failed = await core.connections.write.transact(async (tx) => {
    const rows = await tx.run<LockedRow>(LOCK, [core.clock.given, numbers(late.map(({ key }) => key))]);
    await core.names.knowStages(rows.map(({ stage }) => stage));
    const ended: typeof late = [];
    const changes: { row: LockedRow; change: Transition }[] = [];
    for (const row of rows) {
      const held = late.find(({ key }) => key === row.id);
      if (!held || row.standing !== RUNNING || row.token !== held.token) continue;
      const rules = core.names.stageRules(core.names.stage(row.stage));
      changes.push({ row, change: afterOverdue(row, held, rules, { now: row.now, random: core.random }) });
      ended.push(held);
    }
    await applyAll(core, tx, changes);
    return ended;
  });
  for (const { key } of failed) core.leases.end(key);
  const lost = failed.map(({ jobId, token }) => ({ jobId, token, reason: "timed-out" as const }));
  if (lost.length > 0) core.events.lost(lost);
  return failed.map(({ jobId }) => jobId);
}

interface LostLease {
  jobId: string;
  token: number;
  reason: LossReason;
}

/**
 * Leases we believe to hold and no longer do: somebody cancelled the job, or took us for dead. And the other way round:
 * jobs that a claim took whose answer never came go back.
 */
export async function findLost(core: Core): Promise<LostLease[]> {
  await core.bundles.undoUnanswered();
  // Those taken while we look are not in the answer, those being settled may be gone already, those in a bundle have no rows of
  // their own yet: none of them is lost.
  const before = core.leases.all().filter(({ bundle }) => bundle?.isOpened ?? true);
  const rows = await core.connections.write.run<{ id: number; token: number; flags: number; age: number }>(
    TOKENS_HELD_BY,
    [core.clock.given, core.instances.id],
  );
  const unknown = rows.filter((row) => row.age > CLAIM_ANSWERED_MS && isUnknown(core, row)).map(({ id }) => id);
  await releaseUnknown(core, unknown);
  const tokens = new Map(rows.map((row) => [row.id, row.token]));
  const gone = before.filter(
    (held) =>
      tokens.get(held.key) !== held.token && core.leases.get(held.key) === held && !core.leases.isSettling(held.key),
  );
  const asked = rows
    .filter(({ flags }) => flags & CANCEL_ASKED)
    .map(({ id, token }): LostLease => ({ jobId: core.ids.encode(id), token, reason: "undoing" }));
  if (gone.length === 0) return asked;
  const keys = numbers(gone.map(({ key }) => key));
  const left = await core.connections.write.run<{ id: number; standing: number; failure: string | null }>(ENDED, [
    keys,
  ]);
  const ended = new Map(left.map((row) => [row.id, row]));
  for (const { key } of gone) core.leases.end(key);
  const lost = gone.map(({ key, jobId, token }) => ({ jobId, token, reason: lossReasonOf(ended.get(key)) }));
  return [...asked, ...lost];
}

function isUnknown(core: Core, { id, token }: { id: number; token: number }): boolean {
  return !core.leases.has({ key: id, token }) && !core.leases.isSettling(id);
}
