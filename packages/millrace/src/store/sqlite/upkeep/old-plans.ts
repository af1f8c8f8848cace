import { LOOK_MS, longestRetention, type PlanFacts, stagesInQuestion, unusedRows } from "../../plans/unused.ts";
import type { Core } from "../core.ts";
import { bumpVersion } from "../register/workers.ts";

const PLANS = "SELECT id, kind, stages, unused_since FROM plan";
const STAGES = "SELECT id, plan, pin FROM stage";
const DEPLOYMENTS = "SELECT id, number, ended_at FROM deployment";
const RAN = "SELECT deployment, plan FROM deployment_plan";
const NAMED = `SELECT plan, deployment FROM worker
  UNION ALL SELECT last_plan, last_pin FROM kind WHERE last_plan IS NOT NULL`;
// A process whose lease has expired may go on, until another process takes its jobs back.
const REGISTERED = "SELECT plans FROM instance WHERE expires_at > 0";
const USED = `SELECT id FROM stage WHERE id IN (SELECT value FROM json_each(?))
  AND (scheduled + ready + suspect + held + running + completed + failed + rejected + cancelled > 0
    OR EXISTS (SELECT 1 FROM window WHERE what = 'start' AND owner = stage.id))`;
const MARK = "UPDATE plan SET unused_since = ?2 WHERE id IN (SELECT value FROM json_each(?1))";
const DROP_LANES = `DELETE FROM lane WHERE stage IN (SELECT id FROM stage WHERE plan IN (SELECT value FROM json_each(?1))
  OR pin IN (SELECT value FROM json_each(?2)))`;
const DROP_STAGES = `DELETE FROM stage WHERE plan IN (SELECT value FROM json_each(?1)) OR pin IN (SELECT value FROM json_each(?2))`;
const DROP_PLANS = "DELETE FROM plan WHERE id IN (SELECT value FROM json_each(?))";
const DROP_RAN = "DELETE FROM deployment_plan WHERE deployment IN (SELECT value FROM json_each(?))";
const DROP_DEPLOYMENTS = "DELETE FROM deployment WHERE id IN (SELECT value FROM json_each(?))";

/** Deletes plans and deployments that nothing refers to; at most `limit` of each. */
export function pruneOldPlans(core: Core, limit: number): void {
  const { clock, ages, names, statement } = core;
  if (clock.monotonic() < core.plansDueAt) return;
  core.plansDueAt = clock.monotonic() + LOOK_MS;
  core.counts.flush();
  const facts = readFacts(core);
  const kinds = new Set(names.allStages().map(({ kind }) => kind));
  const endedBefore = ages.before(longestRetention([...kinds].map((kind) => names.rules(kind))));
  const inQuestion = JSON.stringify(stagesInQuestion(facts, endedBefore));
  const used = new Set((statement(USED).all(inQuestion) as { id: number }[]).map(({ id }) => id));
  const rows = unusedRows(facts, { used, endedBefore, ages });
  if (rows.mark.length > 0) statement(MARK).run(JSON.stringify(rows.mark), clock.now());
  if (rows.unmark.length > 0) statement(MARK).run(JSON.stringify(rows.unmark), null);
  if (rows.plans.length + rows.deployments.length === 0) return;
  const plans = JSON.stringify(rows.plans.slice(0, limit));
  const deployments = JSON.stringify(rows.deployments.slice(0, limit));
  statement(DROP_LANES).run(plans, deployments);
  statement(DROP_STAGES).run(plans, deployments);
  statement(DROP_PLANS).run(plans);
  statement(DROP_RAN).run(deployments);
  statement(DROP_DEPLOYMENTS).run(deployments);
  bumpVersion(core);
}

function readFacts(core: Core): PlanFacts {
  const all = <Row>(sql: string) => core.statement(sql).all() as unknown as Row[];
  return {
    plans: all(PLANS),
    stages: all(STAGES),
    deployments: all(DEPLOYMENTS),
    ran: all(RAN),
    named: all(NAMED),
    registered: all<{ plans: string | null }>(REGISTERED).map(({ plans }) => plans),
  };
}
