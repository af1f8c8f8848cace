// Where an installed package is. Not by `require.resolve`: Bun remembers a package that it could not find once, also where that
// was for want of a file descriptor, and would call it missing until the process ends.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export interface PackageFolder {
  readonly path: string;
  readonly version: string;
}

/** Undefined where the package is not installed. Throws where that could not be found out. */
export function packageFolder(name: string): PackageFolder | undefined {
  for (const root of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const path = join(root, name);
    const manifest = readManifest(join(path, "package.json"));
    if (manifest !== undefined) return { path, version: String(manifest.version) };
  }
  return undefined;
}

function readManifest(file: string): { version: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as { version: unknown };
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
