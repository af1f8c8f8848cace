import type { Config } from "../../config.ts";
import type { Kind } from "../../index.ts";
import { kindsOfAll } from "../../workload/compose.ts";
import type { Workload } from "../../workload/workload.ts";
import { poolProblems } from "../engine.ts";
import { SettingsError } from "../load.ts";
import { UsageError } from "./command.ts";
import { closest, didYouMean } from "./meant.ts";

export interface WorkloadSelection {
  readonly workloads: readonly Workload[];
  readonly kinds: readonly Kind[];
}

/**
 * What `--only` leaves: each name is a workload, which stays with all its kinds, or a kind. A workload of which no kind is
 * left has no routes here either. Without names everything is served.
 */
export async function servedOf(
  workloads: readonly Workload[],
  config: Config,
  only: readonly string[] | undefined,
): Promise<WorkloadSelection> {
  const known = await kindsOfAll(workloads, config);
  const misnamed = poolProblems(config, known);
  if (misnamed.length > 0) throw new SettingsError(misnamed);
  if (only === undefined) return { workloads, kinds: known };
  const names = only.flatMap((list) => list.split(",").map((name) => name.trim()));
  checkNames(
    names,
    known.map(({ name }) => name),
    workloads.map(({ name }) => name),
  );
  const left = await Promise.all(
    workloads.map(async (workload) => {
      const own = await kindsOfAll([workload], config);
      if (names.includes(workload.name)) return { workload, kinds: own };
      return { workload, kinds: own.filter(({ name }) => names.includes(name)) };
    }),
  );
  const served = left.filter(({ workload, kinds }) => kinds.length > 0 || names.includes(workload.name));
  return { workloads: served.map(({ workload }) => workload), kinds: served.flatMap(({ kinds }) => kinds) };
}

function checkNames(names: readonly string[], kinds: readonly string[], workloads: readonly string[]): void {
  const known = [...new Set([...kinds, ...workloads])];
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const meant = didYouMean(closest(wrong, known));
  throw new UsageError(`Unknown kind or workload "${wrong}".${meant} Known: ${known.join(", ")}.`);
}
