// The dashboard's sign-in: a random id in a cookie that no script can read. The store has its hash and whose key signed
// in, so a session holds in every process, survives restarts, and ends everywhere: by signing out, with its key, or by age.

import { randomBytes } from "node:crypto";
import type { AccessVerbs, StoredSession } from "../../store/verbs/access.ts";
import { hashOf } from "./keys.ts";

const COOKIE = "millrace_session";
// Over TLS, this prefix makes the browser refuse a cookie that another host or path has set.
const SECURE_COOKIE = "__Host-millrace_session";
const LASTS_MS = 12 * 3_600_000;
/** A valid session is trusted for this long, so that one that was ended elsewhere is refused within it. */
const CACHE_MS = 1_000;
const MOST_CACHED = 10_000;
const ID = /^[\w-]{43}$/;

export interface StartedSession {
  readonly cookie: string;
  readonly expiresAt: number;
}

export class Sessions {
  readonly #store: Pick<AccessVerbs, "addSession" | "findSession" | "endSession">;
  readonly #now: () => number;
  readonly #known = new Map<string, { session: StoredSession; until: number }>();

  constructor(store: Pick<AccessVerbs, "addSession" | "findSession" | "endSession">, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Starts a session. `secret`: the administrator's key, or the hash of a tenant's. */
  async start(by: { keyId?: string; secret: string }, secure: boolean): Promise<StartedSession> {
    const id = randomBytes(32).toString("base64url");
    const createdAt = this.#now();
    const expiresAt = createdAt + LASTS_MS;
    await this.#store.addSession({
      idHash: hashOf(id),
      ...(by.keyId !== undefined && { keyId: by.keyId }),
      proof: proofOf(id, by.secret),
      createdAt,
      expiresAt,
    });
    return { cookie: cookieOf(id, LASTS_MS / 1_000, secure), expiresAt };
  }

  /** The session of this request's cookie, if it is ours, not ended and not too old, with the proof of its key. */
  async find(request: Request): Promise<{ session: StoredSession; isBy(secret: string): boolean } | undefined> {
    const id = sessionId(request);
    if (id === undefined) return undefined;
    const session = await this.#load(hashOf(id));
    if (!session || session.expiresAt <= this.#now()) return undefined;
    return { session, isBy: (secret) => proofOf(id, secret) === session.proof };
  }

  /** Ends the session of this request's cookie, in every process within a second. */
  async end(request: Request): Promise<void> {
    const id = sessionId(request);
    if (id === undefined) return;
    this.#known.delete(hashOf(id));
    await this.#store.endSession(hashOf(id));
  }

  async #load(idHash: string): Promise<StoredSession | undefined> {
    const known = this.#known.get(idHash);
    if (known && known.until > this.#now()) return known.session;
    this.#known.delete(idHash);
    const session = await this.#store.findSession(idHash);
    if (this.#known.size >= MOST_CACHED) this.#known.clear();
    if (session) this.#known.set(idHash, { session, until: this.#now() + CACHE_MS });
    return session;
  }
}

export function endedCookie(secure: boolean): string {
  return cookieOf("", 0, secure);
}

/**
 * True if the request came over TLS. A proxy says so by X-Forwarded-Proto. A client that sends this header itself only makes
 * the rules stricter: the cookie is then bound to the host, and no other cookie is accepted.
 */
export function isSecure(request: Request): boolean {
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim().toLowerCase();
  return forwarded === "https" || new URL(request.url).protocol === "https:";
}

function sessionId(request: Request): string | undefined {
  const cookies = request.headers.get("cookie");
  if (cookies === null) return undefined;
  const bound = cookieNamed(cookies, SECURE_COOKIE);
  const value = isSecure(request) ? bound : (bound ?? cookieNamed(cookies, COOKIE));
  return value !== undefined && ID.test(value) ? value : undefined;
}

function cookieNamed(cookies: string, name: string): string | undefined {
  const found = cookies.split(";").find((cookie) => cookie.trimStart().startsWith(`${name}=`));
  return found?.slice(found.indexOf("=") + 1).trim();
}

function proofOf(id: string, secret: string): string {
  return hashOf(`${id} ${secret}`);
}

function cookieOf(value: string, maxAge: number, secure: boolean): string {
  return `${secure ? SECURE_COOKIE : COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? "; Secure" : ""}`;
}
