// Which processes work on which kinds, under which plan and deployment. All of it inside the caller's transaction.

import { deploymentLabel, type KindPlan, namesOf, PLAN_NEEDS, planHash } from "../../../job/kind/plan.ts";
import type { Choice } from "../../plans/catalog.ts";
import { type DeploymentRow, needsNewNumber, planConflict } from "../../plans/deployment.ts";
import type { Core } from "../core.ts";
import { givePlan } from "./planless.ts";

const FIND_KIND = "SELECT id FROM kind WHERE name = ?";
const ADD_KIND = "INSERT INTO kind (name, plan) VALUES (?, '') RETURNING id";
const FIND_PLAN = "SELECT id, unused_since FROM plan WHERE hash = ?";
const USE_AGAIN = "UPDATE plan SET unused_since = NULL WHERE id = ?";
const ADD_PLAN = "INSERT INTO plan (kind, stages, hash, first_seen, needs) VALUES (?, ?, ?, ?, ?) RETURNING id";
const FIND_STAGE = "SELECT id FROM stage WHERE kind = ? AND name = ? AND plan IS ? AND pin = ?";
const ADD_STAGE = "INSERT INTO stage (kind, name, plan, pin, position, next) VALUES (?, ?, ?, ?, ?, ?) RETURNING id";
const DEPLOYMENTS = "SELECT id, label, number, announced_at, living_since, ended_at FROM deployment";
const ADD_DEPLOYMENT = "INSERT INTO deployment (label) VALUES (?) RETURNING id";
const ANNOUNCE = `UPDATE deployment SET announced_at = ?2,
  number = (SELECT coalesce(max(number), 0) + 1 FROM deployment) WHERE id = ?1`;
const LIVES = `UPDATE deployment SET ended_at = NULL, living_since = CASE WHEN ended_at IS NULL AND living_since IS NOT NULL
  THEN living_since ELSE ?2 END WHERE id = ?1`;
const ENDED = `UPDATE deployment SET ended_at = ?2 WHERE id = ?1
  AND NOT EXISTS (SELECT 1 FROM worker WHERE worker.deployment = deployment.id)`;
const ADD_DEPLOYMENT_PLAN = "INSERT OR IGNORE INTO deployment_plan (deployment, plan) VALUES (?, ?)";
const OTHER_PLAN = `SELECT instance.name, plan.stages FROM worker JOIN instance ON instance.id = worker.instance
    JOIN plan ON plan.id = worker.plan
  WHERE worker.deployment = ?1 AND worker.kind = ?2 AND worker.plan <> ?3 AND worker.instance <> ?4 AND instance.expires_at > ?5 LIMIT 1`;
const SET_PLANS = "UPDATE instance SET plans = ?2 WHERE id = ?1";
const OWN = "SELECT DISTINCT deployment FROM worker WHERE instance = ?";
const DROP_WORKER = "DELETE FROM worker WHERE instance = ?";
const ADD_WORKER = `INSERT INTO worker (instance, kind, plan, deployment, pinned, serves, policy) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const SET_LAST = `UPDATE kind SET last_plan = ?2, last_pin = ?3, last_number = ?4, plan = ?5 WHERE id = ?1 AND last_number <= ?4`;
const NUMBER = "SELECT number FROM deployment WHERE id = ?";
const BUMP = `INSERT INTO meta (name, value) VALUES ('plans_version', '1')
  ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`;
/** A process that does not work has number 0. */
const PUT_LIMIT = `INSERT INTO concurrency_limit (name, total, number) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET total = excluded.total, number = excluded.number WHERE excluded.number >= number`;

/**
 * Enters the registered kinds, plans and workers of this process. `resumed`: the process was declared dead meanwhile, which is no
 * reason for another number of its deployment.
 */
export function announce(core: Core, { resumed }: { resumed: boolean }): void {
  if (!core.registration) return;
  const { plans, registration } = core.registration;
  const { work = true, deployment = deploymentLabel(plans) } = registration;
  const now = core.clock.now();
  endWorker(core, core.instances.id, now);
  const worked = work ? plans.filter(({ stages }) => stages.length > 0) : [];
  const id = worked.length > 0 ? enterDeployment(core, deployment) : 0;
  const entered = plans.map((plan) => enter(core, plan, id, now));
  if (worked.length > 0) {
    if (needsNewNumber(deployments(core), { id, now, resumed })) core.statement(ANNOUNCE).run(id, now);
    core.statement(LIVES).run(id, now);
  }
  for (const { plan, kind, choice } of entered) {
    if (choice && worked.includes(plan)) addWorker(core, { plan, kind, choice, deployment: { id, label: deployment } });
  }
  const { number = 0 } = (core.statement(NUMBER).get(id) ?? {}) as { number?: number };
  for (const [name, { total }] of Object.entries(registration.limits ?? {})) {
    core.statement(PUT_LIMIT).run(name, total, number);
  }
  core.statement(BUMP).run();
  const own = new Map(entered.flatMap(({ plan, choice }) => (choice ? [[plan.name, choice] as const] : [])));
  const ids = [...own.values()].map((choice) => choice.plan);
  core.statement(SET_PLANS).run(core.instances.id, JSON.stringify(ids));
  core.names.registered(own, worked.length > 0 ? id : 0);
  if (worked.length > 0) for (const { plan } of entered) givePlan(core, plan.name);
}

/** The process stopped or died, so its plans are no longer chosen. */
export function endWorker(core: Core, instance: number, endedAt: number): void {
  const deployments = core.statement(OWN).all(instance) as { deployment: number }[];
  if (deployments.length === 0) return;
  core.statement(DROP_WORKER).run(instance);
  for (const { deployment } of deployments) core.statement(ENDED).run(deployment, endedAt);
  bumpVersion(core);
}

export function bumpVersion(core: Core): void {
  core.statement(BUMP).run();
  core.names.forgetStages();
}

interface EnteredKind {
  plan: KindPlan;
  kind: number;
  /** Missing: the kind is a contract here. */
  choice: Choice | undefined;
}

/** Adds the kind, its plan and its stages. Existing rows stay as they are. */
function enter(core: Core, plan: KindPlan, deployment: number, now: number): EnteredKind {
  const { statement } = core;
  const found = statement(FIND_KIND).get(plan.name) as { id: number } | undefined;
  const kind = (found ?? (statement(ADD_KIND).get(plan.name) as { id: number })).id;
  if (plan.stages.length === 0) {
    enterStage(core, { kind, name: "", plan: null, pin: 0, position: 0, next: null });
    return { plan, kind, choice: undefined };
  }
  const names = plan.stages.map(({ name }) => name);
  const hash = planHash(plan.name, names);
  const known = statement(FIND_PLAN).get(hash) as { id: number; unused_since: number | null } | undefined;
  if (known && known.unused_since !== null) statement(USE_AGAIN).run(known.id);
  const { id } =
    known ?? (statement(ADD_PLAN).get(kind, JSON.stringify(names), hash, now, PLAN_NEEDS) as { id: number });
  const pin = plan.pinned ? deployment : 0;
  for (const each of new Set([0, pin])) enterStages(core, kind, id, names, each);
  return { plan, kind, choice: { plan: id, pin } };
}

export function enterStages(core: Core, kind: number, plan: number, names: string[], pin: number): void {
  let next: number | null = null;
  for (let position = names.length - 1; position >= 0; position--)
    next = enterStage(core, { kind, name: names[position] as string, plan, pin, position, next });
}

interface NewStage {
  kind: number;
  name: string;
  plan: number | null;
  pin: number;
  position: number;
  next: number | null;
}

function enterStage(core: Core, { kind, name, plan, pin, position, next }: NewStage): number {
  const found = core.statement(FIND_STAGE).get(kind, name, plan, pin) as { id: number } | undefined;
  return (found ?? (core.statement(ADD_STAGE).get(kind, name, plan, pin, position, next) as { id: number })).id;
}

function enterDeployment(core: Core, label: string): number {
  const known = deployments(core).find((each) => each.label === label);
  return known?.id ?? (core.statement(ADD_DEPLOYMENT).get(label) as { id: number }).id;
}

function deployments(core: Core): DeploymentRow[] {
  return core.statement(DEPLOYMENTS).all() as unknown as DeploymentRow[];
}

function addWorker(
  core: Core,
  {
    plan,
    kind,
    choice,
    deployment,
  }: { plan: KindPlan; kind: number; choice: Choice; deployment: { id: number; label: string } },
): void {
  const { id, label } = deployment;
  const now = core.clock.now();
  const other = core.statement(OTHER_PLAN).get(id, kind, choice.plan, core.instances.id, now) as
    | { name: string; stages: string }
    | undefined;
  if (other) throw planConflict(label, plan, other.name, JSON.parse(other.stages));
  const policy = JSON.stringify(plan);
  const serves = JSON.stringify(plan.stages.flatMap(namesOf));
  core.statement(ADD_WORKER).run(core.instances.id, kind, choice.plan, id, plan.pinned ? 1 : 0, serves, policy);
  core.statement(ADD_DEPLOYMENT_PLAN).run(id, choice.plan);
  const { number } = core.statement(NUMBER).get(id) as { number: number };
  core.statement(SET_LAST).run(kind, choice.plan, choice.pin, number, policy);
}
