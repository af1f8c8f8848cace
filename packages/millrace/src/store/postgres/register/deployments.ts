import { type StageFacts, UNPINNED, withLater } from "../../plans/deployment.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { DeploymentFacts } from "../../verbs/processes.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import { buryDead } from "../control/revoke.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "./names.ts";
import { moveUnfinished } from "./planless.ts";
import { bumpVersion, enterStages } from "./workers.ts";

const DEPLOYMENTS = "SELECT id, label, number FROM millrace.deployment ORDER BY id";
const PLANS = `SELECT deployment_plan.deployment, kind.name AS kind, plan.stages FROM millrace.deployment_plan
  JOIN millrace.plan ON plan.id = deployment_plan.plan JOIN millrace.kind ON kind.id = plan.kind ORDER BY kind.name COLLATE "C", plan.id`;
// What a bundle names is still ready by its row; those of a kind are told by the stage of their jobs.
const WORKERS = `SELECT instance.name AS process, worker.deployment, kind.name AS kind, worker.serves, instance.level, instance.draining,
    ((SELECT count(*) FROM millrace.job JOIN millrace.stage ON stage.id = job.stage
      WHERE standing = 4 AND holder = instance.id AND stage.kind = worker.kind)
    + (SELECT count(*) FROM millrace.bundle, unnest(bundle.jobs) AS named (id), LATERAL (SELECT stage FROM millrace.job
      WHERE job.id = named.id LIMIT 1) AS job JOIN millrace.stage ON stage.id = job.stage
      WHERE bundle.holder = instance.id AND stage.kind = worker.kind))::int AS running
  FROM millrace.worker JOIN millrace.instance ON instance.id = worker.instance JOIN millrace.kind ON kind.id = worker.kind
  WHERE instance.expires_at > ${NOW} ORDER BY instance.id, kind.name COLLATE "C"`;
const STAGES = `SELECT kind.name AS kind, stage.name AS stage, pin, coalesce(plan.needs, 0) AS needs, plan.stages AS names,
    position, counted.pending, counted.running
  FROM (SELECT stage, count(*) FILTER (WHERE standing < 4)::int AS pending, count(*) FILTER (WHERE standing = 4)::int AS running
    FROM millrace.job GROUP BY stage) AS counted
  JOIN millrace.stage ON stage.id = counted.stage JOIN millrace.kind ON kind.id = stage.kind LEFT JOIN millrace.plan ON plan.id = stage.plan`;
const FIND = "SELECT id FROM millrace.deployment WHERE label = $1 FOR UPDATE";
const HAS_WORKERS = "SELECT 1 FROM millrace.worker WHERE deployment = $1 LIMIT 1";
const PINNED = `SELECT stage.id, stage.kind, stage.name, stage.plan, plan.stages FROM millrace.stage JOIN millrace.plan ON plan.id = stage.plan
  WHERE pin = $1 AND EXISTS (SELECT 1 FROM millrace.job WHERE job.stage = stage.id)`;
const NEWEST = `SELECT CASE WHEN pinned THEN deployment ELSE 0 END AS pin FROM millrace.worker
  JOIN millrace.deployment ON deployment.id = worker.deployment WHERE kind = $1 ORDER BY number DESC LIMIT 1`;
const FIND_STAGE = "SELECT id FROM millrace.stage WHERE kind = $1 AND name = $2 AND plan = $3 AND pin = $4";
const MARK_UNPINNED = `UPDATE millrace.deployment SET living_since = ${UNPINNED} WHERE id = $1`;
const OUTSIDE_PIN = `SELECT id FROM millrace.stage WHERE kind = $1 AND name = $2 AND plan = $3 AND pin = 0
  AND EXISTS (SELECT 1 FROM millrace.deployment WHERE deployment.id = $4 AND living_since = ${UNPINNED})`;

export async function deployments(core: Core): Promise<DeploymentFacts> {
  const { read } = core.connections;
  const found = await read.run<{ id: number; label: string; number: number | null }>(DEPLOYMENTS, []);
  const plans = await read.run<{ deployment: number; kind: string; stages: string }>(PLANS, []);
  const workers = await read.run<DeploymentFacts["workers"][number] & { serves: string }>(WORKERS, [core.clock.given]);
  return {
    deployments: found.map(({ id, label, number }) => ({
      id,
      label,
      ...(number !== null && { number }),
      plans: plans
        .filter((plan) => plan.deployment === id)
        .map(({ kind, stages }) => ({ kind, stages: JSON.parse(stages) as string[] })),
    })),
    workers: workers.map((row) => ({ ...row, serves: JSON.parse(row.serves) })),
    stages: (await read.run<StageFacts>(STAGES, [])).map(withLater),
  };
}

/** Dead processes are buried first: their workers no longer count. */
export async function unpin(core: Core, label: string): Promise<ControlAnswer> {
  await buryDead(core);
  const answer = await core.connections.write.transact(async (tx): Promise<ControlAnswer> => {
    await bumpVersion(tx);
    const [deployment] = await tx.run<{ id: number }>(FIND, [label]);
    if (!deployment) return "not-found";
    if ((await tx.run(HAS_WORKERS, [deployment.id])).length > 0)
      return { conflict: `Deployment "${label}" still has workers.` };
    const rows = await tx.run<{ id: number; kind: number; name: string; plan: number; stages: string }>(PINNED, [
      deployment.id,
    ]);
    for (const row of rows) {
      const [newest] = await tx.run<{ pin: number }>(NEWEST, [row.kind]);
      const pin = newest?.pin ?? 0;
      await enterStages(tx, { kind: row.kind, plan: row.plan, names: JSON.parse(row.stages), pin });
      const [to] = await tx.run<{ id: number }>(FIND_STAGE, [row.kind, row.name, row.plan, pin]);
      await moveUnfinished(tx, row.id, to?.id as number);
    }
    await tx.run(MARK_UNPINNED, [deployment.id]);
    return "done";
  });
  await core.names.load();
  core.voice.say("work");
  return answer;
}

/** Where a revived job goes on: not pinned to a deployment that was unpinned since it failed. */
export async function outsidePin(core: Core, tx: Runner, stage: StageRow): Promise<StageRow> {
  if (stage.pin === 0 || stage.plan === undefined) return stage;
  const [row] = await tx.run<{ id: number }>(OUTSIDE_PIN, [stage.kind, stage.name, stage.plan, stage.pin]);
  return row ? core.names.stage(row.id) : stage;
}
