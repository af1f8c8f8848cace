import { checkTenantLimits, type TenantLimits } from "../../job/options/tenant-limits.ts";
import type { Store } from "../../store/store.ts";
import { checkTenant } from "../../submit/submit.ts";
import { SharedLimits } from "./shared.ts";

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
}
