// What several workloads bring, put together. Names that two of them claim are refused.

import type { WorkloadScope } from "../api/route.ts";
import type { Finding } from "../cli/doctor/finding.ts";
import type { Config } from "../config.ts";
import type { Engine } from "../http/engine.ts";
import type { BoundRoute } from "../http/request/bind.ts";
import type { RouteSurroundings, ServedWorkloads } from "../http/workloads.ts";
import type { Kind } from "../job/kind/kind.ts";
import { AppError } from "../lib/app-error.ts";
import type { Log } from "../telemetry/log/log.ts";
import { checkKnownScope } from "./check.ts";
import { emitterOf, eventsOfAll } from "./events.ts";
import type { Limiters, Setup, Workload } from "./workload.ts";

/** Each workload knows the type of its own settings; here it is any. */
function setupOf({ name }: Workload, config: Config): Setup<never> {
  return { settings: config.ofWorkloads[name] as never, engineSettings: config };
}

export async function kindsOfAll(workloads: readonly Workload[], config: Config): Promise<Kind[]> {
  const kinds: Kind[] = [];
  for (const workload of workloads) {
    const given = workload.kinds ?? [];
    const own = typeof given === "function" ? await given(setupOf(workload, config)) : given;
    for (const kind of own) {
      if (kinds.some(({ name }) => name === kind.name)) throw twice(workload, "kind", kind.name);
      kinds.push(kind);
    }
  }
  return kinds;
}

export async function limitersOfAll(workloads: readonly Workload[], config: Config): Promise<Limiters> {
  const all = workloads.map(async (workload) => (await workload.limiters?.(setupOf(workload, config))) ?? {});
  return Object.assign({}, ...(await Promise.all(all)));
}

/** What they bring to the API. Their settings are in the config. */
export function servedBy(workloads: readonly Workload[], config: Pick<Config, "ofWorkloads">): ServedWorkloads {
  return {
    names: workloads.map(({ name }) => name),
    errors: Object.assign({}, ...workloads.map(({ errors }) => errors ?? {})),
    scopes: workloads.flatMap(({ name, scopes = {} }) =>
      Object.entries(scopes).map(([scope, allows]) => ({ workload: name, scope: scope as WorkloadScope, allows })),
    ),
    events: eventsOfAll(workloads),
    pages: workloads.flatMap(({ name, pages }) => (pages ? [{ ...pages, workload: name }] : [])),
    routes: async (surroundings) => {
      const all = workloads.map((workload) => routesOf(workload, config as Config, surroundings));
      return (await Promise.all(all)).flat();
    },
  };
}

async function routesOf(workload: Workload, config: Config, surroundings: RouteSurroundings): Promise<BoundRoute[]> {
  const { emit, log } = surroundings;
  const own = { ...surroundings, emit: emitterOf(workload, emit, log) };
  const routes = (await workload.routes?.({ ...setupOf(workload, config), ...own })) ?? [];
  for (const { spec } of routes) checkKnownScope(workload, spec.access, `${spec.method} ${spec.path}`);
  return [...routes];
}

export async function findingsOfAll(workloads: readonly Workload[], config: Config): Promise<Finding[]> {
  const all = workloads.map(async (workload) => (await workload.doctor?.(setupOf(workload, config))) ?? []);
  return (await Promise.all(all)).flat();
}

export async function startAll(
  workloads: readonly Workload[],
  config: Config,
  surroundings: { engine: Engine; log: Log },
): Promise<void> {
  for (const workload of workloads) await workload.start?.({ ...setupOf(workload, config), ...surroundings });
}

export async function stopAll(workloads: readonly Workload[]): Promise<void> {
  await Promise.all(workloads.map((workload) => workload.stop?.()));
}

function twice({ name }: Workload, what: string, taken: string): AppError {
  return new AppError("workload-invalid", `The workload "${name}" has a ${what} "${taken}", which already exists.`);
}
