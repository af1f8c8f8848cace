import { DETACHED, JOINED_CHILD } from "../../children/codes.ts";
import { type LinkRows, linksOf, listedWaits } from "../../rows/link-rows.ts";
import type { JobLinks, LinkReadOptions } from "../../verbs/children.ts";
import { numbers } from "../connection/arrays.ts";
import type { Core } from "../core.ts";

const JOBS = "SELECT id, stage, standing FROM millrace.every_job WHERE id = ANY($1::bigint[]) ORDER BY id";
const COUNTS = `SELECT wait, owner, type, name, edge_type, state, standing, count(*)::int AS count FROM (
    SELECT wait.id AS wait, wait.job AS owner, wait.type, wait.name, edge.type AS edge_type, edge.state,
      CASE edge.type WHEN ${DETACHED} THEN (SELECT standing FROM millrace.every_job WHERE every_job.id = edge.job) END AS standing
    FROM millrace.wait JOIN millrace.edge ON edge.wait = wait.id WHERE wait.job = ANY($1::bigint[])) AS link
  GROUP BY wait, owner, type, name, edge_type, state, standing ORDER BY wait`;
const EDGES = "SELECT wait, job, key FROM millrace.edge WHERE wait = ANY($1::bigint[]) ORDER BY wait, place";
// A job that was only joined has a tree of its own.
const OWNERS = `SELECT edge.job, edge.owner, wait.type, wait.name, edge.key FROM millrace.edge JOIN millrace.wait ON wait.id = edge.wait
  WHERE edge.job = ANY($1::bigint[]) AND edge.type <> ${JOINED_CHILD} ORDER BY edge.id LIMIT 1000`;
const BATCHES = `SELECT job, batch FROM millrace.edge WHERE job = ANY($1::bigint[]) AND batch IS NOT NULL
  ORDER BY id LIMIT 1000`;

export async function links(core: Core, jobIds: string[], { maxJobs }: LinkReadOptions): Promise<JobLinks> {
  const read = <Row extends object>(sql: string, keys: readonly number[]) =>
    core.connections.read.run<Row>(sql, [numbers([...keys])]);
  const keys = jobIds.map((jobId) => core.ids.decode(jobId) ?? -1);
  const counts = await read<LinkRows["counts"][number]>(COUNTS, keys);
  const listed = listedWaits(counts, maxJobs);
  const [jobs, edges, owners, batches] = await Promise.all([
    read<LinkRows["jobs"][number]>(JOBS, keys),
    read<LinkRows["edges"][number]>(EDGES, listed),
    read<LinkRows["owners"][number]>(OWNERS, keys),
    read<LinkRows["batches"][number]>(BATCHES, keys),
  ]);
  await core.names.knowStages(jobs.map(({ stage }) => stage));
  return linksOf({ jobs, counts, edges, owners, batches }, listed, {
    idOf: core.ids.encode,
    batchIdOf: core.batchIds.encode,
    stageOf: (id) => core.names.stage(id),
  });
}
