import { READY, SUSPECT } from "../../codes.ts";
import { NOT_BUNDLED } from "../claim/pick.ts";
import { numbers } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";

// Counts no further than the bound.
const WAITING = `SELECT count(*)::int AS waiting FROM (SELECT 1 FROM millrace.job
  WHERE standing IN (${READY}, ${SUSPECT}) AND stage = ANY($1::int[]) AND ${NOT_BUNDLED} LIMIT $2::bigint) AS counted`;

/** The room in the queues of stages during one transaction. It is read once for each stage and counted down. */
export class StageRooms {
  readonly #core: Core;
  readonly #tx: StatementRunner;
  readonly #rooms = new Map<number, number>();

  constructor(core: Core, tx: StatementRunner) {
    this.#core = core;
    this.#tx = tx;
  }

  /** Takes room for one more job. False: there is none. */
  async take(stage: StageRow): Promise<boolean> {
    const { queueMax } = this.#core.options.limits;
    if (queueMax === 0) return true;
    const room = this.#rooms.get(stage.id) ?? (await this.#read(stage, queueMax));
    this.#rooms.set(stage.id, room - 1);
    return room > 0;
  }

  async #read(stage: StageRow, queueMax: number): Promise<number> {
    const values = [numbers(this.#core.names.sharing(stage)), queueMax];
    const [found] = await this.#tx.run<{ waiting: number }>(WAITING, values);
    return queueMax - (found?.waiting ?? 0);
  }
}
