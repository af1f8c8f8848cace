// How many jobs each lane gives in its turn, where tenants have weights. A lane keeps its turn until it has given as many jobs as its
// weight says, and then moves to the back. So the shares are exact in each full round, whatever the size of the claims.

/** How many jobs of a tenant may start that has no limit: more than any claim takes. */
export const UNLIMITED_STARTS = 1_000_000_000;

/** A lane that has ready jobs, those with the lowest turn first. */
export interface WaitingLane {
  readonly tenant: number;
  readonly weight: number;
  /** How many jobs of its turn it has given. A fraction is left over from the turn before. */
  readonly taken: number;
  /** How many jobs of the tenant may start. */
  readonly mayStart: number;
}

export interface LaneShare {
  readonly lane: WaitingLane;
  /** The most jobs that the claim takes of the lane. */
  readonly jobs: number;
  /** The jobs of one turn. */
  readonly turn: number;
}

/** Sums of fractions are not exact. A rest below this counts as 0. */
const ROUNDING = 1e-9;

/**
 * Turn by turn: each lane gives what is left of its turn. With room for several turns of all lanes, each gives as many turns.
 * `leastWeight`: the turn of a tenant with that weight is one job.
 */
export function sharesOf(
  lanes: readonly WaitingLane[],
  { room, leastWeight }: { room: number; leastWeight: number },
): LaneShare[] {
  const turns = lanes.map(({ weight }) => weight / leastWeight);
  const all = turns.reduce((sum, turn) => sum + turn, 0);
  const rounds = Math.max(1, Math.floor(room / all));
  let left = room;
  return lanes.flatMap((lane, i) => {
    const turn = turns[i] as number;
    const due = Math.max(1, Math.ceil(rounds * turn - lane.taken - ROUNDING));
    const jobs = Math.min(due, left, lane.mayStart);
    left -= jobs;
    return jobs > 0 ? [{ lane, jobs, turn }] : [];
  });
}

export interface ServedLane {
  readonly tenant: number;
  /** Whether its turn is over and it goes to the back. */
  readonly isOver: boolean;
  readonly taken: number;
}

/** Where the lane stands once the claim has taken `count` of its jobs. */
export function afterTurn({ lane, jobs, turn }: LaneShare, count: number): ServedLane {
  const { tenant, taken, mayStart } = lane;
  // The lane has no more jobs, or may start no more. The rest of its turn is not saved for later.
  if (count < jobs || count >= mayStart) return { tenant, isOver: true, taken: 0 };
  const given = taken + count;
  const turnsGiven = Math.floor(given / turn + ROUNDING);
  if (turnsGiven === 0) return { tenant, isOver: false, taken: given };
  return { tenant, isOver: true, taken: Math.max(0, given - turnsGiven * turn) };
}
