// D2 is written in Go. Its own JavaScript wrapper starts a thread it cannot end and never answers when two calls meet, so the
// WebAssembly is loaded here, in a context whose only globals are those named below: no files, no network, no process.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { type Context, createContext, runInContext } from "node:vm";
import { LoadedOnce } from "../loaded-once.ts";

export interface D2 {
  compile(request: string): Promise<string>;
  render(request: string): Promise<string>;
  /** ELK is as large as all the rest of the JavaScript: it comes with the first diagram that wants it. */
  loadElk(): void;
  /** What Go has taken so far; it never gives any back. */
  memoryBytes(): number;
}

interface Go {
  readonly importObject: object;
  run(instance: object): Promise<void>;
}

// Both runtimes have it; the types of Node leave it to those of a browser.
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<Instance>;
};

interface Instance {
  readonly exports: { readonly mem: { readonly buffer: ArrayBuffer } };
}

// Once per process, whatever becomes of the instance.
const compiled = new LoadedOnce(() => compile(join(d2Folder(), "d2.wasm")));

export async function loadD2(): Promise<D2> {
  const folder = d2Folder();
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  const quiet = () => undefined;
  const sandbox: Record<string, unknown> = {
    WebAssembly,
    TextEncoder,
    TextDecoder,
    console: { log: quiet, error: quiet, warn: quiet },
    performance: { now: () => performance.now() },
    // Go seeds its maps with this; a drawing must not depend on it.
    crypto: { getRandomValues: (bytes: Uint8Array) => bytes.fill(7) },
    setTimeout,
    clearTimeout,
    queueMicrotask,
  };
  sandbox["globalThis"] = sandbox;
  sandbox["self"] = sandbox;
  const context = createContext(sandbox);
  runInContext(read("wasm_exec.js"), context);
  const go = new (sandbox["Go"] as new () => Go)();
  const instance = await WebAssembly.instantiate(await compiled.get(), go.importObject);
  void go.run(instance);
  let hasElk = false;
  return {
    ...(sandbox["d2"] as Pick<D2, "compile" | "render">),
    memoryBytes: () => instance.exports.mem.buffer.byteLength,
    loadElk: () => {
      if (!hasElk) runElk(context, read);
      hasElk = true;
    },
  };
}

function compile(file: string): Promise<object> {
  // V8's second compiler takes 370 MB for Go's largest functions, and saves a quarter of the time of a drawing. Memory is
  // what a machine with a child per core runs out of. Bun has no such flag and needs none.
  if (process.versions["bun"] === undefined)
    // The first implies the others on a command line, but not here.
    for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
  return WebAssembly.compile(readFileSync(file));
}

function runElk(context: Context, read: (file: string) => string): void {
  // ELK registers its algorithms by timers that may not have fired when the first layout is asked for: here they fire at once.
  // Go needs the real ones.
  runInContext(`(function (setTimeout) {${read("elk.js")}\n})((f) => f());`, context);
  runInContext(
    read("setup.js")
      .replace(/^var setTimeout.*$/m, "")
      .replace("const elk", "var elk"),
    context,
  );
}

export function d2Version(): string {
  const manifest = JSON.parse(readFileSync(join(d2Folder(), "../../package.json"), "utf8")) as { version: string };
  return manifest.version;
}

function d2Folder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve("@terrastruct/d2")).replace(/node-cjs$/, "node-esm");
  } catch (cause) {
    throw new Error('The package "@terrastruct/d2" is not installed. Run: npm install @terrastruct/d2@0.1.33', {
      cause,
    });
  }
}
