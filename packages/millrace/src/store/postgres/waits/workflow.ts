import type { Lease } from "../../../job/lease.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";

const FIRST_JOB = `SELECT job.id, workflow.first_job AS first
  FROM millrace.job
  LEFT JOIN millrace.workflow ON workflow.job = job.id
  WHERE job.id = $1 AND token = $2 AND ${RUNS}`;

export async function firstJob(core: Core, lease: Lease): Promise<string | "lease-lost"> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  const [row] = await core.connections.write.run<{ id: number; first: number | null }>(FIRST_JOB, [key, lease.token]);
  return row ? core.ids.encode(row.first ?? row.id) : "lease-lost";
}
