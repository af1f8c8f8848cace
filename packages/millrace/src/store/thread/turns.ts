/** Something that waits for its turn to read. */
export interface Turn {
  /** The tenant whose turn it is: lanes take turns. */
  readonly lane: string;
  /** Whether it has had a turn and needs another. */
  begun: boolean;
}

/** The lane of reads that no tenant asked for: an administrator's lists over all tenants, and reads of single jobs. */
export const NO_TENANT = "";

/**
 * Who reads next. Tenants take turns, so one tenant's searches cannot hold up another's lists. Within a tenant new reads come
 * first, so a short one waits for one turn at most; long ones then run to their end in the order in which they came.
 */
export class Turns<T extends Turn> {
  readonly #lanes = new Map<string, { fresh: T[]; begun: T[] }>();

  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  add(turn: T): void {
    let lane = this.#lanes.get(turn.lane);
    if (!lane) {
      lane = { fresh: [], begun: [] };
      this.#lanes.set(turn.lane, lane);
    }
    // A read that has begun goes before those that wait for their second turn, because it was the oldest of them.
    if (turn.begun) lane.begun.unshift(turn);
    else lane.fresh.push(turn);
  }

  /** The first of the lane whose turn it is, of those lanes that may go now. */
  next(mayGo: (lane: string) => boolean = () => true): T | undefined {
    for (const [name, lane] of this.#lanes) {
      if (!mayGo(name)) continue;
      const turn = lane.fresh.shift() ?? lane.begun.shift();
      // To the back of the turns: a map keeps the order in which its keys were added.
      this.#lanes.delete(name);
      if (lane.fresh.length + lane.begun.length > 0) this.#lanes.set(name, lane);
      return turn;
    }
    return undefined;
  }

  /** Removes and returns everything that waits. */
  drain(): T[] {
    const all = [...this.#lanes.values()].flatMap(({ fresh, begun }) => [...begun, ...fresh]);
    this.#lanes.clear();
    return all;
  }
}
