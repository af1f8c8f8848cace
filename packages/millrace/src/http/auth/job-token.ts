// A token that reads one job, for a browser. It is signed, not stored: with the key that made it, so that it ends with that key,
// and with the API_KEY if the administrator made it, so that it ends when that is changed. It works on every server of the store.

import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../../lib/app-error.ts";
import type { Caller } from "./caller.ts";

const PREFIX = "mrj1.";
const SHAPE = /^mrj1\.[\w-]{1,1000}\.[\w-]{43}$/;
export const DEFAULT_TTL_MS = 3_600_000;

export interface JobTokenClaims {
  readonly jobId: string;
  readonly tenant: string;
  readonly expiresAt: number;
  /** The key that made it. Undefined: the administrator, or the application. */
  readonly keyId?: string | undefined;
}

export function signJobToken({ jobId, tenant, expiresAt, keyId }: JobTokenClaims, secret: string): string {
  const claims = JSON.stringify([jobId, tenant, expiresAt, ...(keyId === undefined ? [] : [keyId])]);
  const body = `${PREFIX}${Buffer.from(claims).toString("base64url")}`;
  return `${body}.${signatureOf(body, secret)}`;
}

export function isJobToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** The claims of a token. Nothing of them is proven before `isSignedBy`. */
export function claimsOf(token: string): JobTokenClaims | undefined {
  if (!SHAPE.test(token)) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] as string, "base64url").toString()) as unknown[];
    const [jobId, tenant, expiresAt, keyId] = claims;
    if (typeof jobId !== "string" || typeof tenant !== "string" || typeof expiresAt !== "number") return undefined;
    if (keyId !== undefined && typeof keyId !== "string") return undefined;
    return { jobId, tenant, expiresAt, keyId };
  } catch {
    return undefined;
  }
}

export function isSignedBy(token: string, secret: string): boolean {
  const [body, signature] = [token.slice(0, token.lastIndexOf(".")), token.slice(token.lastIndexOf(".") + 1)];
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(body, secret)));
}

function signatureOf(body: string, secret: string): string {
  return createHmac("sha256", `job token ${secret}`).update(body).digest("base64url");
}

/** The holder of a valid token. */
export function tokenCaller({ jobId, tenant }: JobTokenClaims): Caller {
  return {
    name: `token of ${jobId}`,
    tenant,
    scopes: new Set(["read"]),
    allTenants: false,
    root: false,
    onlyJob: jobId,
  };
}

/** What a caller signs tokens with. It is kept apart from the caller, which handlers of workloads see. */
const signers = new WeakMap<Caller, TokenSigner>();

export interface TokenSigner {
  readonly secret: string;
  readonly keyId?: string | undefined;
}

export function maySign<C extends Caller>(caller: C, signer: TokenSigner): C {
  signers.set(caller, signer);
  return caller;
}

export function signerOf(caller: Caller): TokenSigner {
  const signer = signers.get(caller);
  if (signer) return signer;
  throw new AppError("forbidden", "This server does not issue tokens for jobs.", {
    hint: "In a mounted handler, pass the option tokenSecret to createHandler().",
  });
}
