import { AppError } from "../../lib/app-error.ts";

export interface SiteOptions {
  /** Without a key, only requests addressed to this machine by its own names are answered. */
  readonly loopbackOnly: boolean;
  readonly corsOrigins: readonly string[];
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** A page elsewhere must not reach a server that trusts its own machine: not by name (rebinding), not by form (CSRF). */
export function guardSite(request: Request, options: SiteOptions): void {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (options.loopbackOnly && !LOOPBACK.test(host)) {
    throw new AppError("forbidden", `This server does not accept requests for the host "${host.slice(0, 100)}".`, {
      hint: "Use localhost or 127.0.0.1, or set API_KEY and HOST to accept other hosts.",
    });
  }
  if (SAFE.has(request.method)) return;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  if (origin !== null && admitted(origin, options) !== undefined) return;
  const sameSite =
    site === null ? origin === null || hostOf(origin) === host : site === "same-origin" || site === "none";
  if (!sameSite)
    throw new AppError("forbidden", "This request comes from another site.", {
      hint: "To allow the site, add it to CORS_ORIGINS.",
    });
}

/** Browsers tell the origin of whatever may change something, and programs do not. */
export function isFromBrowser({ headers }: Request): boolean {
  return headers.has("origin") || headers.has("sec-fetch-site");
}

/** What a browser needs to let a page of another origin call us; undefined when that origin is not admitted. */
export function corsHeaders(request: Request, options: SiteOptions): Record<string, string> | undefined {
  const given = request.headers.get("origin");
  const origin = given === null ? undefined : admitted(given, options);
  if (origin === undefined) return undefined;
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "X-Trace-Id, Location, Retry-After, Idempotent-Replay, ETag",
  };
}

/** Which origin asks decides about the headers, so caches must tell them apart. */
export function variesByOrigin({ corsOrigins }: SiteOptions): boolean {
  return corsOrigins.length > 0 && !corsOrigins.includes("*");
}

export function preflight(request: Request, options: SiteOptions, traceId: string): Response | undefined {
  if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return undefined;
  const cors = corsHeaders(request, options);
  if (!cors) return new Response(null, { status: 403, headers: { "x-trace-id": traceId } });
  return new Response(null, {
    status: 204,
    headers: {
      ...cors,
      "x-trace-id": traceId,
      "access-control-allow-methods": "GET, POST, PUT, DELETE",
      "access-control-allow-headers":
        "Content-Type, Authorization, X-API-Key, X-Tenant-Id, X-Trace-Id, Traceparent, Idempotency-Key, Last-Event-ID",
      "access-control-max-age": "600",
    },
  });
}

function admitted(origin: string, { corsOrigins }: SiteOptions): string | undefined {
  if (corsOrigins.includes("*")) return "*";
  return corsOrigins.includes(origin) ? origin : undefined;
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    return "";
  }
}
