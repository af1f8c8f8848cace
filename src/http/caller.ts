import type { Access } from "../api/route.ts";
import { AppError } from "../lib/app-error.ts";

export type Scope = "submit" | "read" | "admin";

/** Who asks, and what they may. */
export interface Caller {
  /** As the audit list and the log name them. */
  readonly name: string;
  /** The tenant whose jobs they see; "*" reads across all. */
  readonly tenant: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The administrator: `API_KEY`, or whoever reaches a server without keys. Not bound to one tenant. */
  readonly root: boolean;
}

/** A tenant's `admin` may do everything within its tenant, and nothing that concerns others. */
export function may(caller: Caller, access: Access): boolean {
  if (access === "open" || caller.root) return true;
  return access !== "root" && (caller.scopes.has("admin") || caller.scopes.has(access));
}

export function requireScope(caller: Caller, access: Access): void {
  if (may(caller, access)) return;
  if (access === "root") {
    throw new AppError("forbidden", "Only the administrator may do this, because it affects every tenant.", {
      hint: "Use API_KEY.",
    });
  }
  throw new AppError("forbidden", `This needs a key with the scope "${access}".`, {
    hint: `Ask whoever made the key, or make one: millrace keys create <name> --scopes ${access}.`,
  });
}

/** Another tenant's things do not exist. */
export function sees(caller: Caller, tenant: string): boolean {
  return caller.tenant === "*" || caller.tenant === tenant;
}

/** As an administrator who looks at one tenant's things; for links, which cannot carry X-Tenant-Id. Others see no more by it. */
export function lookingAt(caller: Caller, tenant: string | undefined): Caller {
  return caller.root && tenant !== undefined ? { ...caller, tenant } : caller;
}

/** Reading may span all tenants; what is made or changed belongs to one. */
export function oneTenant(caller: Caller): string {
  if (caller.tenant !== "*") return caller.tenant;
  throw new AppError("invalid-request", 'X-Tenant-Id "*" is for reading; name the tenant to act for.');
}
