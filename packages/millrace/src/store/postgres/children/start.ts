// Starts children: the list, the jobs and the wait for them are one commit, fenced by the parent's lease.

import type { Lease } from "../../../job/lease.ts";
import type { StoredWait } from "../../../job/wait.ts";
import { HAS_EDGES, HAS_WAITER, RUNS_YET } from "../../children/codes.ts";
import { COMPLETED } from "../../codes.ts";
import {
  acceptedChildren,
  childSubmission,
  childWait,
  refuseAncestor,
  refuseChildren,
  refuseHeldKey,
} from "../../decide/children.ts";
import type { NewChildren } from "../../verbs/children.ts";
import type { Submission } from "../../verbs/submission.ts";
import { HAS_UNDOS, HAS_WAITS } from "../../waits/codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { moveToTwin, readyTwins } from "../register/twin.ts";
import { addFlag } from "../settle/belongings.ts";
import { readySubmission, submitInside } from "../submit/submit.ts";
import { addUndo } from "../waits/undo.ts";
import { storedWait, whileHeldRow } from "../waits/waits.ts";
import { addEdges, endEdges } from "./edges.ts";
import { tellOfWork } from "./queue.ts";

const PARENT = `SELECT stage, (SELECT name FROM millrace.tenant WHERE id = job.tenant) AS tenant FROM millrace.job WHERE id = $1`;
const ADD_WAIT = `INSERT INTO millrace.wait (job, stage, type, name, state, since, tenant, details, value, answered_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`;
const PLACE = "SELECT root, depth FROM millrace.edge WHERE job = $1 AND root IS NOT NULL LIMIT 1";
const ANCESTORS = `WITH RECURSIVE above AS (
    SELECT $1::bigint AS job UNION SELECT edge.owner FROM above JOIN millrace.edge ON edge.job = above.job WHERE edge.owner IS NOT NULL)
  SELECT job FROM above WHERE job = ANY($2::bigint[]) LIMIT 1`;
const HELD_KEYS = `WITH RECURSIVE above AS (
    SELECT $1::bigint AS job UNION SELECT edge.owner FROM above JOIN millrace.edge ON edge.job = above.job WHERE edge.owner IS NOT NULL)
  SELECT place.job, place.kind, place.key
  FROM millrace.job AS child
    JOIN millrace.stage ON stage.id = child.stage
    JOIN millrace.place ON place.kind = stage.kind AND place.tenant = child.tenant AND place.key = child.concurrency_key AND place.holds
    JOIN above ON above.job = place.job
  WHERE child.id = ANY($2::bigint[]) AND child.concurrency_key IS NOT NULL`;
// A job that others join has a unique key, so its end reads these flags under the lock of its row.
const MARK_JOINED = `UPDATE millrace.job SET flags = flags | ${HAS_WAITER} WHERE id = ANY($1::bigint[])`;
const ENDED = "SELECT id, standing, retried_as FROM millrace.finished WHERE id = ANY($1::bigint[])";
const REPOINT = `UPDATE millrace.edge SET job = $2 WHERE job = $1 AND state = ${RUNS_YET}`;
// This is the last statement of its transaction, so that others of the tree wait for the row only while it commits.
const GROW = `INSERT INTO millrace.tree (job, children, jobs) VALUES ($1, $2, $3)
  ON CONFLICT (job) DO UPDATE SET children = tree.children + excluded.children, jobs = tree.jobs + excluded.jobs
  RETURNING children, jobs`;

export async function startChildren(core: Core, lease: Lease, asked: NewChildren): Promise<StoredWait | "lease-lost"> {
  const [parent] = await core.connections.write.run<{ stage: number; tenant: string }>(PARENT, [
    core.ids.decode(lease.jobId) ?? -1,
  ]);
  if (!parent) return "lease-lost";
  await core.names.knowStages([parent.stage]);
  await readyTwins(core, [parent.stage], core.clock.now());
  const submission = childSubmission(parent.tenant, asked);
  await readySubmission(core, submission);
  const answer = await whileHeldRow(core, lease, (tx, row) => start(core, tx, row, asked, submission));
  if (answer !== "lease-lost" && asked.jobs.length > 0) tellOfWork(core);
  return answer;
}

async function start(
  core: Core,
  tx: OwnTransaction,
  held: LockedRow,
  asked: NewChildren,
  submission: Submission,
): Promise<StoredWait> {
  const row = await moveToTwin(core, tx, held);
  const known = await storedWait(tx, row, asked);
  if (known) return known;
  const [found] = await tx.run<{ root: number; depth: number }>(PLACE, [row.id]);
  const place = found ?? { root: row.id, depth: 0 };
  const { root, depth } = place;
  const { jobIds, joined } = await accepted(core, tx, submission);
  const keys = jobIds.map((id) => core.ids.decode(id) as number);
  const isAwaited = asked.type === "children";
  const { isOver, state, details, value, edges } = childWait(asked, { jobIds, keys, joined, place });
  const start = [row.id, row.stage, asked.type, asked.name, state, row.now, row.tenant, details, value] as const;
  const [wait] = await tx.run<{ id: number }>(ADD_WAIT, [...start, isOver ? row.now : null]);
  await addEdges(tx, { owner: row.id, wait: wait?.id as number, jobs: edges });
  if (isAwaited && joined.length > 0)
    await join(
      core,
      tx,
      row,
      joined.map((i) => keys[i] as number),
    );
  if (isAwaited && keys.length > 0) await refuseHeldKeys(core, tx, row, keys);
  await addFlag(core, tx, row, HAS_WAITS);
  await addFlag(core, tx, row, HAS_EDGES);
  if (asked.undo !== undefined) {
    await addUndo(tx, row, { type: "children", name: asked.name, handler: asked.undo });
    await addFlag(core, tx, row, HAS_UNDOS);
  }
  refuseChildren(core.options.limits, { depth: depth + 1, ...(await grown(tx, row.id, root, keys.length)) });
  return (await storedWait(tx, row, asked)) as StoredWait;
}

async function accepted(
  core: Core,
  tx: OwnTransaction,
  submission: Submission,
): Promise<{ jobIds: string[]; joined: number[] }> {
  if (submission.jobs.length === 0) return { jobIds: [], joined: [] };
  const answer = await submitInside(core, tx, submission);
  return acceptedChildren(answer);
}

/** Adds existing jobs as children. None of them may be a job that waits for the parent. They may have ended by now. */
async function join(core: Core, tx: OwnTransaction, parent: LockedRow, keys: number[]): Promise<void> {
  const [ancestor] = await tx.run<{ job: number }>(ANCESTORS, [parent.id, numbers(keys)]);
  if (ancestor) refuseAncestor(core.ids.encode(ancestor.job));
  await tx.run(MARK_JOINED, [numbers(keys)]);
  const gone = await tx.run<{ id: number; standing: number; retried_as: number | null }>(ENDED, [numbers(keys)]);
  const ended = gone.filter(({ standing, retried_as }) => standing !== COMPLETED || retried_as === null);
  if (ended.length > 0) await endEdges(core, tx, ended, parent.now);
  // A job that continued as new since the submission was decided is waited for as its successor.
  for (const { id, retried_as: successor } of gone.filter((each) => !ended.includes(each))) {
    await tx.run(REPOINT, [id, successor]);
    await join(core, tx, parent, [successor as number]);
  }
}

/** A job of an ordered kind keeps its key while it waits, so no child may need that key. */
async function refuseHeldKeys(core: Core, tx: StatementRunner, parent: LockedRow, children: number[]): Promise<void> {
  const held = await tx.run<{ job: number; kind: number; key: string }>(HELD_KEYS, [parent.id, numbers(children)]);
  const found = held.find(({ kind }) => core.names.rules(kind).concurrency?.ordered);
  if (found) refuseHeldKey(core.ids.encode(found.job), found.key);
}

async function grown(
  tx: StatementRunner,
  job: number,
  root: number,
  count: number,
): Promise<{ children: number; jobs: number }> {
  const grow = async (top: number, children: number, jobs: number) => {
    const [row] = await tx.run<{ children: number; jobs: number }>(GROW, [top, children, jobs]);
    return row as { children: number; jobs: number };
  };
  if (job === root) return grow(job, count, count);
  return { children: (await grow(job, count, 0)).children, jobs: (await grow(root, 0, count)).jobs };
}
