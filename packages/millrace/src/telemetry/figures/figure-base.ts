import type { FigurePoint, StagePoint, TenantPoint } from "./history.ts";

const COUNTERS = ["submitted", "completed", "failed", "cancelled", "attemptsFailed", "refused"] as const;
const STAGE_COUNTERS = ["completed", "failed", "retries"] as const;
const TENANT_COUNTERS = ["submitted", "completed", "failed", "refused"] as const;

type StageBase = Pick<StagePoint, (typeof STAGE_COUNTERS)[number]>;

/** What is added to counters that begin at zero with a process, so that they go on where stored ones end. */
export class FigureBase {
  readonly #jobs: Pick<FigurePoint, (typeof COUNTERS)[number]>;
  readonly #stages = new Map<string, StageBase>();
  readonly #tenants = new Map<string, TenantPoint>();

  constructor(stored: FigurePoint | undefined, first: FigurePoint) {
    this.#jobs = missing(COUNTERS, stored, first);
    for (const [name, stage] of Object.entries(stored?.perStage ?? {})) {
      this.#stages.set(name, missing(STAGE_COUNTERS, stage, first.perStage[name]));
    }
    for (const [name, tenant] of Object.entries(stored?.perTenant ?? {})) {
      this.#tenants.set(name, missing(TENANT_COUNTERS, tenant, first.perTenant[name]));
    }
  }

  added(point: FigurePoint): FigurePoint {
    return {
      ...point,
      ...sum(COUNTERS, point, this.#jobs),
      perStage: mapped(point.perStage, (name, stage) => ({
        ...stage,
        ...sum(STAGE_COUNTERS, stage, this.#stages.get(name)),
      })),
      perTenant: mapped(point.perTenant, (name, tenant) => sum(TENANT_COUNTERS, tenant, this.#tenants.get(name))),
    };
  }
}

type Counts<Name extends string> = { readonly [name in Name]: number };

function missing<Name extends string>(
  names: readonly Name[],
  stored: Counts<Name> | undefined,
  first: Counts<Name> | undefined,
): { [name in Name]: number } {
  const difference = (name: Name) => (stored === undefined ? 0 : stored[name] - (first?.[name] ?? 0));
  return Object.fromEntries(names.map((name) => [name, difference(name)])) as { [name in Name]: number };
}

function sum<Name extends string>(
  names: readonly Name[],
  a: Counts<Name>,
  b: Counts<Name> | undefined,
): { [name in Name]: number } {
  return Object.fromEntries(names.map((name) => [name, a[name] + (b?.[name] ?? 0)])) as { [name in Name]: number };
}

function mapped<Value, Result>(
  all: Readonly<Record<string, Value>>,
  change: (name: string, value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, change(name, value)]));
}
