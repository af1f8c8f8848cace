import type { Kind } from "../job/kind/kind.ts";
import { AppError } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import { checked, checkOptions, type OptionBag } from "../lib/options/check.ts";
import { anyText, whole } from "../lib/options/option.ts";
import type { Store } from "../store/store.ts";
import type { Schedule } from "../store/verbs/schedules.ts";
import { fires, prepareSchedule, type ScheduleRule } from "./schedule.ts";
import { checkKey, checkTenant } from "./submit.ts";

const COUNT = whole(1, 1_000);
const REMOVAL: OptionBag = { what: "removing a schedule", options: { tenant: anyText() } };
const LISTING: OptionBag = { what: "listing schedules", options: { tenant: anyText(), name: anyText() } };

/** A schedule as it is stored, with its next time. */
export interface ScheduleView extends Omit<Schedule, "payload" | "nextAt" | "lastAt" | "keyRule"> {
  /** The payload of every job. */
  payload: unknown;
  /** When it fires next, as an ISO 8601 string. */
  nextAt: string;
  /** When it fired last, as an ISO 8601 string. */
  lastAt?: string;
}

/**
 * Cron schedules, editable at run time. Each time fires once across all processes.
 *
 * @example
 * ```ts
 * import { defineKind, Millrace, sqlite } from "millrace";
 * import { z } from "zod";
 *
 * const report = defineKind({ name: "report", payload: z.object({ of: z.string() }), run: () => null });
 * const millrace = await Millrace.open({ store: sqlite("./data/jobs.db"), kinds: [report] });
 * await millrace.schedules.put(report, {
 *   name: "nightly",
 *   cron: "30 3 * * *",
 *   timeZone: "Europe/Berlin",
 *   payload: { of: "yesterday" },
 * });
 * console.log((await millrace.schedules.list())[0]?.nextAt);
 * await millrace.stop();
 * ```
 */
export class Schedules {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #kind: (name: string) => Kind;
  /** Maximum schedules per tenant. 0 = no limit. */
  readonly #most: number;

  /** @internal */
  constructor(options: { store: Store; clock: Clock; kind: (name: string) => Kind; most: number }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#kind = options.kind;
    this.#most = options.most;
  }

  /**
   * Adds a schedule, or replaces the tenant's schedule of that name. Throws `invalid-request` for an invalid cron
   * expression or time zone.
   */
  async put<Input>(kind: Kind<Input>, rule: ScheduleRule & { payload: Input }): Promise<void> {
    const schedule = await prepareSchedule(this.#kind(kind.name), rule, this.#clock.now());
    if (await this.#store.putSchedule(schedule, this.#most)) return;
    throw new AppError(
      "conflict",
      `The tenant "${schedule.tenant}" already has ${this.#most} schedules, which is the limit.`,
      {
        hint: "Remove one, or raise MAX_SCHEDULES_PER_TENANT (maxSchedulesPerTenant).",
      },
    );
  }

  /**
   * Deletes a schedule. Returns false if there is none. Without a tenant it must be the only schedule of that name;
   * otherwise it throws `conflict`.
   */
  async remove(name: string, options: { tenant?: string } = {}): Promise<boolean> {
    checkOptions(REMOVAL, options);
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

  /** All schedules, by name and then by tenant. */
  async list(filter: { tenant?: string; name?: string } = {}): Promise<ScheduleView[]> {
    checkOptions(LISTING, filter);
    return (await this.#store.schedules(filter)).map(({ payload, nextAt, lastAt, keyRule: _keyRule, ...schedule }) => ({
      ...schedule,
      payload: JSON.parse(payload),
      nextAt: new Date(nextAt).toISOString(),
      ...(lastAt !== undefined && { lastAt: new Date(lastAt).toISOString() }),
    }));
  }

  /** The next times at which a rule would fire, at most `count` (default 5). */
  preview(rule: Pick<ScheduleRule, "cron" | "timeZone">, count = 5): Date[] {
    checked("count", COUNT, count);
    return fires(rule.cron, rule.timeZone ?? "UTC", this.#clock.now(), count).map((at) => new Date(at));
  }
}
