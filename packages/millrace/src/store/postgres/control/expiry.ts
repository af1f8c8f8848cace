// Takes back the jobs of dead processes.

import { type Death, deathOf } from "../../../job/crash.ts";
import { afterDeath } from "../../../job/lifecycle.ts";
import { AppError } from "../../../lib/app-error.ts";
import { RUNNING } from "../../codes.ts";
import { standpoint } from "../../rows/job-row.ts";
import type { BeatAnswer } from "../../verbs/processes.ts";
import { openAllOf } from "../claim/bundles.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import type { DeadProcess } from "../register/instances.ts";
import { endWorker, HASTY, PATIENT, START_MS } from "../register/workers.ts";
import { applyAll } from "../settle/apply.ts";
import { pastsOf } from "../settle/deaths.ts";
import { HAND_BACK_BATCH } from "./hand-back.ts";

// Suspects first: all of them are judged in the transaction that sees every job of the process.
const HELD_BY_DEAD = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = ANY(ARRAY(SELECT id FROM millrace.job WHERE standing = ${RUNNING} AND holder = $2
  ORDER BY crashes DESC, id LIMIT ${HAND_BACK_BATCH})) AND standing + 0 = ${RUNNING} AND holder + 0 = $2 ORDER BY id FOR UPDATE`;
const ALL_HELD_BY = `SELECT id, crashes FROM millrace.job WHERE standing = ${RUNNING} AND holder = $1`;
// The process that buries an instance locks its row. A renewal of that instance waits, or came first and is seen here.
const LOCK_INSTANCE = `SELECT draining, beat_at, ${NOW} AS now FROM millrace.instance WHERE id = $2 AND ($3::boolean IS FALSE OR expires_at <= ${NOW}) FOR UPDATE`;
const CLOSE = "UPDATE millrace.instance SET expires_at = 0 WHERE id = $1";
const DIED = `UPDATE millrace.instance SET died_at = ${NOW} WHERE id = $2`;

/** Call this before anything that depends on which processes live. */
export async function buryDead(core: Core): Promise<void> {
  const expired = await expireDead(core, { waits: true });
  if (expired.length === 0) return;
  core.events.expired(expired);
  core.voice.say("work");
}

/** `waits`: for processes that register. Without it, the workers of a dead process may be left to the next call. */
export async function expireDead(core: Core, { waits = false } = {}): Promise<BeatAnswer["expired"]> {
  const expired: BeatAnswer["expired"] = [];
  const empty: DeadProcess[] = [];
  for (const dead of await core.instances.dead()) {
    let death: Death | undefined;
    for (;;) {
      const batch = await core.connections.write.transact((tx) => expireSome(core, tx, dead, death));
      expired.push(...batch.expired);
      if (batch.isEmpty) empty.push(dead);
      if (!batch.more) break;
      death = batch.death;
    }
  }
  try {
    for (const dead of empty) await close(core, dead, { waits });
  } catch (error) {
    if (waits || !(error instanceof AppError && error.code === "store-unavailable")) throw error;
  }
  return expired;
}

interface ExpiredLeases {
  expired: BeatAnswer["expired"];
  more: boolean;
  /** Nothing is left to be taken back. */
  isEmpty: boolean;
  death?: Death;
}

/** `known`: the death as the first transaction saw it, before any of the jobs was taken back. */
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
  if (gone) return { expired: [], more: false, isEmpty: false };
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
  return { expired, more, isEmpty: !more && rows.length === all.length, death };
}

/**
 * In a transaction of its own: a process that registers may hold up this one, and the jobs must not wait for that. The dead
 * process may have renewed its lease since.
 */
async function close(core: Core, { id, expired, orphans }: DeadProcess, { waits }: { waits: boolean }): Promise<void> {
  const close = async (tx: StatementRunner) => {
    await tx.run(waits ? PATIENT : HASTY, []);
    const values = [core.clock.given, id, expired];
    const [instance] = await tx.run<{ beat_at: number; now: number }>(LOCK_INSTANCE, values);
    if (!instance && !orphans) return;
    await tx.run(CLOSE, [id]);
    await endWorker(tx, id, instance ? Math.min(instance.beat_at, instance.now) : core.clock.now());
  };
  await core.connections.write.transact(close, waits ? { limitMs: START_MS } : {});
}

async function deathIn(core: Core, tx: StatementRunner, { id }: DeadProcess, draining: boolean): Promise<Death> {
  const held = await tx.run<{ id: number; crashes: number }>(ALL_HELD_BY, [id]);
  return deathOf(
    held.map(({ id: key, crashes }) => ({ id: core.ids.encode(key), crashes })),
    { draining },
  );
}
