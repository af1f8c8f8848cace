import type { Kind } from "../job/kind/kind.ts";
import { checkPlan, type SimulationPlan } from "./plan.ts";
import type { SimulationReport } from "./report.ts";
import { Simulation } from "./simulation.ts";

/** Options of `simulate()`. */
export interface SimulateOptions {
  /**
   * The kinds in code. Stages of the plan take their processors, retries, time limits and pace from them where the plan
   * has no value. Default: none.
   */
  // biome-ignore lint/suspicious/noExplicitAny: kinds of any payload and result
  kinds?: readonly Kind<any, any>[];
  /** Ends the simulation early, with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Runs a load through the real store under a virtual clock: an hour takes seconds. It says how long jobs wait,
 * how busy each pool is and what is refused, before you buy machines.
 *
 * @example
 * ```ts
 * import { simulate } from "millrace/testing";
 *
 * const report = await simulate({
 *   duration: { minutes: 10 },
 *   kinds: { mail: { stages: { send: { processors: 4, runMs: { median: 200, p95: 600 } } } } },
 *   load: [{ kind: "mail", perSecond: 10 }],
 * });
 * const [send] = report.stages;
 * console.log(`${Math.round((send?.busy ?? 0) * 100)} % busy, p95 of the wait ${Math.round(send?.waitMs.p95 ?? 0)} ms`);
 * ```
 */
export async function simulate(
  plan: SimulationPlan,
  { kinds = [], signal }: SimulateOptions = {},
): Promise<SimulationReport> {
  return new Simulation(checkPlan(plan), kinds).run(signal);
}
