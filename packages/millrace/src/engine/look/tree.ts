// The tree or flow that a job belongs to: first its ancestors, then what all of them started or depend on, level by level.

import { stateOf } from "../../job/job.ts";
import type { JobTree, TreeEdge, TreeNode } from "../../job/report/tree.ts";
import type { Store } from "../../store/store.ts";
import type { JobLinks } from "../../store/verbs/children.ts";
import { checkJobId } from "../job-ids.ts";
import { jobNotFound } from "./job-not-found.ts";

const MAX_NODES = 200;
const MAX_ANCESTORS = 100;

export async function jobTree(store: Store, jobId: string): Promise<JobTree> {
  const growing = new GrowingTree(await ancestorsOf(store, checkJobId(jobId)));
  while (growing.front.length > 0) {
    const links = await store.links(growing.front, { maxJobs: growing.room });
    growing.add(links);
  }
  const tree = growing.tree(jobId);
  if (!tree.nodes.some((node) => node.jobId === jobId)) throw jobNotFound();
  return tree;
}

/** The job at its end, the farthest ancestor first. */
async function ancestorsOf(store: Store, jobId: string): Promise<string[]> {
  const seen = new Set([jobId]);
  for (let front = [jobId]; front.length > 0; ) {
    const { owners } = await store.links(front, { maxJobs: 0 });
    front = [...new Set(owners.map(({ owner }) => owner))].filter((owner) => !seen.has(owner));
    front = front.slice(0, MAX_ANCESTORS - seen.size);
    for (const owner of front) seen.add(owner);
  }
  return [...seen].reverse();
}

class GrowingTree {
  /** The jobs whose links are not read yet. */
  front: string[];
  readonly #seen: Set<string>;
  readonly #nodes = new Map<string, TreeNode>();
  readonly #edges = new Map<string, TreeEdge>();
  #truncated = false;

  constructor(ancestors: string[]) {
    this.front = ancestors;
    this.#seen = new Set(ancestors);
  }

  get room(): number {
    return Math.max(0, MAX_NODES - this.#seen.size);
  }

  add({ jobs, calls, owners, batches }: JobLinks): void {
    const found = new Map(jobs.map((job) => [job.jobId, job]));
    for (const id of this.front) {
      const job = found.get(id);
      if (!job) continue;
      const { jobId, kind, stage, standing } = job;
      this.#nodes.set(jobId, { jobId, kind, stage, state: stateOf(standing), calls: [] });
    }
    for (const { jobId, batchId } of batches) {
      const node = this.#nodes.get(jobId);
      if (node) node.batch ??= batchId;
    }
    const next: string[] = [];
    for (const { owner, type, name, counts, jobs: listed } of calls) {
      this.#nodes.get(owner)?.calls.push({ type, name, counts, grouped: !listed });
      if (!listed) this.#truncated = true;
      for (const { jobId, key } of listed ?? []) {
        this.#connect({ from: owner, to: jobId, type, name, ...(key !== undefined && { key }) });
        if (this.#discover(jobId)) next.push(jobId);
      }
    }
    for (const { jobId, owner, type, name, key } of owners) {
      // Other jobs of the flow may wait for this one too. A parent is among the ancestors already.
      if (type === "after" && !this.#seen.has(owner)) {
        if (this.room === 0) this.#truncated = true;
        else if (this.#discover(owner)) next.push(owner);
      }
      this.#connect({ from: owner, to: jobId, type, name, ...(key !== undefined && { key }) });
    }
    this.front = next;
  }

  tree(jobId: string): JobTree {
    const edges = [...this.#edges.values()].filter(({ from, to }) => this.#nodes.has(from) && this.#nodes.has(to));
    for (const { from, to, type, name } of edges) {
      const node = this.#nodes.get(to);
      if (!node || type === "after" || node.parent !== undefined) continue;
      node.parent = from;
      node.call = name;
    }
    return { jobId, nodes: [...this.#nodes.values()], edges, truncated: this.#truncated };
  }

  #discover(jobId: string): boolean {
    if (this.#seen.has(jobId)) return false;
    this.#seen.add(jobId);
    return true;
  }

  #connect(edge: TreeEdge): void {
    this.#edges.set(JSON.stringify([edge.from, edge.to, edge.type, edge.name]), edge);
  }
}
