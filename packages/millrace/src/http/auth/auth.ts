import { AppError } from "../../lib/app-error.ts";
import type { ApiKey } from "../../store/verbs/access.ts";
import { checkTenant } from "../../submit/submit.ts";
import type { AuthLog } from "./auth-log.ts";
import { type Caller, requireDrawOnly, type Scope } from "./caller.ts";
import { networkOf } from "./client-address.ts";
import { claimsOf, isJobToken, isSignedBy, maySign, tokenCaller } from "./job-token.ts";
import { idInKey, type KeyRing, sameSecret } from "./keys.ts";
import type { MissLimit } from "./miss-limit.ts";
import type { Sessions } from "./session.ts";

export interface AuthOptions {
  /** The administrator's key. Without it, every caller that reaches the server is the administrator. */
  readonly apiKey: string | undefined;
  readonly keys: KeyRing;
  readonly sessions: Sessions;
  /** Counts wrong keys, by the client's network and by the id in the key. */
  readonly misses: MissLimit;
  readonly now: () => number;
  readonly log: AuthLog;
}

/** Where a request comes from, and what the log says of it. */
export interface RequestOrigin {
  readonly traceId: string;
  readonly route: string;
  readonly from: { readonly address: string | undefined };
  /** A key in the address or in HTTP Basic, which may only draw (draw-key.ts). */
  readonly drawKey?: string | undefined;
}

const EVERYTHING: ReadonlySet<Scope> = new Set(["submit", "read", "draw", "admin"]);

/** The caller that a request comes from. A key that is given must be valid, even where none is required. */
export async function callerOf(
  request: Request,
  about: RequestOrigin,
  options: AuthOptions,
): Promise<Caller | undefined> {
  const wish = request.headers.get("x-tenant-id");
  if (about.drawKey !== undefined) return byDrawKey(about.drawKey, about, options);
  const given = credentialOf(request);
  if (given !== undefined) {
    const caller = isJobToken(given) ? await byToken(given, options) : await byKey(given, wish, about, options);
    if (caller) return caller;
    // A token must be valid everywhere: a page that holds one means to read one job.
    if (isJobToken(given)) throw refused(given, about, options);
    // A server without a key requires none. A client that is set up for another server gets its answer here.
    if (options.apiKey !== undefined) throw refused(given, about, options);
  } else {
    const caller = await bySession(request, wish, options);
    if (caller) return caller;
  }
  if (options.apiKey !== undefined) return undefined;
  const anonymous = { name: "anonymous", tenant: chosenTenant(wish), scopes: EVERYTHING, allTenants: true, root: true };
  return maySign(anonymous, { secret: "" });
}

async function byDrawKey(drawKey: string, about: RequestOrigin, options: AuthOptions): Promise<Caller> {
  const caller = await byKey(drawKey, null, about, options);
  if (caller === undefined) throw refused(drawKey, about, options);
  requireDrawOnly(caller);
  return caller;
}

async function byToken(token: string, { apiKey, keys, now }: AuthOptions): Promise<Caller | undefined> {
  const claims = claimsOf(token);
  if (!claims || claims.expiresAt <= now()) return undefined;
  const key = claims.keyId === undefined ? undefined : await keys.findById(claims.keyId, now());
  if (claims.keyId !== undefined && key?.tenant !== claims.tenant) return undefined;
  return isSignedBy(token, key?.secretHash ?? apiKey ?? "") ? tokenCaller(claims) : undefined;
}

/** The caller that a key belongs to. Throws if the key is invalid. */
export async function callerByKey(
  key: string,
  about: RequestOrigin,
  options: AuthOptions,
): Promise<Caller & SignedInBy> {
  const caller = await byKey(key, null, about, options);
  if (caller) return caller;
  throw refused(key, about, options);
}

/** The key that a session is started with. */
export interface SignedInBy {
  readonly by: { keyId?: string; secret: string };
}

export function unauthorized(message = "This request needs a key."): AppError {
  return new AppError("unauthorized", message, {
    hint: "Send it as X-API-Key, or as Authorization: Bearer.",
    details: { headers: { "www-authenticate": 'Bearer realm="millrace"' } },
  });
}

function credentialOf(request: Request): string | undefined {
  const key = request.headers.get("x-api-key");
  if (key !== null) return key;
  const authorization = request.headers.get("authorization");
  return authorization === null ? undefined : (/^Bearer\s+(\S+)\s*$/i.exec(authorization)?.[1] ?? "");
}

/** A key with fewer characters could be found by trying. */
export const LEAST_KEY_CHARS = 16;

export function isGuessable(apiKey: string): boolean {
  return apiKey.length < LEAST_KEY_CHARS;
}

async function byKey(
  text: string,
  wish: string | null,
  { from }: RequestOrigin,
  { apiKey, keys, misses, now }: AuthOptions,
): Promise<(Caller & SignedInBy) | undefined> {
  if (apiKey !== undefined) {
    // A long key cannot be guessed, so it is always compared. A short one is compared only a limited number of times a
    // minute.
    const guessable = isGuessable(apiKey) && misses.hasCounted;
    if (guessable && idInKey(text) === undefined && misses.isOver(networkOf(from.address)))
      throw misses.refusal(networkOf(from.address));
    if (sameSecret(text, apiKey))
      return maySign({ ...administrator(wish), by: { secret: apiKey } }, { secret: apiKey });
  }
  const key = await keys.find(text, now());
  if (!key) return undefined;
  const by = { keyId: key.id, secret: key.secretHash };
  return maySign({ ...callerWith(key, wish), by }, by);
}

async function bySession(request: Request, wish: string | null, options: AuthOptions): Promise<Caller | undefined> {
  const found = await options.sessions.find(request);
  if (!found) return undefined;
  const { keyId } = found.session;
  if (keyId === undefined) {
    const isCurrent = options.apiKey !== undefined && found.isBy(options.apiKey);
    return isCurrent ? maySign(administrator(wish), { secret: options.apiKey as string }) : undefined;
  }
  const key = await options.keys.findById(keyId, options.now());
  if (!key || !found.isBy(key.secretHash)) return undefined;
  return maySign(callerWith(key, wish), { keyId: key.id, secret: key.secretHash });
}

function administrator(wish: string | null): Caller {
  return { name: "API_KEY", tenant: chosenTenant(wish), scopes: EVERYTHING, allTenants: true, root: true };
}

function callerWith(key: ApiKey, wish: string | null): Caller {
  if (wish !== null && wish !== key.tenant) {
    throw new AppError("forbidden", `This key belongs to the tenant "${key.tenant}".`, {
      hint: "Remove X-Tenant-Id: the key already names the tenant.",
    });
  }
  return {
    name: `key ${key.id} (${key.name})`,
    tenant: key.tenant,
    scopes: new Set(key.scopes),
    allTenants: false,
    root: false,
  };
}

/** Logs and counts a refused key. Of the key, the log has its id at most. */
function refused(key: string, about: RequestOrigin, { misses, log }: AuthOptions): AppError {
  const { traceId, route, from } = about;
  const keyId = idInKey(key);
  const network = networkOf(from.address);
  try {
    misses.count(network, ...(keyId === undefined ? [] : [`key ${keyId}`]));
  } catch (error) {
    log.failed({ traceId, route, reason: "too many wrong keys", address: network, ...(keyId && { keyId }) });
    return error as AppError;
  }
  log.failed({ traceId, route, reason: "wrong key", address: network, ...(keyId && { keyId }) });
  return unauthorized("The key is invalid, expired or revoked.");
}

/** The tenant that X-Tenant-Id chooses, for callers of all tenants. */
export function chosenTenant(wish: string | null): string {
  if (wish === null) return "default";
  return wish === "*" ? wish : checkTenant(wish);
}
