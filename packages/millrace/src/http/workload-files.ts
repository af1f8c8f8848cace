// Files of the pages that workloads bring. They are read when they are asked for, so that an edited page shows after a reload,
// and kept until they change.

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { WorkloadPages } from "./workloads.ts";

interface KeptFile {
  readonly version: string;
  readonly bytes: Buffer;
  readonly packed: Buffer;
  readonly etag: string;
}

/** The types of files that a page is made of. A folder may hold sources and settings too. */
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

const NAME = /^[A-Za-z0-9_][A-Za-z0-9._~-]*$/;

export class WorkloadFiles {
  readonly #kept = new Map<string, KeptFile>();

  /** The answer with a file. Undefined: there is no such file. */
  answer(request: Request, pages: WorkloadPages, name: string): Response | undefined {
    const path = pathOf(pages, name);
    const type = TYPES[extname(name)];
    const file = path === undefined || type === undefined ? undefined : this.#read(path);
    if (file === undefined) return undefined;
    const { bytes, packed, etag } = file;
    const headers = { ...HEADERS, "content-type": type as string, etag };
    if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
    const isPacked = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
    const body = isPacked ? packed : bytes;
    return new Response(request.method === "HEAD" ? null : new Uint8Array(body), {
      headers: { ...headers, ...(isPacked && { "content-encoding": "gzip" }), "content-length": String(body.length) },
    });
  }

  #read(path: string): KeptFile | undefined {
    try {
      const { mtimeMs, size } = statSync(path);
      const version = `${mtimeMs} ${size}`;
      const kept = this.#kept.get(path);
      if (kept?.version === version) return kept;
      const bytes = readFileSync(path);
      const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
      const fresh = { version, bytes, packed: gzipSync(bytes), etag };
      this.#kept.set(path, fresh);
      return fresh;
    } catch {
      return undefined;
    }
  }
}

/**
 * The path of a file: the module and the stylesheet by their names, others only from a folder that the workload names.
 */
function pathOf({ module, styles, files }: WorkloadPages, name: string): string | undefined {
  if (!NAME.test(name)) return undefined;
  for (const url of [module, styles]) if (url && fileName(url) === name) return fileURLToPath(url);
  return files && join(fileURLToPath(files), name);
}

export function fileName(url: URL): string {
  return basename(fileURLToPath(url));
}

const HEADERS = {
  "cache-control": "private, no-cache",
  vary: "Accept-Encoding",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  // A picture that is opened by itself is a page of this server: it runs nothing.
  "content-security-policy": "sandbox; default-src 'none'",
};
