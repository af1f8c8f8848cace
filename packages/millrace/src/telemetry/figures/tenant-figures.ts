// The busiest tenants by name, the rest together, in bounded memory however many there are.
//
//   unnamed ──among the busiest at a turn, or while there is room──▶ named ──busier ones came──▶ unnamed
//
// An event counts for its tenant's name or for `other` as it happens and never moves, so that no series jumps when
// names change: a scraper's rates stay true. What was counted for a name that is gone is kept in `gone`.

/** The counts of one tenant. */
export interface TenantTotals {
  /** Jobs that were submitted. */
  submitted: number;
  /** Jobs that completed. */
  completed: number;
  /** Jobs that failed. */
  failed: number;
  /** Submissions that were refused. */
  refused: number;
}

type TenantEvent = keyof TenantTotals;

const MOST_NAMED = 100;
/** Unnamed tenants whose share is watched: past twice as many, the less busy half is forgotten. */
const WATCHED = 1_000;

interface NamedTotals extends TenantTotals {
  weight: number;
}

export class TenantFigures {
  #named = new Map<string, NamedTotals>();
  #watched = new Map<string, number>();
  readonly #other: TenantTotals = nothing();
  readonly #gone: TenantTotals = nothing();

  add(tenant: string, what: TenantEvent, count: number): void {
    const named = this.#named.get(tenant) ?? this.#claimFreeName(tenant);
    if (named) {
      named[what] += count;
      named.weight += count;
      return;
    }
    this.#other[what] += count;
    if (tenant === OTHER) return;
    this.#watched.set(tenant, (this.#watched.get(tenant) ?? 0) + count);
    if (this.#watched.size >= WATCHED * 2) this.#watched = busiest(this.#watched, WATCHED);
  }

  #claimFreeName(tenant: string): NamedTotals | undefined {
    if (this.#named.size >= MOST_NAMED || tenant === OTHER) return undefined;
    const named = { ...nothing(), weight: 0 };
    this.#named.set(tenant, named);
    return named;
  }

  /** Gives names to the busiest tenants. Past work counts half as much with every turn. */
  turn(): void {
    // Named tenants come first: of two that are equally busy, the one that has a name keeps it.
    const weights = new Map<string, number>();
    for (const [tenant, { weight }] of this.#named) weights.set(tenant, weight);
    for (const [tenant, weight] of this.#watched) weights.set(tenant, weight);
    const chosen = busiest(weights, MOST_NAMED);
    const before = this.#named;
    this.#named = new Map();
    for (const [tenant, weight] of chosen) {
      this.#named.set(tenant, { ...(before.get(tenant) ?? nothing()), weight: weight / 2 });
    }
    this.#watched = new Map();
    for (const [tenant, weight] of weights) {
      if (!chosen.has(tenant) && weight >= 1) this.#watched.set(tenant, weight / 2);
    }
    for (const [tenant, totals] of before) if (!chosen.has(tenant)) addTo(this.#gone, totals);
  }

  /** The counts of named tenants, and of events that happened while their tenant had no name. */
  series(): Map<string, TenantTotals> {
    return this.#with(this.#other);
  }

  /** All counts since the start, by the current names. */
  view(): Map<string, TenantTotals> {
    const rest = { ...this.#other };
    addTo(rest, this.#gone);
    return this.#with(rest);
  }

  #with(rest: TenantTotals): Map<string, TenantTotals> {
    const totals = new Map<string, TenantTotals>();
    for (const [tenant, { weight: _weight, ...named }] of this.#named) totals.set(tenant, named);
    if (sumOf(rest) > 0) totals.set(OTHER, { ...rest });
    return totals;
  }
}

/** A tenant that really has this name is counted with the rest. */
const OTHER = "other";

function busiest(weights: Map<string, number>, count: number): Map<string, number> {
  if (weights.size <= count) return new Map(weights);
  return new Map([...weights].sort(([, a], [, b]) => b - a).slice(0, count));
}

function nothing(): TenantTotals {
  return { submitted: 0, completed: 0, failed: 0, refused: 0 };
}

function addTo(sum: TenantTotals, more: TenantTotals): void {
  sum.submitted += more.submitted;
  sum.completed += more.completed;
  sum.failed += more.failed;
  sum.refused += more.refused;
}

function sumOf({ submitted, completed, failed, refused }: TenantTotals): number {
  return submitted + completed + failed + refused;
}
