import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

// The dashboard's sign-in: the key itself, sealed into a cookie that no script can read. Nothing is stored, and a key
// that is revoked ends its sessions.

// Over TLS the name itself makes the browser refuse one that another host or path has set.
const COOKIE = "millrace_session";
const SECURE_COOKIE = "__Host-millrace_session";
const SEALED = /(?:^|;\s*)(?:__Host-)?millrace_session=([\w-]+)/;
const LASTS_MS = 12 * 3_600_000;

/** 32 bytes, new with every start: a restart asks to sign in again. */
export type SessionSecret = Buffer;

export function newSessionSecret(): SessionSecret {
  return randomBytes(32);
}

interface SessionContext {
  readonly session: SessionSecret;
  readonly now: () => number;
}

export function sessionCookie(
  key: string,
  { session, now }: SessionContext,
  secure: boolean,
): { cookie: string; expiresAt: number } {
  const expiresAt = now() + LASTS_MS;
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", session, iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify({ key, expiresAt }), "utf8"), cipher.final()]);
  const value = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
  return { cookie: cookie(value, LASTS_MS / 1_000, secure), expiresAt };
}

export function endedCookie(secure: boolean): string {
  return cookie("", 0, secure);
}

/** The key that signed in, if the cookie is ours and not too old. */
export function readSession(request: Request, { session, now }: SessionContext): string | undefined {
  const value = SEALED.exec(request.headers.get("cookie") ?? "")?.[1];
  if (value === undefined) return undefined;
  try {
    const bytes = Buffer.from(value, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", session, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    const opened = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    const { key, expiresAt } = JSON.parse(opened) as { key: string; expiresAt: number };
    return expiresAt > now() ? key : undefined;
  } catch {
    return undefined;
  }
}

function cookie(value: string, maxAge: number, secure: boolean): string {
  return `${secure ? SECURE_COOKIE : COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? "; Secure" : ""}`;
}
