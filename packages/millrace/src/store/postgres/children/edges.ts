// The edges between jobs. The end of a job marks its edges in the same transaction and leaves a row of `left_work`; after the commit
// the process looks whether others of the wait are open. Of two last children, the one that commits last sees both marks.

import {
  CANCEL_OF_JOB,
  endedState,
  HAS_EDGES,
  HAS_WAITER,
  JOIN_BATCH,
  JOIN_WAIT,
  type LeftWork,
  RUNS_YET,
} from "../../children/codes.ts";
import { COMPLETED } from "../../codes.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { leaveWork } from "./queue.ts";

const ADD = `INSERT INTO millrace.edge (type, owner, wait, batch, job, place, key, root, depth)
  SELECT t.type, $1::bigint, $2::bigint, $3::bigint, t.job, t.place - 1, t.key, t.root, t.depth
  FROM unnest($4::int[], $5::bigint[], $6::text[], $7::bigint[], $8::int[]) WITH ORDINALITY AS t (type, job, key, root, depth, place)
  ORDER BY place`;
const END = `WITH ended AS (SELECT * FROM unnest($1::bigint[], $2::int[]) AS t (job, state)),
  marked AS (
    UPDATE millrace.edge SET state = ended.state FROM ended
    WHERE edge.job = ended.job AND edge.state = ${RUNS_YET}
    RETURNING edge.wait, edge.batch)
  INSERT INTO millrace.left_work (what, ref, at)
  SELECT DISTINCT CASE WHEN batch IS NULL THEN ${JOIN_WAIT} ELSE ${JOIN_BATCH} END, coalesce(batch, wait), $3::bigint FROM marked
  WHERE coalesce(batch, wait) IS NOT NULL
  RETURNING id, what, ref`;

export interface NewEdges {
  owner?: number;
  wait?: number;
  batch?: number;
  /** The jobs, in the order of their edges. */
  jobs: readonly { type: number; job: number; key?: string | undefined; root?: number | undefined; depth?: number }[];
}

export async function addEdges(tx: StatementRunner, { owner, wait, batch, jobs }: NewEdges): Promise<void> {
  if (jobs.length === 0) return;
  await tx.run(ADD, [
    owner ?? null,
    wait ?? null,
    batch ?? null,
    numbers(jobs.map(({ type }) => type)),
    numbers(jobs.map(({ job }) => job)),
    texts(jobs.map(({ key }) => key)),
    numbers(jobs.map(({ root }) => root)),
    numbers(jobs.map(({ depth }) => depth ?? 0)),
  ]);
}

/** A job that has ended, as its row was before. */
export interface EndedJob {
  id: number;
  flags: number;
  standing: number;
}

/** Tells the jobs that wait for these jobs that they have ended. Unless a job completed, its children are cancelled. */
export async function endLinks(core: Core, tx: OwnTransaction, jobs: readonly EndedJob[], now: number): Promise<void> {
  const failed = jobs.filter(({ flags, standing }) => flags & HAS_EDGES && standing !== COMPLETED);
  if (failed.length > 0) {
    await leaveWork(core, tx, { what: CANCEL_OF_JOB, refs: failed.map(({ id }) => id), now });
  }
  const awaited = jobs.filter(({ flags }) => flags & HAS_WAITER);
  if (awaited.length > 0) await endEdges(core, tx, awaited, now);
}

export async function endEdges(
  core: Core,
  tx: OwnTransaction,
  jobs: readonly Pick<EndedJob, "id" | "standing">[],
  now: number,
): Promise<void> {
  const left = await tx.run<LeftWork>(END, [
    numbers(jobs.map(({ id }) => id)),
    numbers(jobs.map(({ standing }) => endedState(standing))),
    now,
  ]);
  if (left.length > 0) tx.afterCommit(() => core.doLeftWork(left));
}
