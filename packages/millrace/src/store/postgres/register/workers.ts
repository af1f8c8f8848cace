// Which processes work on which kinds, under which plan and deployment. A transaction that changes this raises
// `names_version` first. So two of them run one after the other, and every process sees that its catalog is out of date.

import { deploymentLabel, type KindPlan, namesOf, PLAN_NEEDS, planHash } from "../../../job/kind/plan.ts";
import type { Choice } from "../../plans/catalog.ts";
import { type DeploymentRow, needsNewNumber, planConflict } from "../../plans/deployment.ts";
import type { Registration } from "../../verbs/processes.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { lookAtAllKeys } from "../keys/places.ts";
import { givePlans } from "./planless.ts";

/**
 * A process that starts sends about five statements for each kind, one after the other, and processes that start together take
 * turns. That is 5 s for 30 kinds and a database 30 ms away. A process that was declared dead sends the same.
 */
export const START_MS = 60_000;
export const PATIENT = `SET LOCAL statement_timeout = ${START_MS}`;

/** For callers that cannot wait for a process that registers. */
export const HASTY = "SET LOCAL lock_timeout = 1000";

const BUMP = `INSERT INTO millrace.meta (name, value) VALUES ('names_version', '1')
  ON CONFLICT (name) DO UPDATE SET value = (meta.value::bigint + 1)::text`;
const MOMENT = `SELECT ${NOW} AS now`;
const FIND_KIND = "SELECT id FROM millrace.kind WHERE name = $1";
const ADD_KIND = "INSERT INTO millrace.kind (name, plan) VALUES ($1, '') RETURNING id";
const FIND_PLAN = "SELECT id, unused_since FROM millrace.plan WHERE hash = $1";
const USE_AGAIN = "UPDATE millrace.plan SET unused_since = NULL WHERE id = $1";
const ADD_PLAN = `INSERT INTO millrace.plan (kind, stages, hash, first_seen, needs) VALUES ($1, $2, $3, $4, $5) RETURNING id`;
const FIND_STAGE = `SELECT id FROM millrace.stage WHERE kind = $1 AND name = $2 AND plan IS NOT DISTINCT FROM $3::int AND pin = $4`;
const ADD_STAGE = `INSERT INTO millrace.stage (kind, name, plan, pin, position, next) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`;
const DEPLOYMENTS = "SELECT id, label, number, announced_at, living_since, ended_at FROM millrace.deployment";
const ADD_DEPLOYMENT = "INSERT INTO millrace.deployment (label) VALUES ($1) RETURNING id";
const ANNOUNCE = `UPDATE millrace.deployment SET announced_at = $2,
  number = (SELECT coalesce(max(number), 0) + 1 FROM millrace.deployment) WHERE id = $1`;
const LIVES = `UPDATE millrace.deployment SET ended_at = NULL, living_since = CASE WHEN ended_at IS NULL AND living_since IS NOT NULL
  THEN living_since ELSE $2 END WHERE id = $1`;
const ENDED = `UPDATE millrace.deployment SET ended_at = $2 WHERE id = $1
  AND NOT EXISTS (SELECT 1 FROM millrace.worker WHERE worker.deployment = deployment.id)`;
const ADD_DEPLOYMENT_PLAN = `INSERT INTO millrace.deployment_plan (deployment, plan) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
const OTHER_PLAN = `SELECT instance.name, plan.stages FROM millrace.worker JOIN millrace.instance ON instance.id = worker.instance
    JOIN millrace.plan ON plan.id = worker.plan
  WHERE worker.deployment = $1 AND worker.kind = $2 AND worker.plan <> $3 AND worker.instance <> $4 AND instance.expires_at > $5 LIMIT 1`;
const SET_PLANS = "UPDATE millrace.instance SET plans = $2 WHERE id = $1";
const OWN = "SELECT DISTINCT deployment FROM millrace.worker WHERE instance = $1";
const DROP_WORKER = "DELETE FROM millrace.worker WHERE instance = $1";
const ADD_WORKER = `INSERT INTO millrace.worker (instance, kind, plan, deployment, pinned, serves, policy)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const SET_LAST = `UPDATE millrace.kind SET last_plan = $2, last_pin = $3, last_number = $4, plan = $5 WHERE id = $1 AND last_number <= $4`;
const NUMBER = "SELECT number FROM millrace.deployment WHERE id = $1";
/** A process that does not work has number 0. */
const PUT_LIMIT = `INSERT INTO millrace.concurrency_limit AS known (name, total, number) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET total = excluded.total, number = excluded.number WHERE excluded.number >= known.number`;

/**
 * Enters the registered kinds, plans and workers of this process. `resumed`: the process was declared dead meanwhile, which is no
 * reason for another number of its deployment.
 */
export async function announce(core: Core, { resumed }: { resumed: boolean }): Promise<void> {
  const { registration } = core;
  if (!registration) return;
  await core.names.load();
  const before = core.names.keyedKinds();
  const enterPlans = async (tx: StatementRunner) => {
    await tx.run(PATIENT, []);
    await enterAll(core, tx, { ...registration, resumed });
  };
  await core.connections.write.transact(enterPlans, { limitMs: START_MS });
  await core.names.load();
  // Kinds that now allow more jobs per key.
  const grown = [...core.names.keyedKinds()].filter(([kind, most]) => most > (before.get(kind) ?? most));
  await lookAtAllKeys(
    core.connections.write,
    grown.map(([kind]) => kind),
  );
  core.voice.say("work");
}

interface Announcement {
  plans: KindPlan[];
  registration: Registration;
  resumed: boolean;
}

async function enterAll(
  core: Core,
  tx: StatementRunner,
  { plans, registration, resumed }: Announcement,
): Promise<void> {
  const { work = true, deployment: label = deploymentLabel(plans) } = registration;
  await tx.run(BUMP, []);
  const [moment] = await tx.run<{ now: number }>(MOMENT, [core.clock.given]);
  const now = moment?.now as number;
  await dropWorker(tx, core.instances.id, now);
  const worked = work ? plans.filter(({ stages }) => stages.length > 0) : [];
  const id = worked.length > 0 ? await enterDeployment(tx, label) : 0;
  if (worked.length > 0) {
    const all = await tx.run<DeploymentRow>(DEPLOYMENTS, []);
    if (needsNewNumber(all, { id, now, resumed })) await tx.run(ANNOUNCE, [id, now]);
    await tx.run(LIVES, [id, now]);
  }
  const own = new Map<string, Choice>();
  for (const plan of plans) {
    const { kind, choice } = await enter(tx, plan, id, now);
    if (!choice) continue;
    own.set(plan.name, choice);
    if (worked.includes(plan)) await addWorker(core, tx, { plan, kind, choice, deployment: { id, label }, now });
  }
  await givePlans(
    tx,
    core.connections.target.schema,
    worked.map(({ name }) => ({ kind: name, choice: own.get(name) as Choice })),
  );
  const [deployment] = id > 0 ? await tx.run<{ number: number }>(NUMBER, [id]) : [];
  for (const [name, { total }] of Object.entries(registration.limits ?? {})) {
    await tx.run(PUT_LIMIT, [name, total, deployment?.number ?? 0]);
  }
  const ids = [...own.values()].map((choice) => choice.plan);
  await tx.run(SET_PLANS, [core.instances.id, JSON.stringify(ids)]);
  core.names.registered(own, worked.length > 0 ? id : 0);
}

/** The process stopped or died, so its plans are no longer chosen. */
export async function endWorker(tx: StatementRunner, instance: number, endedAt: number): Promise<void> {
  if ((await tx.run(OWN, [instance])).length === 0) return;
  await tx.run(BUMP, []);
  await dropWorker(tx, instance, endedAt);
}

async function dropWorker(tx: StatementRunner, instance: number, endedAt: number): Promise<void> {
  const deployments = await tx.run<{ deployment: number }>(OWN, [instance]);
  await tx.run(DROP_WORKER, [instance]);
  for (const { deployment } of deployments) await tx.run(ENDED, [deployment, endedAt]);
}

export async function bumpVersion(tx: StatementRunner): Promise<void> {
  await tx.run(BUMP, []);
}

/** Adds the kind, its plan and its stages. Existing rows stay as they are. */
async function enter(
  tx: StatementRunner,
  plan: KindPlan,
  deployment: number,
  now: number,
): Promise<{ kind: number; choice: Choice | undefined }> {
  const kind = await idOf(tx, { find: FIND_KIND, add: ADD_KIND }, [plan.name]);
  if (plan.stages.length === 0) {
    await enterStage(tx, { kind, name: "", plan: null, pin: 0, position: 0, next: null });
    return { kind, choice: undefined };
  }
  const names = plan.stages.map(({ name }) => name);
  const hash = planHash(plan.name, names);
  const [known] = await tx.run<{ id: number; unused_since: number | null }>(FIND_PLAN, [hash]);
  if (known && known.unused_since !== null) await tx.run(USE_AGAIN, [known.id]);
  const [added] = known
    ? [known]
    : await tx.run<{ id: number }>(ADD_PLAN, [kind, JSON.stringify(names), hash, now, PLAN_NEEDS]);
  const id = added?.id as number;
  const pin = plan.pinned ? deployment : 0;
  for (const each of new Set([0, pin])) await enterStages(tx, { kind, plan: id, names, pin: each });
  return { kind, choice: { plan: id, pin } };
}

export async function enterStages(
  tx: StatementRunner,
  { kind, plan, names, pin }: { kind: number; plan: number; names: string[]; pin: number },
): Promise<void> {
  let next: number | null = null;
  for (let position = names.length - 1; position >= 0; position--)
    next = await enterStage(tx, { kind, name: names[position] as string, plan, pin, position, next });
}

interface NewStage {
  kind: number;
  name: string;
  plan: number | null;
  pin: number;
  position: number;
  next: number | null;
}

async function enterStage(tx: StatementRunner, { kind, name, plan, pin, position, next }: NewStage): Promise<number> {
  const [found] = await tx.run<{ id: number }>(FIND_STAGE, [kind, name, plan, pin]);
  const [row] = found ? [found] : await tx.run<{ id: number }>(ADD_STAGE, [kind, name, plan, pin, position, next]);
  return row?.id as number;
}

function enterDeployment(tx: StatementRunner, label: string): Promise<number> {
  return idOf(tx, { find: "SELECT id FROM millrace.deployment WHERE label = $1", add: ADD_DEPLOYMENT }, [label]);
}

async function idOf(
  tx: StatementRunner,
  { find, add }: { find: string; add: string },
  values: string[],
): Promise<number> {
  const [found] = await tx.run<{ id: number }>(find, values);
  const [row] = found ? [found] : await tx.run<{ id: number }>(add, values);
  return row?.id as number;
}

interface NewWorker {
  plan: KindPlan;
  kind: number;
  choice: Choice;
  deployment: { id: number; label: string };
  now: number;
}

async function addWorker(
  core: Core,
  tx: StatementRunner,
  { plan, kind, choice, deployment, now }: NewWorker,
): Promise<void> {
  const { id, label } = deployment;
  const instance = core.instances.id;
  const [other] = await tx.run<{ name: string; stages: string }>(OTHER_PLAN, [id, kind, choice.plan, instance, now]);
  if (other) throw planConflict(label, plan, other.name, JSON.parse(other.stages));
  const policy = JSON.stringify(plan);
  const serves = JSON.stringify(plan.stages.flatMap(namesOf));
  await tx.run(ADD_WORKER, [instance, kind, choice.plan, id, plan.pinned === true, serves, policy]);
  await tx.run(ADD_DEPLOYMENT_PLAN, [id, choice.plan]);
  const [row] = await tx.run<{ number: number }>(NUMBER, [id]);
  await tx.run(SET_LAST, [kind, choice.plan, choice.pin, row?.number as number, policy]);
}
