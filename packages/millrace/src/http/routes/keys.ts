import { accessRoutes } from "../../api/access.ts";
import { AppError } from "../../lib/app-error.ts";
import { nameMeant } from "../../lib/did-you-mean.ts";
import type { ApiKey } from "../../store/verbs/access.ts";
import { audited } from "../auth/audit.ts";
import { type AuthOptions, callerByKey } from "../auth/auth.ts";
import { type Caller, requireScope, sees } from "../auth/caller.ts";
import { newKey } from "../auth/keys.ts";
import { endedCookie, isSecure } from "../auth/session.ts";
import type { Engine } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";

export interface KeyOptions {
  readonly engine: Engine;
  readonly auth: AuthOptions;
  /** All scopes that a key can have: those of the engine, and those of the workloads of this server. */
  readonly scopes: readonly string[];
}

/** Keys, and signing in with one: for a server that authenticates its callers itself. */
export function keyHandlers({ engine, auth, scopes: known }: KeyOptions): BoundRoute[] {
  const { access } = engine.admin;
  return [
    bind(accessRoutes.keys, async ({ caller }) => ({
      body: { keys: (await access.keys()).filter((key) => manages(caller, key)).map(keyView) },
    })),

    bind(accessRoutes.createKey, async ({ body, caller, traceId }) => {
      const { name, tenant, scopes } = body;
      if (!caller.root && tenant !== caller.tenant)
        throw new AppError("forbidden", "This key belongs to another tenant.");
      checkScopes(scopes, known);
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
      if (!key || !manages(caller, key)) throw new AppError("not-found", "Key not found.");
      await access.revokeKey(key.id);
      auth.keys.forget(key.id);
      await audited(engine, { caller, traceId }, "key revoked", { target: key.id, tenant: key.tenant });
      return {};
    }),

    bind(accessRoutes.signIn, async ({ body, request, from, traceId }) => {
      const caller = await callerByKey(body.key, { traceId, route: "POST /session", from }, auth);
      // A caller who may not read sees no page, not even the one to sign out.
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

    bind(accessRoutes.signOut, async ({ request, caller, traceId }) => {
      // The route is open, so the caller may be signed out already.
      await auth.sessions.end(request);
      if (caller.scopes.size > 0) await audited(engine, { caller, traceId }, "signed out", { tenant: caller.tenant });
      return { headers: { "set-cookie": endedCookie(isSecure(request)) } };
    }),
  ];
}

/** A program finds the scope by the name in the issue; the sentence is for people. */
function checkScopes(scopes: readonly string[], known: readonly string[]): void {
  const index = scopes.findIndex((scope) => !known.includes(scope));
  if (index < 0) return;
  const scope = scopes[index] as string;
  const meant = nameMeant(scope, known);
  throw new AppError("invalid-request", `Unknown scope "${scope}".${meant ? ` Did you mean "${meant}"?` : ""}`, {
    hint: `Known scopes: ${known.join(", ")}.`,
    details: { issues: [{ path: `scopes.${index}`, message: "is not a known scope" }] },
  });
}

function alreadyExpired(): AppError {
  return new AppError("invalid-request", "expiresAt is in the past.", {
    details: { issues: [{ path: "expiresAt", message: "must be in the future" }] },
  });
}

function manages(caller: Caller, key: ApiKey): boolean {
  return caller.root || sees(caller, key.tenant);
}

function keyView({ secretHash: _secretHash, createdAt, expiresAt, revokedAt, scopes, ...key }: ApiKey) {
  const iso = (at: number) => new Date(at).toISOString();
  return {
    ...key,
    scopes,
    createdAt: iso(createdAt),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: iso(revokedAt) }),
  };
}
