// What lies in the user's node_modules, which `millrace dev` does not watch. No other file of the product looks there.

import { existsSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";

const FOLDER = "node_modules";

/** Whether a file belongs to an installed package, and not to the project itself. */
export function isInstalled(file: string): boolean {
  return file.includes(`${sep}${FOLDER}${sep}`);
}

/** The folder of a package of the same workspace, which is linked and not installed; undefined for any other package. */
export function linkedPackage(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const found = join(at, FOLDER, name);
    if (existsSync(found)) {
      const real = realpathSync(found);
      return isInstalled(real) ? undefined : real;
    }
    if (at === dirname(at)) return undefined;
  }
}
