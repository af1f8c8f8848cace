import type { Kind } from "../job/kind.ts";
import { AppError } from "../lib/app-error.ts";
import { checkInteger, checkNames } from "../lib/check.ts";
import type { Clock } from "../lib/clock.ts";
import type { Schedule, Store } from "../store/store.ts";
import { fires, prepareSchedule, type ScheduleRule } from "./schedule.ts";
import { checkKey, checkTenant } from "./submit.ts";

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
  /** Schedules that one tenant may have; 0 = no bound. */
  readonly #most: number;

  constructor(options: { store: Store; clock: Clock; kind: (name: string) => Kind; most: number }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#kind = options.kind;
    this.#most = options.most;
  }

  /** Adds the schedule, or replaces the tenant's schedule of that name. */
  async put<Input>(kind: Kind<Input>, rule: ScheduleRule & { payload: Input }): Promise<void> {
    const schedule = await prepareSchedule(this.#kind(kind.name), rule, this.#clock.now());
    if (await this.#store.putSchedule(schedule, this.#most)) return;
    throw new AppError(
      "conflict",
      `The tenant "${schedule.tenant}" has ${this.#most} schedules, the most it may have.`,
      {
        hint: "Remove one, or raise MAX_SCHEDULES_PER_TENANT (maxSchedulesPerTenant).",
      },
    );
  }

  /** Without a tenant: the only schedule of that name. */
  async remove(name: string, options: { tenant?: string } = {}): Promise<boolean> {
    checkNames("removing a schedule", options, ["tenant"]);
    checkKey(name, "name of a schedule");
    if (options.tenant !== undefined) return this.#store.removeSchedule({ name, tenant: checkTenant(options.tenant) });
    const found = await this.#store.schedules({ name });
    const [only] = found;
    if (found.length > 1) {
      throw new AppError("conflict", `${found.length} tenants have a schedule named "${name}".`, {
        hint: 'Name the tenant: remove(name, { tenant: "…" }).',
      });
    }
    return only !== undefined && this.#store.removeSchedule({ name, tenant: only.tenant });
  }

  /** By name, then by tenant. */
  async list(filter: { tenant?: string; name?: string } = {}): Promise<ScheduleView[]> {
    checkNames("listing schedules", filter, ["tenant", "name"]);
    return (await this.#store.schedules(filter)).map(({ payload, nextAt, lastAt, ...schedule }) => ({
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
