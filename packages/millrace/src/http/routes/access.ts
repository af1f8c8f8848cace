import { accessRoutes } from "../../api/access.ts";
import { sees } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";

export interface AccessOptions {
  readonly engine: Engine;
  /** The effective settings, with masked secrets. Undefined: the application configures the engine in its code. */
  readonly settings: (() => { name: string; value: string; doc: string }[]) | undefined;
}

export function accessHandlers({ engine, settings }: AccessOptions): BoundRoute[] {
  const { access } = engine.admin;
  return [
    bind(accessRoutes.tenants, async ({ caller }) => ({
      body: { tenants: (await engine.admin.tenants()).filter(({ tenant }) => caller.root || sees(caller, tenant)) },
    })),

    // Outboxes belong to the application, not to a tenant.
    bind(accessRoutes.outboxes, async ({ caller }) => ({
      body: { outboxes: caller.root ? await engine.admin.outboxes() : [] },
    })),

    bind(accessRoutes.audit, async ({ query, caller }) => {
      const { limit = 100, before } = query;
      const entries = await access.audit({
        limit,
        ...(before !== undefined && { beforeId: before }),
        ...(!caller.root && { tenant: caller.tenant }),
      });
      return { body: { entries: entries.map(({ at, ...entry }) => ({ ...entry, at: new Date(at).toISOString() })) } };
    }),

    bind(accessRoutes.session, async ({ caller }) => ({
      body: {
        tenant: caller.tenant,
        scopes: [...caller.scopes],
        root: caller.root,
        allTenants: caller.allTenants,
        name: caller.name,
      },
    })),
    ...(settings ? [bind(accessRoutes.config, async () => ({ body: { settings: settings() } }))] : []),
  ];
}
