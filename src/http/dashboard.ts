// The dashboard's files: few and small, so they are read once and kept, packed for browsers that take them so.
// Its pages live under /ui/ and are all the same document; which one is shown is the script's matter.

import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** Where `scripts/dashboard.js` builds it, from the sources and from the published package alike. */
const BUILT = fileURLToPath(new URL("../../dashboard/dist/", import.meta.url));

/** Answers what is the dashboard's; undefined: not mine. */
export type Pages = (request: Request, path: string) => Response | undefined;

interface File {
  readonly bytes: Buffer;
  readonly packed: Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export function dashboardPages(folder: string = BUILT): Pages {
  const files = readWhole(folder);
  const index = files.get("index.html") ?? notBuilt();
  return (request, path) => {
    if (path === "/" || path === "/ui") return redirect("/ui/");
    if (!path.startsWith("/ui/")) return undefined;
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
    }
    const name = path.slice("/ui/".length);
    const file = files.get(name) ?? (extname(name) === "" ? index : undefined);
    return file ? answer(request, file) : new Response("There is no such file.\n", { status: 404, headers: TEXT });
  };
}

function answer(request: Request, { bytes, packed, headers }: File): Response {
  const usesPacked = packed !== undefined && /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  const body = usesPacked ? packed : bytes;
  return new Response(request.method === "HEAD" ? null : new Uint8Array(body), {
    headers: { ...headers, ...(usesPacked && { "content-encoding": "gzip" }), "content-length": String(body.length) },
  });
}

const MOST_READS = 10;

/** Of one build: another process may put a newer one in its place meanwhile. */
function readWhole(folder: string): Map<string, File> {
  for (let reads = 1; ; reads++) {
    const before = contentOf(join(folder, "stamp"));
    const files = readFiles(folder);
    const after = contentOf(join(folder, "stamp"));
    if (String(before) === String(after) || reads === MOST_READS) return files;
  }
}

function readFiles(folder: string): Map<string, File> {
  const files = new Map<string, File>();
  for (const entry of entriesOf(folder)) {
    const name = entry.replaceAll("\\", "/");
    const type = TYPES[extname(name)];
    const bytes = type && contentOf(join(folder, entry));
    if (bytes) files.set(name, fileOf(name, type, bytes));
  }
  return files;
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

function fileOf(name: string, type: string, bytes: Buffer): File {
  const isText = !type.startsWith("font/") && !type.startsWith("image/png");
  return {
    bytes,
    packed: isText && bytes.length > 1_000 ? gzipSync(bytes, { level: 9 }) : undefined,
    headers: {
      "content-type": type,
      // Those names carry a hash of the content; the document names them, so it is asked for anew every time.
      "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "Accept-Encoding",
      ...SAFE_HEADERS,
      ...(name === "index.html" && PAGE_HEADERS),
    },
  };
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-cache" } });
}

function notBuilt(): File {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Millrace</title>
<h1>The dashboard is not built</h1><p>Run <code>npm run dashboard</code> in the repository and start again.
The API works without it: see <a href="/docs">its reference</a>.</p></html>`;
  return fileOf("index.html", "text/html; charset=utf-8", Buffer.from(html));
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

const SAFE_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

// Scripts and styles from files of ours alone, nothing from elsewhere, nothing inline; diagrams come as pictures and
// reports in a frame that may run nothing.
const PAGE_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "x-frame-options": "DENY",
};

const TEXT = { "content-type": "text/plain; charset=utf-8", ...SAFE_HEADERS };
