import type { Kind } from "../job/kind.ts";
import { checkInteger } from "../lib/check.ts";
import type { Clock } from "../lib/clock.ts";
import type { Schedule, Store } from "../store/store.ts";
import { fires, prepareSchedule, type ScheduleRule } from "./schedule.ts";
import { checkKey } from "./submit.ts";

export interface ScheduleView extends Omit<Schedule, "payload" | "nextAt" | "lastAt"> {
  payload: unknown;
  nextAt: string;
  lastAt?: string;
}

/** Cron schedules: editable at run time, one fire per tick over all processes. */
export class Schedules {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #kind: (name: string) => Kind;

  constructor(store: Store, clock: Clock, kind: (name: string) => Kind) {
    this.#store = store;
    this.#clock = clock;
    this.#kind = kind;
  }

  /** Adds the schedule, or puts it in place of the one of that name. */
  async put<Input>(kind: Kind<Input>, rule: ScheduleRule & { payload: Input }): Promise<void> {
    await this.#store.putSchedule(await prepareSchedule(this.#kind(kind.name), rule, this.#clock.now()));
  }

  async remove(name: string): Promise<boolean> {
    return this.#store.removeSchedule(checkKey(name, "name of a schedule"));
  }

  async list(): Promise<ScheduleView[]> {
    return (await this.#store.schedules()).map(({ payload, nextAt, lastAt, ...schedule }) => ({
      ...schedule,
      payload: JSON.parse(payload),
      nextAt: new Date(nextAt).toISOString(),
      ...(lastAt !== undefined && { lastAt: new Date(lastAt).toISOString() }),
    }));
  }

  /** The next moments a rule would fire, to show before it is put in place. */
  preview(rule: Pick<ScheduleRule, "cron" | "timeZone">, count = 5): Date[] {
    checkInteger("count", count, 1, 1_000);
    return fires(rule.cron, rule.timeZone ?? "UTC", this.#clock.now(), count).map((at) => new Date(at));
  }
}
