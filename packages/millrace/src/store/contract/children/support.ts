import assert from "node:assert/strict";
import type { JoinMode } from "../../../job/children.ts";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { StoredWait } from "../../../job/wait.ts";
import type { ChildEnds } from "../../verbs/children.ts";
import type { NewJob } from "../../verbs/submission.ts";
import { planOf, type Rig } from "../rig.ts";

/** The kind of the children; their parents are of the kind `mail`. */
export const CHILD_KIND = planOf("child", ["running"]);

export interface ChildrenSpec {
  name?: string;
  mode?: JoinMode;
  kind?: string;
  job?: Partial<NewJob>;
}

/** Starts as many children, with the keys c0, c1 and so on. */
export async function start(
  rig: Rig,
  { lease }: ClaimedJob,
  count: number,
  { name = "parts", mode = "fail", kind = "child", job = {} }: ChildrenSpec = {},
): Promise<StoredWait> {
  const keys = Array.from({ length: count }, (_, i) => `c${i}`);
  const jobs = keys.map((key) => ({ kind, payload: JSON.stringify(key), ...job }));
  const wait = await rig.store.startChildren(lease, { type: "children", name, mode, jobs, keys });
  assert.ok(wait !== "lease-lost");
  return wait;
}

/** A parent that waits for its children. */
export async function waitingParent(rig: Rig, count: number, spec: ChildrenSpec = {}): Promise<ClaimedJob> {
  const parent = await rig.running();
  await start(rig, parent, count, spec);
  await suspend(rig, parent, spec.name);
  return parent;
}

export async function suspend(rig: Rig, parent: ClaimedJob, name = "parts"): Promise<void> {
  const settled = await rig.settle(parent, { type: "waiting", waits: [{ type: "children", name }] });
  assert.equal(settled.written, "written");
}

export function claimChildren(rig: Rig, count: number, by = rig.store): Promise<ClaimedJob[]> {
  return rig.claim(count, { kind: "child", stage: "running" }, by);
}

export async function endsOf(rig: Rig, { lease }: ClaimedJob, name = "parts", results = true): Promise<ChildEnds> {
  const ends = await rig.store.childEnds(lease, { type: "children", name }, { results, maxBytes: 1_000_000 });
  assert.ok(ends !== "lease-lost");
  return ends;
}

/** `key state result` or `key state code` for each child. */
export function endWords({ children }: ChildEnds): string[] {
  return children.map(({ key, state, result, failure }) =>
    [key, state, ...(result === undefined ? [] : [result]), ...(failure === undefined ? [] : [failure.code])].join(" "),
  );
}

/** Completes the children in turn, each with its key as its result. */
export async function completeAll(rig: Rig, jobs: ClaimedJob[]): Promise<void> {
  for (const job of jobs) await rig.complete(job, job.payload);
}
