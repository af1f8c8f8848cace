// Jobs that were accepted before any plan of their kind was known get one from the first worker, in the same commit.

import type { Choice } from "../../plans/catalog.ts";
import { wakeLanes } from "../claim/lanes.ts";
import type { Runner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";

const WAITING = `SELECT stage.id FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind WHERE kind.name = $1 AND stage.plan IS NULL`;
const FIRST = "SELECT id FROM millrace.stage WHERE plan = $1 AND pin = $2 AND position = 0";
const MOVE_JOBS = `WITH moved AS (UPDATE millrace.job SET stage = $2 WHERE stage = $1 AND standing < 4 RETURNING tenant, standing)
  SELECT DISTINCT tenant FROM moved WHERE standing = 1 ORDER BY tenant`;

/** Held by whoever stores a job without a plan, and by whoever gives plans to such jobs: none is stored meanwhile. */
export function planlessLock(kind: string): string {
  return `planless ${kind}`;
}

export async function givePlans(tx: Runner, schema: string, kinds: { kind: string; choice: Choice }[]): Promise<void> {
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

/** All unfinished jobs of one stage row to another. None of them may be running. */
export async function moveUnfinished(tx: Runner, from: number, to: number): Promise<void> {
  const lanes = await tx.run<{ tenant: number }>(MOVE_JOBS, [from, to]);
  await wakeLanes(
    tx,
    lanes.map(({ tenant }) => ({ stage: to, tenant })),
  );
}
