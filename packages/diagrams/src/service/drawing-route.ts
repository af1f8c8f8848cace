import { AppError, type OpenedLink } from "millrace";
import { type BoundRoute, bind, type Engine, MissLimit, networkOf, rangeOf, sees } from "millrace/workload";
import { CONTENT_TYPES, OUTPUT_TYPES, renderRoutes } from "../api/render.ts";
import type { DrawingInfo } from "./drawing.ts";

const LINK = /^[0-9A-Za-z]{12}$/;
/** Wrong links of one client in a minute; further ones get 429. A right one is always answered. */
const MISSES = { most: 60, perMs: 60_000, now: () => Date.now() };

/**
 * Drawings come from strangers' sources. They have been through the sanitiser; should that ever fail, the browser still runs
 * no script of theirs, loads nothing, and takes them for no part of this site.
 */
export const HARDENED = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // To be shown in any page.
  "cross-origin-resource-policy": "cross-origin",
};

export function drawingHandler(engine: Engine, { privateLinks }: { readonly privateLinks: boolean }): BoundRoute {
  const misses = new MissLimit(MISSES);
  const spec = privateLinks ? { ...renderRoutes.drawing, access: "read" as const } : renderRoutes.drawing;
  return bind(spec, async ({ params, query, request, caller, from }) => {
    const found = LINK.test(params.shortlink) ? await engine.shared.open(params.shortlink) : undefined;
    if (!found || (privateLinks && !sees(caller, found.tenant))) {
      misses.count(networkOf(from.address));
      throw new AppError("not-found", "This link has no drawing.", {
        hint: "The link is wrong, or the drawing was deleted because it was not read for CACHE_TTL_MS. Render the diagram again.",
      });
    }
    const cacheControl = `${privateLinks ? "private" : "public"}, max-age=31536000, immutable`;
    return imageResponse(request, found, {
      link: params.shortlink,
      cacheControl,
      isOpen: !privateLinks,
      download: query.download === "true",
    });
  });
}

export interface DrawingReply {
  readonly link: string;
  readonly cacheControl: string;
  /** Any page may read it by script, not only show it. */
  readonly isOpen?: boolean;
  readonly download: boolean;
}

/** A drawing with all that HTTP knows to say of it: unchanged, in part, to be kept. */
export function imageResponse(request: Request, found: OpenedLink, telling: DrawingReply): Response {
  const { link, cacheControl, isOpen = false, download } = telling;
  const { bytes, contentType, key, createdAt } = found;
  const etag = `"${key}"`;
  const headers: Record<string, string> = {
    ...hardenedFor(contentType),
    etag,
    "last-modified": createdAt.toUTCString(),
    "cache-control": cacheControl,
    "accept-ranges": "bytes",
    ...(isOpen && { "access-control-allow-origin": "*" }),
  };
  if (isKnown(request, etag, createdAt)) return new Response(null, { status: 304, headers });
  headers["content-type"] = contentType;
  headers["content-disposition"] = `${download ? "attachment" : "inline"}; filename="${fileName(found, link)}"`;
  const range = rangeOf(request, bytes.byteLength, etag);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${bytes.byteLength}` } });
  }
  const { start, end } = range ?? { start: 0, end: bytes.byteLength };
  if (range) headers["content-range"] = `bytes ${start}-${end - 1}/${bytes.byteLength}`;
  headers["content-length"] = String(end - start);
  const body = request.method === "HEAD" ? null : (bytes.subarray(start, end) as Uint8Array<ArrayBuffer>);
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** Browsers show no PDF in a sandbox. Their own viewers run nothing of it. */
function hardenedFor(contentType: string): Record<string, string> {
  if (contentType !== CONTENT_TYPES.pdf) return HARDENED;
  const { "content-security-policy": _sandbox, ...headers } = HARDENED;
  return headers;
}

/** If the request has a tag, the tag decides. A date is compared by the second. */
function isKnown({ headers }: Request, etag: string, createdAt: Date): boolean {
  const given = headers.get("if-none-match");
  if (given !== null) {
    const tags = given.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    return tags.includes("*") || tags.includes(etag);
  }
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return since >= Math.floor(createdAt.getTime() / 1_000) * 1_000;
}

function fileName({ contentType, info }: OpenedLink, link: string): string {
  const { format } = info as DrawingInfo;
  const ending = OUTPUT_TYPES.find((type) => CONTENT_TYPES[type] === contentType) ?? "svg";
  return `${format}-${link}.${ending === "jpeg" ? "jpg" : ending}`;
}
