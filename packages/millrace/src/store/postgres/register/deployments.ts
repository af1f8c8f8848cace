import { RUNNING } from "../../codes.ts";
import { type StageFacts, withLater } from "../../plans/deployment.ts";
import {
  type DeployedPlanRow,
  type DeployedWorkerRow,
  deploymentsOf,
  type NamedDeploymentRow,
  workerOf,
} from "../../rows/deployment-rows.ts";
import type { DeploymentFacts } from "../../verbs/processes.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";

const DEPLOYMENTS = "SELECT id, label, number FROM millrace.deployment ORDER BY id";
const PLANS = `SELECT deployment_plan.deployment, kind.name AS kind, plan.stages FROM millrace.deployment_plan
  JOIN millrace.plan ON plan.id = deployment_plan.plan JOIN millrace.kind ON kind.id = plan.kind ORDER BY kind.name COLLATE "C", plan.id`;
// The rows of jobs in a bundle still say that they are ready. The kind of such a job follows from its stage.
const WORKERS = `SELECT instance.name AS process, worker.deployment, kind.name AS kind, worker.serves, instance.level, instance.draining,
    ((SELECT count(*) FROM millrace.job JOIN millrace.stage ON stage.id = job.stage
      WHERE standing = ${RUNNING} AND holder = instance.id AND stage.kind = worker.kind)
    + (SELECT count(*) FROM millrace.bundle, unnest(bundle.jobs) AS named (id), LATERAL (SELECT stage FROM millrace.job
      WHERE job.id = named.id LIMIT 1) AS job JOIN millrace.stage ON stage.id = job.stage
      WHERE bundle.holder = instance.id AND stage.kind = worker.kind))::int AS running
  FROM millrace.worker JOIN millrace.instance ON instance.id = worker.instance JOIN millrace.kind ON kind.id = worker.kind
  WHERE instance.expires_at > ${NOW} ORDER BY instance.id, kind.name COLLATE "C"`;
const STAGES = `SELECT kind.name AS kind, stage.name AS stage, pin, coalesce(plan.needs, 0) AS needs, plan.stages AS names,
    position, counted.pending, counted.running
  FROM (SELECT stage, count(*) FILTER (WHERE standing < ${RUNNING})::int AS pending, count(*) FILTER (WHERE standing = ${RUNNING})::int AS running
    FROM millrace.job GROUP BY stage) AS counted
  JOIN millrace.stage ON stage.id = counted.stage JOIN millrace.kind ON kind.id = stage.kind LEFT JOIN millrace.plan ON plan.id = stage.plan`;

export async function deployments(core: Core): Promise<DeploymentFacts> {
  const { read } = core.connections;
  const rows = await read.run<NamedDeploymentRow>(DEPLOYMENTS, []);
  const plans = await read.run<DeployedPlanRow>(PLANS, []);
  return {
    deployments: deploymentsOf(rows, plans),
    workers: (await read.run<DeployedWorkerRow>(WORKERS, [core.clock.given])).map(workerOf),
    stages: (await read.run<StageFacts>(STAGES, [])).map(withLater),
  };
}
