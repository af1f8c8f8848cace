import type { Artifact } from "../job/artifact.ts";
import type { Bytes } from "../lib/bytes.ts";
import { rangeOf } from "./request/range.ts";

/** An artifact with safe headers: unchanged (304), in part (206), or whole. */
export async function artifactResponse(request: Request, artifact: Artifact): Promise<Response> {
  const { bytes, name } = artifact;
  const size = bytes.byteLength;
  const etag = await etagOf(bytes);
  const type = servedType(artifact.contentType);
  const headers: Record<string, string> = {
    ...SAFE_HEADERS,
    etag,
    // The artifacts of a running job can change, and only callers of its tenant may see them.
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
  };
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers });
  headers["content-type"] = type;
  headers["content-disposition"] = `${INLINE.has(essence(type)) ? "inline" : "attachment"}; ${fileNames(name)}`;
  const range = rangeOf(request, size, etag);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${size}` } });
  }
  const { start, end } = range ?? { start: 0, end: size };
  if (range) headers["content-range"] = `bytes ${start}-${end - 1}/${size}`;
  headers["content-length"] = String(end - start);
  const body = request.method === "HEAD" ? null : bytes.subarray(start, end);
  return new Response(body, { status: range ? 206 : 200, headers });
}

/**
 * Processors often store bytes from strangers. The sandbox keeps a browser from running them as a page of this site, and
 * nosniff from guessing another type.
 */
const SAFE_HEADERS = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Types that a browser shows in place: it decodes them and executes nothing. HTML, SVG and XML can carry scripts. A PDF is a
 * download because browsers refuse to show one in a sandbox.
 */
const INLINE: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "text/plain",
  "application/json",
]);

/** Types that no page can load as a script, a style sheet or a document. */
const PASSIVE =
  /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|zip|gzip|vnd\.[\w.-]+)$|text\/(?:csv|markdown)$)/;
const OCTETS = "application/octet-stream";
const VALID = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*charset="?[\w-]+"?)?$/;

/**
 * The stored type, if it cannot be loaded as code. Otherwise a page of this site could load a stranger's artifact by
 * `<script src>`, which the dashboard's own policy ('self') allows.
 */
function servedType(stored: string): string {
  const type = essence(stored);
  if (!VALID.test(stored) || !(INLINE.has(type) || (PASSIVE.test(type) && !type.endsWith("+xml")))) return OCTETS;
  return type === "text/plain" && stored === type ? "text/plain; charset=utf-8" : stored;
}

function essence(type: string): string {
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/**
 * A hash for the ETag. It is computed off the main loop: 64 MiB, the largest artifact, would block it for a tenth of a
 * second.
 */
async function etagOf(bytes: Bytes): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return `"${Buffer.from(hash).toString("base64url").slice(0, 22)}"`;
}

function isKnown({ headers }: Request, etag: string): boolean {
  const tags = (headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag);
}

/** The last part of the name, in ASCII for old clients and in UTF-8 as RFC 5987 has it. */
function fileNames(name: string): string {
  const last = name.split(/[/\\]/).at(-1) || "artifact";
  const ascii = last.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const utf8 = encodeURIComponent(last.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === last ? `filename="${ascii}"` : `filename="${ascii}"; filename*=UTF-8''${utf8}`;
}
