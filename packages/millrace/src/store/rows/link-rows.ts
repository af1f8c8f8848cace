import { STANDINGS } from "../../job/job.ts";
import { childStateOf, DETACHED, endedState, FORGOTTEN, RUNS_YET } from "../children/codes.ts";
import { COMPLETED } from "../codes.ts";
import type { ChildState, JobLinks, LinkedCall, LinkType } from "../verbs/children.ts";

/** The edges of one wait that have the same state. `standing` is that of a job that was only submitted, whose edge has no state. */
export interface CallCount {
  wait: number;
  owner: number;
  type: LinkType;
  name: string;
  edge_type: number;
  state: number;
  standing: number | null;
  count: number;
}

export interface LinkRows {
  jobs: { id: number; stage: number; standing: number }[];
  counts: CallCount[];
  edges: { wait: number; job: number; key: string | null }[];
  owners: { job: number; owner: number; type: LinkType; name: string; key: string | null }[];
  batches: { job: number; batch: number }[];
}

interface LinkNames {
  idOf: (key: number) => string;
  batchIdOf: (key: number) => string;
  stageOf: (id: number) => { name: string; kindName: string };
}

/** The waits whose jobs are listed: the smallest ones, up to `maxJobs` jobs together. */
export function listedWaits(counts: readonly CallCount[], maxJobs: number): number[] {
  const totals = new Map<number, number>();
  for (const { wait, count } of counts) totals.set(wait, (totals.get(wait) ?? 0) + count);
  const smallestFirst = [...totals].sort(([a, left], [b, right]) => left - right || a - b);
  let room = maxJobs;
  const listed: number[] = [];
  for (const [wait, total] of smallestFirst) {
    room -= total;
    if (room < 0) break;
    listed.push(wait);
  }
  return listed;
}

export function linksOf(
  { jobs, counts, edges, owners, batches }: LinkRows,
  listed: readonly number[],
  { idOf, batchIdOf, stageOf }: LinkNames,
): JobLinks {
  const calls = new Map<number, LinkedCall>();
  const isListed = new Set(listed);
  for (const row of counts) {
    const call = calls.get(row.wait) ?? {
      owner: idOf(row.owner),
      type: row.type,
      name: row.name,
      counts: { open: 0, completed: 0, failed: 0, cancelled: 0, forgotten: 0 },
      ...(isListed.has(row.wait) && { jobs: [] }),
    };
    call.counts[stateOf(row)] += row.count;
    calls.set(row.wait, call);
  }
  for (const { wait, job, key } of edges)
    calls.get(wait)?.jobs?.push({ jobId: idOf(job), ...(key !== null && { key }) });
  return {
    jobs: jobs.map(({ id, stage, standing }) => ({
      jobId: idOf(id),
      kind: stageOf(stage).kindName,
      stage: stageOf(stage).name,
      standing: STANDINGS[standing] as (typeof STANDINGS)[number],
    })),
    calls: [...calls.values()],
    owners: owners.map(({ job, owner, key, ...call }) => ({
      ...call,
      jobId: idOf(job),
      owner: idOf(owner),
      ...(key !== null && { key }),
    })),
    batches: batches.map(({ job, batch }) => ({ jobId: idOf(job), batchId: batchIdOf(batch) })),
  };
}

function stateOf({ edge_type, state, standing }: CallCount): ChildState {
  if (edge_type !== DETACHED) return childStateOf(state);
  if (standing === null) return childStateOf(FORGOTTEN);
  return childStateOf(standing < COMPLETED ? RUNS_YET : endedState(standing));
}
