import { AppError } from "../../../lib/app-error.ts";
import { FREE_DISK_SPACE } from "../../decide/refusals.ts";

export type ErrorClass = "retry" | "unavailable" | "full" | "refused" | "other";

/** Another transaction held our rows in another order. Ours was rolled back and can be retried. */
const RETRY = new Set(["40001", "40P01"]);

/** The server at this address ended the connection before a session began. */
export const HANDSHAKE_FAILED = "HANDSHAKE_FAILED";

/** The server is unreachable, starting, stopping, out of connections or a standby. A retry may succeed. */
const UNAVAILABLE = new Set([
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "53300",
  "25006",
  "55P03",
  "57014",
  "25P03",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ERR_SOCKET_CLOSED",
  HANDSHAKE_FAILED,
]);

/** Wrong password, unknown database, missing right: waiting does not help. */
const REFUSED = new Set(["28000", "28P01", "3D000", "42501", "3F000"]);

/** The server's certificate does not fit the address, in the words of OpenSSL and of the runtimes. */
const DISTRUSTED = new Set([
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_SIGNATURE_FAILURE",
  "CERT_NOT_YET_VALID",
  "CERT_HAS_EXPIRED",
]);

/**
 * A transaction pooler gives every transaction another session, which does not know statements that were prepared
 * before.
 */
const NOT_PREPARED = new Set(["26000", "42P05", "08P01"]);

export function codeOfError(error: unknown): string {
  const code = (error as { code?: unknown })?.code;
  return typeof code === "string" ? code : "";
}

export function classify(error: unknown): ErrorClass {
  const code = codeOfError(error);
  if (RETRY.has(code)) return "retry";
  if (code === "53100") return "full";
  if (UNAVAILABLE.has(code) || code.startsWith("08")) return "unavailable";
  if (REFUSED.has(code)) return "refused";
  return "other";
}

export function isUnprepared(error: unknown): boolean {
  return NOT_PREPARED.has(codeOfError(error));
}

/** The same error as callers of the store see it. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  // PgBouncer in transaction mode refuses settings of a session.
  if (/unsupported startup parameter/.test(cause.message)) {
    return new AppError("store-refused", `A connection pooler is in front of the database: ${cause.message}`, {
      cause,
      hint: "Add ?pooler=transaction or ?pooler=session to the URL, as the pooler is configured.",
    });
  }
  if (/does not support SSL/.test(cause.message)) {
    return new AppError("store-refused", "sslmode asks for TLS, but the server does not offer it.", {
      cause,
      hint: "Switch TLS on at the server (ssl = on). On a network you trust, use sslmode=disable in DATABASE_URL.",
    });
  }
  if (codeOfError(error) === HANDSHAKE_FAILED) {
    return new AppError("store-unavailable", `The database is not available: ${cause.message}.`, {
      cause,
      hint: "Check host and port in DATABASE_URL: the server there may not be PostgreSQL. If it is, its log says why.",
    });
  }
  if (DISTRUSTED.has(codeOfError(error))) {
    return new AppError("store-refused", `The connection to the database does not satisfy sslmode: ${cause.message}`, {
      cause,
      hint: "Set sslrootcert=… in DATABASE_URL to the authority that signed the server's certificate, and use the host name of the certificate.",
    });
  }
  switch (classify(error)) {
    case "retry":
    case "unavailable":
      return new AppError("store-unavailable", `The database is not available: ${cause.message}`, {
        cause,
        hint: "Try again. Answered submissions are safe.",
      });
    case "full":
      return new AppError("disk-full", "The database's disk is full.", {
        cause,
        hint: FREE_DISK_SPACE,
      });
    case "refused":
      return new AppError("store-refused", `The database refused access: ${cause.message}`, {
        cause,
        hint: "Check user, password and database in DATABASE_URL, and the rights of that user.",
      });
    default:
      return new AppError("internal", cause.message, { cause });
  }
}
