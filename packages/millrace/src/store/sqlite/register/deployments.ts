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
import type { Core, ReadView } from "../core.ts";

const DEPLOYMENTS = "SELECT id, label, number FROM deployment ORDER BY id";
const PLANS = `SELECT deployment_plan.deployment, kind.name AS kind, plan.stages FROM deployment_plan
  JOIN plan ON plan.id = deployment_plan.plan JOIN kind ON kind.id = plan.kind ORDER BY kind.name, plan.id`;
const WORKERS = `SELECT instance.name AS process, worker.deployment, kind.name AS kind, worker.serves, instance.level, instance.draining,
    (SELECT count(*) FROM job JOIN stage ON stage.id = job.stage
      WHERE standing = ${RUNNING} AND holder = instance.id AND stage.kind = worker.kind) AS running
  FROM worker JOIN instance ON instance.id = worker.instance JOIN kind ON kind.id = worker.kind
  WHERE instance.expires_at > ? ORDER BY instance.id, kind.name`;
const STAGES = `SELECT kind.name AS kind, stage.name AS stage, pin, coalesce(plan.needs, 0) AS needs, plan.stages AS names, position,
    scheduled + ready + suspect + held AS pending, running
  FROM stage JOIN kind ON kind.id = stage.kind LEFT JOIN plan ON plan.id = stage.plan
  WHERE scheduled + ready + suspect + held + running > 0`;

export function deployments(core: ReadView): DeploymentFacts {
  const all = <Row>(sql: string, ...values: number[]) => core.statement(sql).all(...values) as unknown as Row[];
  const now = "clock" in core ? (core as Core).clock.now() : Date.now();
  return {
    deployments: deploymentsOf(all<NamedDeploymentRow>(DEPLOYMENTS), all<DeployedPlanRow>(PLANS)),
    workers: all<DeployedWorkerRow>(WORKERS, now).map(workerOf),
    stages: all<StageFacts>(STAGES).map(withLater),
  };
}
