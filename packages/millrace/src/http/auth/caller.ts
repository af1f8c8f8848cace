import type { Access, WorkloadScope } from "../../api/route.ts";
import { AppError } from "../../lib/app-error.ts";

/** What a caller may do: look, submit and control jobs, only draw, everything of its tenant, or what a scope of a workload allows. */
export type Scope = "submit" | "read" | "draw" | "admin" | WorkloadScope;

/** Who sends a request, and what they may do. */
export interface Caller {
  /** The name in the audit list and the log. */
  readonly name: string;
  /** The tenant whose jobs they see; "*" reads across all tenants. */
  readonly tenant: string;
  /** Their permissions. */
  readonly scopes: ReadonlySet<Scope>;
  /** True: the header X-Tenant-Id chooses the tenant. Other callers are bound to theirs. */
  readonly allTenants: boolean;
  /** True: the administrator over all tenants, by `API_KEY` or on a server without keys. Has every scope. */
  readonly root: boolean;
  /** The only job they may read: they hold a token for it. Undefined: there is no such bound. */
  readonly onlyJob?: string;
}

/** A tenant's `admin` may do everything within its tenant, and nothing that concerns others. */
export function may(caller: Caller, access: Access): boolean {
  if (access === "open" || caller.root) return true;
  if (access === "root") return false;
  // A caller that may submit any job may also submit drawings.
  const wider = access === "draw" && caller.scopes.has("submit");
  return wider || caller.scopes.has("admin") || caller.scopes.has(access);
}

/** A key in an address stands in browsers' histories and in the logs of proxies, so it must be worth little. */
export function requireDrawOnly(caller: Caller): void {
  if (!caller.root && caller.scopes.size === 1 && caller.scopes.has("draw")) return;
  throw new AppError("forbidden", "A key in the address or in HTTP Basic must have the scope draw and no other.", {
    hint: "Create one: millrace keys create <name> --scopes draw. Send other keys as X-API-Key.",
  });
}

export function requireScope(caller: Caller, access: Access): void {
  if (may(caller, access)) return;
  if (access === "root") {
    throw new AppError("forbidden", "Only the administrator may do this, because it affects every tenant.", {
      hint: 'Use API_KEY. In a mounted handler, auth must return the tenant "*" with the scope "admin".',
    });
  }
  throw new AppError("forbidden", `This request needs the scope "${access}".`, {
    hint: `Use a key that has it: millrace keys create <name> --scopes ${access}. In a mounted handler, auth must return this scope.`,
  });
}

/** A token reads one job and does nothing else. */
export function requireJob(caller: Caller, method: string, jobId: string | undefined): void {
  if (caller.onlyJob === undefined || (method === "GET" && jobId === caller.onlyJob)) return;
  throw new AppError("forbidden", "This token reads one job and does nothing else.", {
    hint: `It is for ${caller.onlyJob}. Use a key for everything else.`,
  });
}

/** Whether the caller may see things of this tenant. Answer 404 if not: for other tenants they do not exist. */
export function sees(caller: Caller, tenant: string): boolean {
  return caller.tenant === "*" || caller.tenant === tenant;
}

/**
 * The caller, looking at one tenant only. For links, which cannot send X-Tenant-Id. It never widens what a caller sees.
 */
export function lookingAt(caller: Caller, tenant: string | undefined): Caller {
  return caller.allTenants && tenant !== undefined ? { ...caller, tenant } : caller;
}

/** The one tenant that the caller acts for. Throws `invalid-request` if X-Tenant-Id is "*", which is for reading. */
export function oneTenant(caller: Caller): string {
  if (caller.tenant !== "*") return caller.tenant;
  throw new AppError("invalid-request", 'X-Tenant-Id "*" is only for reading. Name one tenant.');
}
