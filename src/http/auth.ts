import { AppError } from "../lib/app-error.ts";
import { checkTenant } from "../submit/submit.ts";
import type { Log } from "../telemetry/log.ts";
import type { Caller, Scope } from "./caller.ts";
import { type KeyRing, sameSecret } from "./keys.ts";
import { readSession, type SessionSecret } from "./session.ts";

export interface AuthOptions {
  /** The administrator's key; without it, whoever reaches the server is the administrator. */
  readonly apiKey: string | undefined;
  readonly keys: KeyRing;
  readonly session: SessionSecret;
  readonly now: () => number;
  readonly log: Log;
}

/** What the log says of a request. */
interface About {
  readonly traceId: string;
  readonly route: string;
}

const EVERYTHING: ReadonlySet<Scope> = new Set(["submit", "read", "admin"]);

/** Who this request comes from. A credential that is given must be good, also where none is asked for. */
export async function callerOf(request: Request, about: About, options: AuthOptions): Promise<Caller | undefined> {
  const wish = request.headers.get("x-tenant-id");
  const given = credentialOf(request);
  if (given !== undefined) return callerByKey(given, wish, about, options);
  const session = readSession(request, options);
  if (session) {
    const caller = await byCredential(session, wish, options);
    if (caller) return caller;
  }
  if (options.apiKey !== undefined) return undefined;
  return { name: "anonymous", tenant: chosenTenant(wish), scopes: EVERYTHING, root: true };
}

/** Whose key this is; it must be good. */
export async function callerByKey(
  key: string,
  wish: string | null,
  about: About,
  options: AuthOptions,
): Promise<Caller> {
  const caller = await byCredential(key, wish, options);
  if (caller) return caller;
  options.log.warn("auth failed", { ...about });
  throw unauthorized("This key is not valid, or not any more.");
}

export function unauthorized(message = "This needs a key."): AppError {
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

async function byCredential(text: string, wish: string | null, options: AuthOptions): Promise<Caller | undefined> {
  if (options.apiKey !== undefined && sameSecret(text, options.apiKey)) {
    return { name: "API_KEY", tenant: chosenTenant(wish), scopes: EVERYTHING, root: true };
  }
  const key = await options.keys.find(text, options.now());
  if (!key) return undefined;
  if (wish !== null && wish !== key.tenant) {
    throw new AppError("forbidden", `This key belongs to the tenant "${key.tenant}".`, {
      hint: "Leave X-Tenant-Id out: the key says whose it is.",
    });
  }
  return {
    name: `key ${key.id} (${key.name})`,
    tenant: key.tenant,
    scopes: new Set(key.scopes as Scope[]),
    root: false,
  };
}

function chosenTenant(wish: string | null): string {
  if (wish === null) return "default";
  return wish === "*" ? wish : checkTenant(wish);
}
