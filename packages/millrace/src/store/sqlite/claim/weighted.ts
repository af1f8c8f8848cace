// Turns of lanes where tenants have weights (decide/limits/turns.ts). A lane whose turn is not over keeps its number and so comes first again.

import { afterTurn, type LaneShare, sharesOf, UNLIMITED_STARTS } from "../../decide/limits/turns.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";

/** How many jobs of the tenant may start. ?2 is the limit of tenants without a limit of their own; 0 means no limit. */
export const MAY_START = `CASE WHEN coalesce(tenant.max_running, ?2) = 0 THEN ${UNLIMITED_STARTS}
    ELSE coalesce(tenant.max_running, ?2) - tenant.running END`;

const LANES = `SELECT lane.tenant, lane.taken, coalesce(tenant.weight, 1) AS weight, ${MAY_START} AS mayStart
  FROM lane JOIN tenant ON tenant.id = lane.tenant
  WHERE stage = ?1 AND ready > 0 AND blocked = 0 AND mayStart > 0 ORDER BY turn LIMIT ?3`;
const SET_LANE = "UPDATE lane SET turn = coalesce(?1, turn), taken = ?2 WHERE stage = ?3 AND tenant = ?4";
const SET_STAGE_TURN = "UPDATE stage SET turn = ? WHERE id = ?";

export class WeightedTurns {
  readonly #core: Core;
  readonly #stage: StageRow;
  readonly #firstTurn: number;
  #lastTurn: number;

  /** `turn`: the last one that was given in the stage. */
  constructor(core: Core, stage: StageRow, turn: number) {
    this.#core = core;
    this.#stage = stage;
    this.#firstTurn = turn;
    this.#lastTurn = turn;
  }

  shares(room: number, leastWeight: number): LaneShare[] {
    const cap = this.#core.options.limits.maxConcurrentPerTenant;
    const lanes = this.#core.statement(LANES).all(this.#stage.id, cap, room) as unknown as LaneShare["lane"][];
    return sharesOf(lanes, { room, leastWeight });
  }

  served(share: LaneShare, count: number): void {
    const { tenant, isOver, taken } = afterTurn(share, count);
    this.#core.statement(SET_LANE).run(isOver ? ++this.#lastTurn : null, taken, this.#stage.id, tenant);
  }

  write(): void {
    if (this.#lastTurn > this.#firstTurn) setStageTurn(this.#core, this.#stage, this.#lastTurn);
  }
}

export function setStageTurn(core: Core, stage: StageRow, turn: number): void {
  core.statement(SET_STAGE_TURN).run(turn, stage.id);
}
