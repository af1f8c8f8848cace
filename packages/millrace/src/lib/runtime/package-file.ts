// Files that a package on top of Millrace starts by path: threads and child processes. A bundler copies the module that asks and
// leaves those files behind, so they are then looked for in the installed package.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { AppError } from "../app-error.ts";

/** A file of an installed package. */
export interface PackageFile {
  /** The name of the package, such as `@acme/charts`. */
  readonly package: string;
  /** `import.meta.url` of the module that asks. Not inside `new URL(…)`: bundlers would copy the file without its imports. */
  readonly here: string | undefined;
  /** The file, seen from that module: `./renderer.ts`. In a built package its ending is that of the module. */
  readonly near: string;
  /** The file, seen from the main module of the package: `library/renderer.ts`. */
  readonly path: string;
}

/** Finds a file of a package at run time, also where a bundler has moved the code that asks. */
export function packageFile(file: PackageFile): URL {
  const found = beside(file) ?? installed(file);
  if (found !== undefined) return pathToFileURL(found);
  const { package: name, path } = file;
  throw new AppError("bundled", `${name} was bundled, and its file ${path} is not in the bundle.`, {
    hint:
      `Keep the package out of the bundle and install it beside the bundle: --external:${name} for esbuild, ` +
      `serverExternalPackages: ["${name}"] in next.config, ssr.external for Vite.`,
  });
}

/**
 * The path beside the module. Undefined: this is a bundle, which may have a file of the same name in another folder.
 */
function beside({ here, near, path }: PackageFile): string | undefined {
  if (!here?.startsWith("file:")) return undefined;
  const module = fileURLToPath(here);
  const file = join(dirname(module), near);
  return basename(dirname(file)) === basename(dirname(path)) ? existing(file, module) : undefined;
}

function installed({ package: name, here, path }: PackageFile): string | undefined {
  for (const from of [here, process.argv[1], join(process.cwd(), "any.js")]) {
    const main = from === undefined ? undefined : resolvedFrom(from, name);
    const found = main === undefined ? undefined : existing(join(dirname(main), path), main);
    if (found !== undefined) return found;
  }
  return undefined;
}

function resolvedFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}

/** The path with the ending of the module beside which it was built. */
function existing(path: string, module: string): string | undefined {
  const built = path.replace(/\.ts$/, extname(module));
  return existsSync(built) ? built : undefined;
}
