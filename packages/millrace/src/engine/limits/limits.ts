import { checkLimiterRule, type LimiterRule } from "../../job/options/limiter.ts";
import { checkTenantLimits, type TenantLimits } from "../../job/options/tenant-limits.ts";
import type { LimiterView } from "../../job/report/limiter-view.ts";
import { checked } from "../../lib/options/check.ts";
import { text } from "../../lib/options/option.ts";
import type { Store } from "../../store/store.ts";
import { checkTenant } from "../../submit/submit.ts";
import { SharedLimits } from "./shared.ts";

const LIMITER_NAME = text(200);

/** Limits that an operator sets while the engine runs. They are kept in the store, and hold in all processes. */
export class Limits {
  /** The limits on running jobs that kinds share. */
  readonly shared: SharedLimits;
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
    this.shared = new SharedLimits(store);
  }

  /** The limits of a tenant's own. Undefined if it has none: then the settings hold for it. */
  async tenant(tenant: string): Promise<TenantLimits | undefined> {
    return this.#store.findTenantLimits(checkTenant(tenant));
  }

  /** Replaces the limits of a tenant's own. The settings hold where a value is missing. */
  async setTenant(tenant: string, limits: TenantLimits): Promise<void> {
    await this.#store.putTenantLimits(checkTenant(tenant), checkTenantLimits(limits));
  }

  /** Deletes the limits of a tenant's own. Returns false if it had none. */
  async removeTenant(tenant: string): Promise<boolean> {
    return (await this.#store.deleteTenantLimits(checkTenant(tenant))) === "done";
  }

  /** Every limiter with its rule, the amount left, its block, and today's use of its budgets. */
  async limiters(): Promise<LimiterView[]> {
    return (await this.#store.limiters()).map(({ blockedUntil, ...limiter }) => ({
      ...limiter,
      ...(blockedUntil !== undefined && { blockedUntil: new Date(blockedUntil).toISOString() }),
    }));
  }

  /** Sets the rule of a limiter. It overrides `Millrace.open()` until `resetLimiter()`. */
  async setLimiter(name: string, rule: LimiterRule): Promise<void> {
    await this.#store.putLimiter(checked("name", LIMITER_NAME, name), checkLimiterRule(rule));
  }

  /**
   * Goes back to the rule of `Millrace.open()`. A limiter that no code defines is deleted. Returns false if there is none
   * of this name.
   */
  async resetLimiter(name: string): Promise<boolean> {
    return (await this.#store.resetLimiter(name)) === "done";
  }

  /** Ends a block, such as one after a `Retry-After`. Returns false if there is no limiter of this name. */
  async unblockLimiter(name: string): Promise<boolean> {
    return (await this.#store.unblockLimiter(name)) === "done";
  }
}
