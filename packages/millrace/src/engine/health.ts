import { messageOf } from "../lib/app-error.ts";
import { outboxProblems } from "../outbox/problems.ts";
import { type UnservedStage, unservedName } from "./deployments.ts";
import type { RunningEngine } from "./running-engine.ts";

/** What `millrace.health()` returns. */
export interface Health {
  /** "degraded": it works, but an operator should act. "error": it does not work. */
  status: "ok" | "degraded" | "error";
  /** Why the status is not "ok", in sentences. */
  problems: string[];
  /** Stages with waiting jobs that no living process serves, as `kind/stage`. */
  unserved: string[];
  /** The same stages, with the number of waiting jobs and the deployment that served them last. */
  unservedStages: UnservedStage[];
}

/** What `millrace.readiness()` returns. */
export interface Readiness {
  /** True: send requests to this process. */
  ready: boolean;
  /** Why it is not ready, in sentences. */
  reasons: string[];
}

export async function healthOf({ parts, fatal, isStopping }: RunningEngine): Promise<Health> {
  const { conditions, pools, deployments, outboxes, limits, store } = parts;
  const sentences = (level: string) =>
    conditions.now.filter((each) => each.level === level).map(({ message }) => message);
  const problems = [...(pools?.problems() ?? []), ...sentences("error")];
  const warnings = [...sentences("degraded"), ...(pools?.delays() ?? [])];
  if (fatal) problems.push(fatal.message);
  if (isStopping) problems.push("Shutting down.");
  if (!fatal && !isStopping) warnings.push(...(await limits.shared.warnings().catch(() => [])));
  const unservedStages =
    fatal || isStopping
      ? []
      : await deployments.unserved().catch((error: unknown) => {
          problems.push(messageOf(error));
          return [];
        });
  if (!fatal && !isStopping) {
    warnings.push(...outboxes.problems(), ...outboxProblems(await store.outboxes().catch(() => [])));
  }
  const unserved = unservedStages.map(unservedName);
  const isWell = warnings.length + unserved.length === 0;
  const status = problems.length > 0 ? "error" : isWell ? "ok" : "degraded";
  return { status, problems: [...problems, ...warnings], unserved, unservedStages };
}

export async function readinessOf(engine: RunningEngine): Promise<Readiness> {
  const { status, problems } = await healthOf(engine);
  const reasons = status === "error" ? problems : (engine.parts.pools?.delays() ?? []);
  return { ready: reasons.length === 0, reasons };
}
