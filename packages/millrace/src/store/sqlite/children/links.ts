import { DETACHED, JOINED_CHILD } from "../../children/codes.ts";
import { type LinkRows, linksOf, listedWaits } from "../../rows/link-rows.ts";
import type { JobLinks, LinkReadOptions } from "../../verbs/children.ts";
import type { ReadView } from "../core.ts";

const LISTED = "(SELECT value FROM json_each(?))";
const JOBS = `SELECT id, stage, standing FROM job WHERE id IN ${LISTED} ORDER BY id`;
const COUNTS = `SELECT wait.id AS wait, wait.job AS owner, wait.type, wait.name, edge.type AS edge_type, edge.state,
    CASE edge.type WHEN ${DETACHED} THEN (SELECT standing FROM job WHERE job.id = edge.job) END AS standing, count(*) AS count
  FROM wait JOIN edge ON edge.wait = wait.id WHERE wait.job IN ${LISTED} GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY wait.id`;
const EDGES = `SELECT wait, job, key FROM edge WHERE wait IN ${LISTED} ORDER BY wait, place`;
// A job that was only joined has a tree of its own.
const OWNERS = `SELECT edge.job, edge.owner, wait.type, wait.name, edge.key FROM edge JOIN wait ON wait.id = edge.wait
  WHERE edge.job IN ${LISTED} AND edge.type <> ${JOINED_CHILD} ORDER BY edge.id LIMIT 1000`;
const BATCHES = `SELECT job, batch FROM edge WHERE job IN ${LISTED} AND batch IS NOT NULL ORDER BY id LIMIT 1000`;

export function links(view: ReadView, jobIds: string[], { maxJobs }: LinkReadOptions): JobLinks {
  const read = <Row>(sql: string, keys: readonly number[]) => view.statement(sql).all(JSON.stringify(keys)) as Row[];
  const keys = jobIds.map((jobId) => view.ids.decode(jobId) ?? -1);
  const counts = read<LinkRows["counts"][number]>(COUNTS, keys);
  const listed = listedWaits(counts, maxJobs);
  const rows: LinkRows = {
    jobs: read(JOBS, keys),
    counts,
    edges: read(EDGES, listed),
    owners: read(OWNERS, keys),
    batches: read(BATCHES, keys),
  };
  return linksOf(rows, listed, {
    idOf: view.ids.encode,
    batchIdOf: view.batchIds.encode,
    stageOf: (id) => view.names.stage(id),
  });
}
