// The dashboard's files: few and small, so they are read once and kept, packed for browsers that take them so.
// Its pages live under /ui/ and are all the same document; which one is shown is the script's matter.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { ownRoot } from "../lib/runtime/own-file.ts";
import type { ApiLocation } from "./openapi.ts";

/** Answers requests for the dashboard. Undefined: the request is for something else. */
export type PageResponder = (request: Request, path: string) => Response | undefined;

interface File {
  readonly bytes: Buffer;
  readonly packed: Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where the dashboard is, and what it says of the server on every page. */
export interface DashboardLocation extends ApiLocation {
  readonly version?: string;
  readonly environment?: { readonly name: string; readonly colour: string };
}

const OWN_SERVER: DashboardLocation = { basePath: "", hasKeys: true };

/** `scripts/dashboard.js` builds it, into the same folder of the clone and of the published package. */
export function dashboardPages(location: DashboardLocation = OWN_SERVER, folder = builtDashboard()): PageResponder {
  const files = folder === undefined ? new Map<string, File>() : readWhole(folder);
  const built = files.get("index.html");
  const runtime = files.get("runtime.json");
  files.delete("runtime.json");
  const index = built
    ? indexFile(documentAt(String(built.bytes), location), runtime && importMap(String(runtime.bytes), location))
    : indexFile(folder === undefined ? notInBundle(location) : notBuilt(location));
  files.set("index.html", index);
  return (request, path) => {
    if (path === "/") return redirect(`${location.basePath}/ui/`);
    // Not redirected: frameworks such as Next.js take the slash off again, and the browser would go in circles.
    if (path !== "/ui" && !path.startsWith("/ui/")) return undefined;
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
    }
    const name = path.slice("/ui/".length);
    const file = files.get(name) ?? (extname(name) === "" ? index : undefined);
    return file ? answer(request, file) : new Response("File not found.\n", { status: 404, headers: TEXT });
  };
}

function builtDashboard(): string | undefined {
  const root = ownRoot();
  return root === undefined ? undefined : join(root, "dashboard/dist");
}

function answer(request: Request, { bytes, packed, headers }: File): Response {
  const usesPacked = packed !== undefined && /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  const body = usesPacked ? packed : bytes;
  return new Response(request.method === "HEAD" ? null : new Uint8Array(body), {
    headers: { ...headers, ...(usesPacked && { "content-encoding": "gzip" }), "content-length": String(body.length) },
  });
}

const MOST_READS = 10;

/** Reads all files of one build: another process may put a newer build in its place meanwhile. */
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
      // Those names carry a hash of the content; the document names them, so browsers must request it every time.
      "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "Accept-Encoding",
      ...SAFE_HEADERS,
    },
  };
}

/**
 * The document for this location. It is built with addresses relative to itself and is served for every page below /ui/, so they
 * are made absolute here; the tags tell the scripts the same (dashboard/lib/mount.ts).
 */
function documentAt(html: string, { basePath, hasKeys, version = "", environment }: DashboardLocation): string {
  const facts = {
    "base-path": basePath,
    "sign-in": hasKeys ? "key" : "host",
    version,
    ...(environment && { environment: environment.name, "environment-colour": environment.colour }),
  };
  const tags = Object.entries(facts)
    .map(([name, value]) => `<meta name="millrace-${name}" content="${escaped(value)}" />`)
    .join("");
  // A function, because a `$` has a meaning in a replacement text.
  return html.replace("</title>", () => `</title>${tags}`).replaceAll(/(src|href)="\.\//g, `$1="${basePath}/ui/`);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/**
 * What pages of workloads import by name, from the dashboard's own files. It must stand before the first script, and only
 * inline: browsers take import maps from no file yet. The policy names it by its hash.
 */
function indexFile(html: string, map?: string): File {
  const whole = map === undefined ? html : html.replace("</title>", `</title><script type="importmap">${map}</script>`);
  const file = fileOf("index.html", "text/html; charset=utf-8", Buffer.from(whole));
  const hash = map === undefined ? "" : `sha256-${createHash("sha256").update(map).digest("base64")}`;
  return { ...file, headers: { ...file.headers, ...pageHeaders(hash) } };
}

function importMap(runtime: string, { basePath }: ApiLocation): string {
  const files = Object.entries(JSON.parse(runtime) as Record<string, string>);
  return JSON.stringify({ imports: Object.fromEntries(files.map(([name, file]) => [name, `${basePath}/ui/${file}`])) });
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-cache" } });
}

function notBuilt({ basePath }: ApiLocation): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Millrace</title>
<h1>The dashboard is not built</h1><p>Run <code>npm run dashboard</code> in the repository and start again.
The API works without it: see <a href="${basePath}/docs">its reference</a>.</p></html>`;
}

function notInBundle({ basePath }: ApiLocation): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Millrace</title>
<h1>The dashboard is not in this bundle</h1><p>Install <code>millrace</code> beside the bundle and start again.
The API works without it: see <a href="${basePath}/docs">its reference</a>.</p></html>`;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

const SAFE_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

// Scripts and styles from files of ours alone, nothing from elsewhere, nothing inline but the import map, by its hash;
// what strangers wrote comes as pictures and in frames that may run nothing.
const pageHeaders = (importMapHash: string) => ({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // For script elements alone: the hash allows no handler in an attribute.
    ...(importMapHash === "" ? [] : [`script-src-elem 'self' '${importMapHash}'`]),
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
});

const TEXT = { "content-type": "text/plain; charset=utf-8", ...SAFE_HEADERS };
