import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";

const WAITING = "SELECT sum(ready + suspect) AS waiting FROM stage WHERE kind = ? AND name = ?";

/** The room in the queues of stages during one transaction. It is read once for each stage and counted down. */
export class StageRooms {
  readonly #core: Core;
  readonly #rooms = new Map<number, number>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** Takes room for one more job. False: there is none. */
  take(stage: StageRow): boolean {
    const { queueMax } = this.#core.options.limits;
    if (queueMax === 0) return true;
    const room = this.#rooms.get(stage.id) ?? this.#read(stage, queueMax);
    this.#rooms.set(stage.id, room - 1);
    return room > 0;
  }

  #read({ kind, name }: StageRow, queueMax: number): number {
    this.#core.counts.flush();
    const { waiting } = this.#core.statement(WAITING).get(kind, name) as { waiting: number | null };
    return queueMax - (waiting ?? 0);
  }
}
