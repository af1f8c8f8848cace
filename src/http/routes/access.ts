import { accessRoutes } from "../../api/access.ts";
import { AppError } from "../../lib/app-error.ts";
import type { ApiKey } from "../../store/store.ts";
import { audited } from "../audit.ts";
import { type AuthOptions, callerByKey } from "../auth.ts";
import { type Bound, bind } from "../bind.ts";
import { type Caller, requireScope, sees } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { newKey } from "../keys.ts";
import { endedCookie, isSecure } from "../session.ts";

export interface AccessOptions {
  readonly engine: Engine;
  readonly auth: AuthOptions;
  /** Effective settings, secrets masked. */
  readonly settings: () => { name: string; value: string; doc: string }[];
}

export function accessHandlers({ engine, auth, settings }: AccessOptions): Bound[] {
  const { access } = engine.admin;
  return [
    bind(accessRoutes.keys, async ({ caller }) => ({
      body: { keys: (await access.keys()).filter((key) => manages(caller, key)).map(keyView) },
    })),

    bind(accessRoutes.createKey, async ({ body, caller, traceId }) => {
      const { name, tenant, scopes } = body;
      if (!caller.root && tenant !== caller.tenant)
        throw new AppError("forbidden", "This key belongs to another tenant.");
      const expiresAt = body.expiresAt === undefined ? undefined : Date.parse(body.expiresAt);
      if (expiresAt !== undefined && expiresAt <= auth.now()) throw alreadyExpired();
      const made = newKey(
        { name, tenant, scopes: [...new Set(scopes)], ...(expiresAt !== undefined && { expiresAt }) },
        auth.now(),
      );
      await access.putKey(made.key);
      await audited(engine, { caller, traceId }, "key created", { target: made.key.id, tenant });
      return { body: { ...keyView(made.key), secret: made.secret } };
    }),

    bind(accessRoutes.revokeKey, async ({ params, caller, traceId }) => {
      const key = (await access.keys()).find((each) => each.id === params.keyId);
      if (!key || !manages(caller, key)) throw new AppError("not-found", "There is no such key.");
      await access.revokeKey(key.id);
      auth.keys.forget(key.id);
      await audited(engine, { caller, traceId }, "key revoked", { target: key.id, tenant: key.tenant });
      return {};
    }),

    bind(accessRoutes.tenants, async ({ caller }) => ({
      body: { tenants: (await engine.admin.tenants()).filter(({ tenant }) => caller.root || sees(caller, tenant)) },
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

    bind(accessRoutes.config, async () => ({ body: { settings: settings() } })),

    bind(accessRoutes.signIn, async ({ body, request, from, traceId }) => {
      const caller = await callerByKey(body.key, { traceId, route: "POST /session", from }, auth);
      // Who may not read sees no page, not even the one to sign out.
      requireScope(caller, "read");
      const { cookie, expiresAt } = await auth.sessions.start(caller.by, isSecure(request));
      await audited(engine, { caller, traceId }, "signed in", { tenant: caller.tenant });
      return {
        headers: { "set-cookie": cookie },
        body: {
          tenant: caller.tenant,
          scopes: [...caller.scopes],
          root: caller.root,
          expiresAt: new Date(expiresAt).toISOString(),
        },
      };
    }),

    bind(accessRoutes.session, async ({ caller }) => ({
      body: { tenant: caller.tenant, scopes: [...caller.scopes], root: caller.root, name: caller.name },
    })),

    bind(accessRoutes.signOut, async ({ request, caller, traceId }) => {
      // The route is open, so whoever signs out may be nobody any more.
      await auth.sessions.end(request);
      if (caller.scopes.size > 0) await audited(engine, { caller, traceId }, "signed out", { tenant: caller.tenant });
      return { headers: { "set-cookie": endedCookie(isSecure(request)) } };
    }),
  ];
}

function alreadyExpired(): AppError {
  return new AppError("invalid-request", "The key would be expired from the start.", {
    details: { issues: [{ path: "expiresAt", message: "must lie ahead" }] },
  });
}

function manages(caller: Caller, key: ApiKey): boolean {
  return caller.root || sees(caller, key.tenant);
}

function keyView({ secretHash: _secretHash, createdAt, expiresAt, revokedAt, scopes, ...key }: ApiKey) {
  const iso = (at: number) => new Date(at).toISOString();
  return {
    ...key,
    scopes: scopes as ("submit" | "read" | "admin")[],
    createdAt: iso(createdAt),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: iso(revokedAt) }),
  };
}
