// Which rows of old plans and deployments can be deleted. Both stores read the facts and delete; the decision is made here.
//
//   plan:        in use ──nothing refers to it──▶ marked ──an hour later still so──▶ deleted
//                   ▲                                │
//                   └──────it is used again──────────┘
//   deployment:  ended ──the longest retention is over, and no job refers to it──▶ deleted
//
// A plan and its workflow twin go together, because new jobs of the plan start on the twin. A submission chooses its plan before it
// writes the job, so a plan goes only when no process could have chosen it for an hour.

import type { KindPlan } from "../../job/kind/plan.ts";

/** How often the rows are looked at. */
export const LOOK_MS = 600_000;
const UNUSED_FOR_MS = 3_600_000;

export interface PlanFacts {
  plans: { id: number; kind: number; stages: string; unused_since: number | null }[];
  stages: { id: number; plan: number | null; pin: number }[];
  deployments: { id: number; number: number | null; ended_at: number | null }[];
  /** The plans that workers of a deployment ran. */
  ran: { deployment: number; plan: number }[];
  /** What a living worker uses, and what a kind's last worker used. `deployment` is 0 for jobs that are not pinned. */
  named: { plan: number | null; deployment: number }[];
  /** The plan ids that each living process registered, as JSON; null for a process of an older release. */
  registered: (string | null)[];
}

export interface AgeOf {
  /** The latest moment that is at least this long ago. */
  before(ageMs: number): number;
}

export interface UnusedRows {
  /** Plans that nothing refers to since now. */
  mark: number[];
  /** Plans that were marked and are used again. */
  unmark: number[];
  plans: number[];
  deployments: number[];
}

/** A deployment is shown for this long after its end, and its jobs can be revived. */
export function longestRetention(rules: readonly KindPlan[]): number {
  const times = rules.flatMap(({ retention: { finishedMs, deadLetterMs } }) => [
    finishedMs === "none" ? 0 : finishedMs,
    deadLetterMs,
  ]);
  return Math.max(UNUSED_FOR_MS, ...times);
}

/** The stages whose jobs decide. Empty in most looks, since then nothing can go. */
export function stagesInQuestion(facts: PlanFacts, endedBefore: number): number[] {
  if (facts.registered.includes(null)) return [];
  const deployments = new Set(endedDeployments(facts, endedBefore).map(({ id }) => id));
  const plans = new Set(unnamedGroups(facts).flatMap((group) => group.map(({ id }) => id)));
  for (const { deployment, plan } of facts.ran) if (deployments.has(deployment)) plans.add(plan);
  return facts.stages
    .filter(({ plan, pin }) => (plan !== null && plans.has(plan)) || deployments.has(pin))
    .map(({ id }) => id);
}

/** The rows that can be deleted. `used` are the stages in question that a job or a window of starts refers to. */
export function unusedRows(
  facts: PlanFacts,
  { used, endedBefore, ages }: { used: ReadonlySet<number>; endedBefore: number; ages: AgeOf },
): UnusedRows {
  const none: UnusedRows = { mark: [], unmark: [], plans: [], deployments: [] };
  // A process of an older release does not say which plans it may choose.
  if (facts.registered.includes(null)) return none;
  const goneSince = ages.before(UNUSED_FOR_MS);
  const usedPlans = new Set(facts.stages.flatMap(({ id, plan }) => (plan !== null && used.has(id) ? [plan] : [])));
  const rows = { ...none, deployments: unusedDeployments(facts, { used, usedPlans, endedBefore }) };
  const unnamed = new Set(unnamedGroups(facts));
  for (const group of groupsOf(facts)) {
    if (!unnamed.has(group) || group.some(({ id }) => usedPlans.has(id))) {
      rows.unmark.push(...group.filter(({ unused_since }) => unused_since !== null).map(({ id }) => id));
      continue;
    }
    rows.mark.push(...group.filter(({ unused_since }) => unused_since === null).map(({ id }) => id));
    if (group.every(({ unused_since }) => unused_since !== null && unused_since <= goneSince))
      rows.plans.push(...group.map(({ id }) => id));
  }
  return rows;
}

type Plan = PlanFacts["plans"][number];

const groups = new WeakMap<PlanFacts, Plan[][]>();

/** A plan with its twin. */
function groupsOf(facts: PlanFacts): Plan[][] {
  const known = groups.get(facts);
  if (known) return known;
  const byStages = new Map<string, Plan[]>();
  for (const plan of facts.plans) {
    const name = `${plan.kind} ${plan.stages}`;
    byStages.set(name, [...(byStages.get(name) ?? []), plan]);
  }
  const made = [...byStages.values()];
  groups.set(facts, made);
  return made;
}

/** The groups that nothing but jobs can keep. */
function unnamedGroups(facts: PlanFacts): Plan[][] {
  const named = new Set<number | null>([
    ...facts.named.map(({ plan }) => plan),
    ...facts.ran.map(({ plan }) => plan),
    ...facts.registered.flatMap((ids) => JSON.parse(ids ?? "[]") as number[]),
    // SQLite gives the id of a deleted last row to the next one, which a process could take for the old one.
    highest(facts.plans.map(({ id }) => id)),
    facts.stages.find(({ id }) => id === highest(facts.stages.map((stage) => stage.id)))?.plan ?? null,
  ]);
  return groupsOf(facts).filter((group) => group.every(({ id }) => !named.has(id)));
}

function endedDeployments({ deployments, named }: PlanFacts, endedBefore: number): PlanFacts["deployments"] {
  // Numbers go on from the highest, and ids of SQLite from the last.
  const last = highest(deployments.map(({ id }) => id));
  const newest = highest(deployments.map(({ number }) => number ?? 0));
  const kept = new Set(named.map(({ deployment }) => deployment));
  return deployments.filter(
    ({ id, number, ended_at }) =>
      ended_at !== null && ended_at <= endedBefore && id !== last && number !== newest && !kept.has(id),
  );
}

/** A deployment is also kept while it is the last that served a plan with jobs: people look for its name. */
function unusedDeployments(
  facts: PlanFacts,
  { used, usedPlans, endedBefore }: { used: ReadonlySet<number>; usedPlans: ReadonlySet<number>; endedBefore: number },
): number[] {
  const pinned = new Set(facts.stages.filter(({ id }) => used.has(id)).map(({ pin }) => pin));
  const numberOf = new Map(facts.deployments.map(({ id, number }) => [id, number ?? 0]));
  const lastToRun = new Map<number, number>();
  for (const { deployment, plan } of facts.ran) {
    const before = lastToRun.get(plan);
    if (before === undefined || (numberOf.get(deployment) ?? 0) > (numberOf.get(before) ?? 0))
      lastToRun.set(plan, deployment);
  }
  const isLast = (id: number) =>
    facts.ran.some(({ deployment, plan }) => deployment === id && usedPlans.has(plan) && lastToRun.get(plan) === id);
  return endedDeployments(facts, endedBefore).flatMap(({ id }) => (pinned.has(id) || isLast(id) ? [] : [id]));
}

function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 0);
}
