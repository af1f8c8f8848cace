// The caller, where another application mounted the API: that application knows it, and is asked for every request.

import { AppError } from "../../lib/app-error.ts";
import { nameMeant } from "../../lib/did-you-mean.ts";
import { checkTenant } from "../../submit/submit.ts";
import { ENGINE_SCOPES } from "../workloads.ts";
import { chosenTenant } from "./auth.ts";
import type { Caller, Scope } from "./caller.ts";
import { claimsOf, isJobToken, isSignedBy, maySign, tokenCaller } from "./job-token.ts";

/** A person or program, as your application knows them. */
export interface Identity {
  /** The name for the audit list and the log, 1 to 200 characters. */
  readonly name: string;
  /** The tenant whose jobs they see and submit. `*`: all tenants; the header X-Tenant-Id chooses one. */
  readonly tenant: string;
  /** `read` to look, `submit` to submit and control jobs, `admin` for everything of the tenant; and those of workloads. */
  readonly scopes: readonly Scope[];
}

/**
 * Says who sends a request. Undefined is answered with 401; an error it throws is answered with 500. It must not read
 * the body, but may read `request.clone()`.
 */
export type HandlerAuth = (request: Request) => Identity | undefined | Promise<Identity | undefined>;

/** Asks the application. An error it throws and an identity that is not valid are a 500, never a pass. */
export async function callerByHost(
  request: Request,
  auth: HandlerAuth,
  known: readonly string[] = ENGINE_SCOPES,
  tokens: HostTokens = {},
): Promise<Caller | undefined> {
  const { tokenSecret } = tokens;
  const token = tokenSecret === undefined ? undefined : bearerOf(request);
  if (token !== undefined && isJobToken(token)) return callerByToken(token, tokenSecret as string);
  const caller = await callerByIdentity(request, auth, known);
  return caller && tokenSecret !== undefined ? maySign(caller, { secret: tokenSecret }) : caller;
}

/** Tokens for single jobs, where the application has a secret for them. */
export interface HostTokens {
  readonly tokenSecret?: string | undefined;
}

function callerByToken(token: string, secret: string): Caller | undefined {
  const claims = claimsOf(token);
  const isGood = claims && claims.keyId === undefined && claims.expiresAt > Date.now() && isSignedBy(token, secret);
  return isGood ? tokenCaller(claims) : undefined;
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

async function callerByIdentity(
  request: Request,
  auth: HandlerAuth,
  known: readonly string[],
): Promise<Caller | undefined> {
  let identity: unknown;
  try {
    identity = await auth(request);
  } catch (error) {
    throw new AppError("auth-failed", "The auth function given to createHandler() threw an error.", { cause: error });
  }
  if (identity === undefined || identity === null) return undefined;
  const { name, tenant, scopes } = checked(identity, known);
  const wish = request.headers.get("x-tenant-id");
  if (tenant === "*") {
    // Without the scope admin a caller of all tenants looks or submits, and changes nothing that concerns them all.
    const root = scopes.includes("admin");
    return { name, tenant: chosenTenant(wish), scopes: new Set(scopes), allTenants: true, root };
  }
  if (wish !== null && wish !== tenant) {
    throw new AppError("forbidden", `You act for the tenant "${tenant}".`, { hint: "Remove X-Tenant-Id." });
  }
  return { name, tenant, scopes: new Set(scopes), allTenants: false, root: false };
}

const MOST_NAME_CHARS = 200;

function checked(identity: unknown, known: readonly string[]): Identity {
  if (typeof identity !== "object") throw invalid(`returned ${typeof identity}, not { name, tenant, scopes }.`);
  const { name, tenant, scopes } = identity as Record<string, unknown>;
  if (typeof name !== "string" || name === "" || name.length > MOST_NAME_CHARS)
    throw invalid(`must return a name of 1 to ${MOST_NAME_CHARS} characters.`);
  if (typeof tenant !== "string") throw invalid('must return the tenant: a string, "*" for all tenants.');
  if (!Array.isArray(scopes)) throw invalid('must return scopes: an array of strings such as "read".');
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined)
    throw invalid(`returned the unknown scope ${shown(unknown, known)}. Known: ${known.join(", ")}.`);
  if (tenant !== "*") checkTenantName(tenant);
  return { name: name.toWellFormed().replaceAll("\0", ""), tenant, scopes };
}

function checkTenantName(tenant: string): void {
  try {
    checkTenant(tenant);
  } catch (error) {
    throw invalid(`returned an invalid tenant: ${(error as Error).message}`);
  }
}

function shown(scope: unknown, known: readonly string[]): string {
  const meant = typeof scope === "string" ? nameMeant(scope, known) : undefined;
  return `${JSON.stringify(scope)}${meant === undefined ? "" : ` (did you mean "${meant}"?)`}`;
}

function invalid(what: string): AppError {
  return new AppError("auth-invalid", `The auth function given to createHandler() ${what}`);
}
