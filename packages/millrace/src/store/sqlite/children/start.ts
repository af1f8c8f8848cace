// Starts children: the list, the jobs and the wait for them are one commit, fenced by the parent's lease.

import type { Lease } from "../../../job/lease.ts";
import type { StoredWait } from "../../../job/wait.ts";
import { HAS_EDGES, HAS_WAITER } from "../../children/codes.ts";
import { COMPLETED } from "../../codes.ts";
import {
  acceptedChildren,
  childSubmission,
  childWait,
  refuseAncestor,
  refuseChildren,
  refuseHeldKey,
} from "../../decide/children.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { NewChildren } from "../../verbs/children.ts";
import type { Submission } from "../../verbs/submission.ts";
import { HAS_UNDOS, HAS_WAITS } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { moveToTwin } from "../register/twin.ts";
import { addFlag, heldRow } from "../settle/belongings.ts";
import { submit } from "../submit/submit.ts";
import { addUndo } from "../waits/undo.ts";
import { storedWait } from "../waits/waits.ts";
import { addEdges } from "./edges.ts";

const ADD_WAIT = `INSERT INTO wait (job, stage, type, name, state, since, tenant, details, value, answered_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const PLACE = "SELECT root, depth FROM edge WHERE job = ? AND root IS NOT NULL LIMIT 1";
const OWNERS = "SELECT owner FROM edge WHERE job = ? AND owner IS NOT NULL";
const KEY_OF = `SELECT stage, tenant, concurrency_key AS key FROM job WHERE id = ? AND concurrency_key IS NOT NULL AND standing < ${COMPLETED}`;
const HOLDERS = "SELECT job FROM place WHERE kind = ? AND tenant = ? AND key = ? AND holds = 1";
const GROW = `INSERT INTO tree (job, children, jobs) VALUES (?1, ?2, ?3)
  ON CONFLICT (job) DO UPDATE SET children = children + ?2, jobs = jobs + ?3 RETURNING children, jobs`;
const MARK = `UPDATE job SET flags = flags | ${HAS_WAITER} WHERE id = ?`;

export function startChildren(core: Core, lease: Lease, asked: NewChildren): StoredWait | "lease-lost" {
  const held = heldRow(core, lease);
  if (!held) return "lease-lost";
  const row = moveToTwin(core, held);
  const known = storedWait(core, row, asked);
  if (known) return known;
  const now = core.clock.now();
  const place = treePlaceOf(core, row.id);
  const { root, depth } = place;
  refuseChildren(core.options.limits, { depth: depth + 1, ...grown(core, row.id, root, asked.jobs.length) });
  const { jobIds, joined } = accepted(core, childSubmission(core.names.tenantName(row.tenant), asked));
  const keys = jobIds.map((id) => core.ids.decode(id) as number);
  for (const i of joined) join(core, row, keys[i] as number);
  if (asked.type === "children") refuseHeldKeys(core, row, keys);

  const { isOver, state, details, value, edges } = childWait(asked, { jobIds, keys, joined, place });
  const start = [row.id, row.stage, asked.type, asked.name, state, now, row.tenant, details, value] as const;
  const { id: wait } = core.statement(ADD_WAIT).get(...start, isOver ? now : null) as { id: number };
  addEdges(
    core,
    edges.map((edge, place) => ({ ...edge, owner: row.id, wait, place })),
  );
  if (keys.length > 0) core.wakePools();
  addFlag(core, row, HAS_WAITS);
  addFlag(core, { ...row, flags: row.flags | HAS_WAITS }, HAS_EDGES);
  if (asked.undo !== undefined) {
    addUndo(core, row, { type: "children", name: asked.name, handler: asked.undo });
    addFlag(core, { ...row, flags: row.flags | HAS_WAITS | HAS_EDGES }, HAS_UNDOS);
  }
  return storedWait(core, row, asked) as StoredWait;
}

/** The top of the job's tree, and how many ancestors the job has. */
export function treePlaceOf(core: Core, job: number): { root: number; depth: number } {
  return (core.statement(PLACE).get(job) as { root: number; depth: number } | undefined) ?? { root: job, depth: 0 };
}

function grown(core: Core, job: number, root: number, count: number): { children: number; jobs: number } {
  const grow = (top: number, children: number, jobs: number) =>
    core.statement(GROW).get(top, children, jobs) as { children: number; jobs: number };
  if (job === root) return grow(job, count, count);
  return { children: grow(job, count, 0).children, jobs: grow(root, 0, count).jobs };
}

function accepted(core: Core, submission: Submission): { jobIds: string[]; joined: number[] } {
  if (submission.jobs.length === 0) return { jobIds: [], joined: [] };
  const [answer] = submit(core, [submission]);
  return acceptedChildren(answer);
}

/** The parent, and all jobs that wait for it. */
function ancestorsOf(core: Core, parent: JobRow): ReadonlySet<number> {
  const seen = new Set<number>();
  for (const front = [parent.id]; front.length > 0; ) {
    const job = front.pop() as number;
    if (seen.has(job)) continue;
    seen.add(job);
    for (const { owner } of core.statement(OWNERS).all(job) as { owner: number }[]) front.push(owner);
  }
  return seen;
}

/** A job of an ordered kind keeps its key while it waits, so no child may need that key. */
function refuseHeldKeys(core: Core, parent: JobRow, children: readonly number[]): void {
  const keyed = children
    .flatMap((child) => (core.statement(KEY_OF).get(child) as KeyOfChild | undefined) ?? [])
    .filter(({ stage }) => core.names.isOrdered(core.names.stage(stage)));
  if (keyed.length === 0) return;
  const ancestors = ancestorsOf(core, parent);
  for (const { stage, tenant, key } of keyed) {
    const holders = core.statement(HOLDERS).all(core.names.stage(stage).kind, tenant, key) as { job: number }[];
    const holder = holders.find(({ job }) => ancestors.has(job));
    if (holder) refuseHeldKey(core.ids.encode(holder.job), key);
  }
}

interface KeyOfChild {
  stage: number;
  tenant: number;
  key: string;
}

/** Adds an existing job as a child. It must not be a job that waits for the parent, or both would wait forever. */
function join(core: Core, parent: JobRow, child: number): void {
  if (ancestorsOf(core, parent).has(child)) refuseAncestor(core.ids.encode(child));
  // A job that others join has a unique key, so its end reads these flags from its row.
  core.statement(MARK).run(child);
}
