import type { StageRow } from "../../plans/catalog.ts";
import { type StageFacts, UNPINNED, withLater } from "../../plans/deployment.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { DeploymentFacts } from "../../verbs/processes.ts";
import { buryDead } from "../control/revoke.ts";
import type { Core, View } from "../core.ts";
import { moveUnfinished } from "./planless.ts";
import { bumpVersion, enterStages } from "./workers.ts";

const DEPLOYMENTS = "SELECT id, label, number FROM deployment ORDER BY id";
const PLANS = `SELECT deployment_plan.deployment, kind.name AS kind, plan.stages FROM deployment_plan
  JOIN plan ON plan.id = deployment_plan.plan JOIN kind ON kind.id = plan.kind ORDER BY kind.name, plan.id`;
const WORKERS = `SELECT instance.name AS process, worker.deployment, kind.name AS kind, worker.serves, instance.level, instance.draining,
    (SELECT count(*) FROM job JOIN stage ON stage.id = job.stage
      WHERE standing = 4 AND holder = instance.id AND stage.kind = worker.kind) AS running
  FROM worker JOIN instance ON instance.id = worker.instance JOIN kind ON kind.id = worker.kind
  WHERE instance.expires_at > ? ORDER BY instance.id, kind.name`;
const STAGES = `SELECT kind.name AS kind, stage.name AS stage, pin, coalesce(plan.needs, 0) AS needs, plan.stages AS names, position,
    scheduled + ready + suspect + held AS pending, running
  FROM stage JOIN kind ON kind.id = stage.kind LEFT JOIN plan ON plan.id = stage.plan
  WHERE scheduled + ready + suspect + held + running > 0`;
const FIND = "SELECT id FROM deployment WHERE label = ?";
const HAS_WORKERS = "SELECT 1 FROM worker WHERE deployment = ? LIMIT 1";
const PINNED = `SELECT stage.id, stage.kind, stage.name, stage.plan, plan.stages FROM stage JOIN plan ON plan.id = stage.plan
  WHERE pin = ? AND scheduled + ready + suspect + held > 0`;
const NEWEST = `SELECT CASE WHEN pinned THEN deployment ELSE 0 END AS pin FROM worker JOIN deployment ON deployment.id = worker.deployment
  WHERE kind = ? ORDER BY number DESC LIMIT 1`;
const FIND_STAGE = "SELECT id FROM stage WHERE kind = ? AND name = ? AND plan = ? AND pin = ?";
const MARK_UNPINNED = `UPDATE deployment SET living_since = ${UNPINNED} WHERE id = ?`;
const OUTSIDE_PIN = `SELECT id FROM stage WHERE kind = ?1 AND name = ?2 AND plan = ?3 AND pin = 0
  AND EXISTS (SELECT 1 FROM deployment WHERE deployment.id = ?4 AND living_since = ${UNPINNED})`;

export function deployments(core: View): DeploymentFacts {
  const all = <Row>(sql: string, ...values: number[]) => core.statement(sql).all(...values) as unknown as Row[];
  const now = "clock" in core ? (core as Core).clock.now() : Date.now();
  const plans = all<{ deployment: number; kind: string; stages: string }>(PLANS);
  return {
    deployments: all<{ id: number; label: string; number: number | null }>(DEPLOYMENTS).map(
      ({ id, label, number }) => ({
        id,
        label,
        ...(number !== null && { number }),
        plans: plans
          .filter((plan) => plan.deployment === id)
          .map(({ kind, stages }) => ({ kind, stages: JSON.parse(stages) as string[] })),
      }),
    ),
    workers: all<DeploymentFacts["workers"][number] & { serves: string }>(WORKERS, now).map((row) => ({
      ...row,
      draining: Boolean(row.draining),
      serves: JSON.parse(row.serves),
    })),
    stages: all<StageFacts>(STAGES).map(withLater),
  };
}

/** Dead processes are buried first: their workers no longer count. */
export function unpin(core: Core, label: string): ControlAnswer {
  buryDead(core);
  const deployment = core.statement(FIND).get(label) as { id: number } | undefined;
  if (!deployment) return "not-found";
  if (core.statement(HAS_WORKERS).get(deployment.id)) return { conflict: `Deployment "${label}" still has workers.` };
  core.counts.flush();
  const rows = core.statement(PINNED).all(deployment.id) as {
    id: number;
    kind: number;
    name: string;
    plan: number;
    stages: string;
  }[];
  for (const row of rows) {
    const newest = core.statement(NEWEST).get(row.kind) as { pin: number } | undefined;
    const pin = newest?.pin ?? 0;
    enterStages(core, row.kind, row.plan, JSON.parse(row.stages), pin);
    const { id } = core.statement(FIND_STAGE).get(row.kind, row.name, row.plan, pin) as { id: number };
    moveUnfinished(core, row.id, id);
  }
  core.statement(MARK_UNPINNED).run(deployment.id);
  bumpVersion(core);
  return "done";
}

/** Where a revived job goes on: not pinned to a deployment that was unpinned since it failed. */
export function outsidePin(core: Core, stage: StageRow): StageRow {
  if (stage.pin === 0 || stage.plan === undefined) return stage;
  const row = core.statement(OUTSIDE_PIN).get(stage.kind, stage.name, stage.plan, stage.pin) as
    | { id: number }
    | undefined;
  return row ? core.names.stage(row.id) : stage;
}
