// Jobs that were accepted before any plan of their kind was known get one from the first worker, in the same commit.

import { READY, RUNNING } from "../../codes.ts";
import type { Choice } from "../../plans/catalog.ts";
import { wakeLanes } from "../claim/lanes.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";

const WAITING = `SELECT stage.id FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind WHERE kind.name = $1 AND stage.plan IS NULL`;
const FIRST = "SELECT id FROM millrace.stage WHERE plan = $1 AND pin = $2 AND position = 0";
const MOVE_JOBS = `WITH moved AS (UPDATE millrace.job SET stage = $2 WHERE stage = $1 AND standing < ${RUNNING} RETURNING tenant, standing)
  SELECT DISTINCT tenant FROM moved WHERE standing = ${READY} ORDER BY tenant`;

/**
 * Transactions that store a job without a plan hold this lock, and so does the one that gives plans to such jobs. So
 * none is stored in between.
 */
export function planlessLock(kind: string): string {
  return `planless ${kind}`;
}

export async function givePlans(
  tx: StatementRunner,
  schema: string,
  kinds: { kind: string; choice: Choice }[],
): Promise<void> {
  await lock(
    tx,
    schema,
    kinds.map(({ kind }) => planlessLock(kind)),
  );
  for (const { kind, choice } of kinds) {
    const [waiting] = await tx.run<{ id: number }>(WAITING, [kind]);
    const [first] = waiting ? await tx.run<{ id: number }>(FIRST, [choice.plan, choice.pin]) : [];
    if (waiting && first) await moveUnfinished(tx, waiting.id, first.id);
  }
}

const KINDS_WITH_JOBS = `SELECT DISTINCT kind.name FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind
  WHERE stage.plan IS NULL AND EXISTS (SELECT 1 FROM millrace.lane WHERE lane.stage = stage.id AND lane.active)`;

/**
 * Gives a plan to jobs without one whose kind has had a worker by now. A job comes into that state when its submission is part of
 * a caller's transaction that commits after the first worker has registered.
 */
export async function adoptPlanless(core: Core): Promise<void> {
  const kinds = (await core.connections.write.run<{ name: string }>(KINDS_WITH_JOBS, [])).flatMap(({ name: kind }) => {
    const first = core.names.firstStage(kind);
    return first?.plan === undefined ? [] : [{ kind, choice: { plan: first.plan, pin: first.pin } }];
  });
  if (kinds.length === 0) return;
  await core.connections.write.transact((tx) => givePlans(tx, core.connections.target.schema, kinds));
  core.voice.say("work");
  core.events.wake();
}

/** Moves all unfinished jobs of one stage row to another. None of them may be running. */
export async function moveUnfinished(tx: StatementRunner, from: number, to: number): Promise<void> {
  const lanes = await tx.run<{ tenant: number }>(MOVE_JOBS, [from, to]);
  await wakeLanes(
    tx,
    lanes.map(({ tenant }) => ({ stage: to, tenant })),
  );
}
