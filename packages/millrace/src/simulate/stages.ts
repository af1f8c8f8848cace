// The pools of a simulation: what the plan says of a stage, else what the code of the kind says, else the defaults.

import type { Kind } from "../job/kind/kind.ts";
import type { Pace } from "../job/kind/pace.ts";
import type { ConcurrencyPolicy, KindPlan, StagePlan } from "../job/kind/plan.ts";
import { planOf, poolSettings } from "../job/kind/settings.ts";
import { DEFAULTS } from "../job/options/settings.ts";
import { AppError } from "../lib/app-error.ts";
import type { RunTime } from "./chance.ts";
import type { SimulatedKind, SimulatedStage, SimulationPlan } from "./plan.ts";

/** All processors of a stage, over all processes. */
export interface PoolRules {
  readonly kind: string;
  readonly stage: string;
  readonly processors: number;
  readonly runMs: RunTime;
  readonly failureRate: number;
  readonly timeoutMs: number;
  readonly pace: Pace | undefined;
}

export interface SimulatedWork {
  /** The kinds as the store registers them. */
  readonly plans: KindPlan[];
  readonly pools: PoolRules[];
}

/** Throws `simulation-invalid` if the stages of the plan are not those of the code. */
export function workOf(plan: SimulationPlan, kinds: readonly Kind[]): SimulatedWork {
  const known = new Map(kinds.map((kind) => [kind.name, kind]));
  const works = Object.entries(plan.kinds).map(([name, simulated]) =>
    workOfKind(name, simulated, known.get(name), plan.processes ?? 1),
  );
  return { plans: works.map((work) => work.plan), pools: works.flatMap((work) => work.pools) };
}

function workOfKind(name: string, simulated: SimulatedKind, code: Kind | undefined, processes: number) {
  const stages = Object.entries(simulated.stages);
  if (code) checkStages(code, Object.keys(simulated.stages));
  const coded = code && planOf(code, DEFAULTS);
  const concurrency = simulated.concurrency ? policyOf(simulated.concurrency) : coded?.concurrency;
  const plan: KindPlan = {
    name,
    stages: stages.map(([stage, rules]) =>
      stagePlan(
        stage,
        rules,
        coded?.stages.find((each) => each.name === stage),
      ),
    ),
    // Completed jobs are counted and not kept, so memory does not grow with them.
    retention: { finishedMs: "none", deadLetterMs: 0 },
    ...(concurrency && { concurrency }),
  };
  return { plan, pools: stages.map(([stage, rules]) => poolRules(name, stage, rules, code, processes)) };
}

function policyOf({ ordered, ifFails, ...bounds }: NonNullable<SimulatedKind["concurrency"]>): ConcurrencyPolicy {
  return {
    ...(bounds.total !== undefined && { total: bounds.total }),
    ...(bounds.perKey !== undefined && { perKey: bounds.perKey }),
    ...(bounds.limits && { limits: [...bounds.limits] }),
    ...(ordered && { ordered }),
    ...(ifFails === "skip" && { ifFails }),
    ...((ordered || bounds.perKey !== undefined) && { keyed: true }),
  };
}

function checkStages(code: Kind, given: readonly string[]): void {
  const coded = code.stages.map(({ name }) => name);
  if (coded.join("\n") === given.join("\n")) return;
  throw new AppError(
    "simulation-invalid",
    `The stages of "${code.name}" are ${coded.join(", ")} in the code, but ${given.join(", ")} in the plan.`,
  );
}

function stagePlan(name: string, rules: SimulatedStage, coded: StagePlan | undefined): StagePlan {
  return {
    name,
    maxAttempts: rules.maxAttempts ?? coded?.maxAttempts ?? DEFAULTS.maxAttempts,
    maxCrashes: DEFAULTS.maxCrashes,
    retry: {
      baseMs: rules.retryBaseMs ?? coded?.retry.baseMs ?? DEFAULTS.retryBaseMs,
      maxMs: rules.retryMaxMs ?? coded?.retry.maxMs ?? DEFAULTS.retryMaxMs,
    },
  };
}

function poolRules(
  kind: string,
  stage: string,
  rules: SimulatedStage,
  code: Kind | undefined,
  processes: number,
): PoolRules {
  const coded = code?.stages.find(({ name }) => name === stage);
  const pool = code && coded ? poolSettings(code, coded, DEFAULTS) : undefined;
  return {
    kind,
    stage,
    processors: (rules.processors ?? pool?.size ?? DEFAULTS.processors) * processes,
    runMs: rules.runMs,
    failureRate: rules.failureRate ?? 0,
    timeoutMs: rules.timeoutMs ?? pool?.timeoutMs ?? DEFAULTS.timeoutMs,
    pace: rules.pace ?? pool?.pace,
  };
}
