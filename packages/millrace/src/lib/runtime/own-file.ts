// Files of this package that are started or read by path: threads, child processes, the dashboard. A bundler copies this
// module into another file and leaves those behind, so they are then looked for in the installed package. Without one, the
// store thread runs from the copy that the build embeds (store/thread/thread-entry.ts); the other files are missing.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { AppError } from "../app-error.ts";
import { VERSION } from "./version.ts";

/** A module of ours by its path below `src/`: `store/sqlite/thread/thread.ts`. In the built package its ending is `.js`. */
export function ownFile(path: string): URL {
  const { code, ending } = ownPackage();
  return pathToFileURL(join(code, path.replace(/\.ts$/, ending)));
}

/** The URL of a module of ours. Undefined: this is a bundle without the installed package. */
export function findOwnFile(path: string): URL | undefined {
  return missingPackage() === undefined ? ownFile(path) : undefined;
}

/** The folder that holds package.json, or undefined in a bundle without the installed package. */
export function ownRoot(): string | undefined {
  return missingPackage() === undefined ? dirname(ownPackage().code) : undefined;
}

interface OwnPackage {
  /** `src/` in a clone, `dist/` in the published package. */
  readonly code: string;
  readonly ending: string;
}

// It is not written as `new URL("...", import.meta.url)`: bundlers take that for an asset, and copy a thread without
// its imports.
const HERE: string | undefined = import.meta.url;

let found: OwnPackage | AppError | undefined;

function ownPackage(): OwnPackage {
  found ??= beside(HERE) ?? installed();
  if (found instanceof AppError) throw found;
  return found;
}

function missingPackage(): AppError | undefined {
  found ??= beside(HERE) ?? installed();
  return found instanceof AppError ? found : undefined;
}

/**
 * The package beside this module. Undefined: the module was moved, so no file of its own name lies where it believes to
 * be.
 */
function beside(url: string | undefined): OwnPackage | undefined {
  if (!url?.startsWith("file:")) return undefined;
  const code = dirname(dirname(dirname(fileURLToPath(url))));
  return packageAt(code);
}

function packageAt(code: string): OwnPackage | undefined {
  const ending = [".ts", ".js"].find((each) => existsSync(join(code, "lib", "runtime", `own-file${each}`)));
  return ending === undefined ? undefined : { code, ending };
}

const PACKAGE = "millrace";

function installed(): OwnPackage | AppError {
  for (const from of [HERE, process.argv[1], join(process.cwd(), "any.js")]) {
    const main = from === undefined ? undefined : resolveFrom(from);
    const own = main === undefined ? undefined : packageAt(dirname(main));
    if (own === undefined) continue;
    const { version } = JSON.parse(readFileSync(join(dirname(own.code), "package.json"), "utf8")) as {
      version: string;
    };
    if (version === VERSION) return own;
    return new AppError("bundled", `Millrace ${VERSION} was bundled, but the installed package is ${version}.`, {
      hint: `Bundle again. ${EXTERNAL}`,
    });
  }
  return new AppError("bundled", "Millrace was bundled without the files that isolated stages need.", {
    hint: EXTERNAL,
  });
}

const EXTERNAL =
  "Keep the package out of the bundle and install it beside the bundle: --external:millrace for esbuild, " +
  'serverExternalPackages: ["millrace"] in next.config, ssr.external for Vite.';

function resolveFrom(file: string): string | undefined {
  try {
    return createRequire(file).resolve(PACKAGE);
  } catch {
    return undefined;
  }
}
