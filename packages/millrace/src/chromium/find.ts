// Finds a Chromium: the one that CHROMIUM_PATH names, else the npm package @sparticuz/chromium, else one of the system. The
// package comes first because its version is in the lockfile, so that the tests run the browser that production runs.

import { existsSync, statSync } from "node:fs";
import { findPackage, PACKAGE, unpackedChromium } from "./npm-package.ts";

/** A Chromium that can be started. */
export interface ChromiumBinary {
  /** The path of the program. */
  readonly path: string;
  /** Variables that this build needs, such as the folder of its libraries. */
  readonly env: Readonly<Record<string, string>>;
}

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** What to install where no Chromium is found, in one sentence. */
export const INSTALL_HINT =
  "Run npm install @sparticuz/chromium (Linux x64), install Debian's package chromium, or set CHROMIUM_PATH to a Chromium.";

let named: string | undefined;

/** Uses only the Chromium at this path. `undefined` looks for one. */
export function preferChromium(path: string | undefined): void {
  named = path;
}

/** The Chromium to start; undefined if there is none. The npm package is unpacked first if necessary. */
export async function findChromium(): Promise<ChromiumBinary | undefined> {
  const found = named === undefined ? findPackage() : undefined;
  if (found !== undefined) return await unpackedChromium(found);
  const installed = installedPath();
  return installed === undefined ? undefined : { path: installed, env: {} };
}

/** Where the Chromium is, and a version that changes with it. It starts and unpacks nothing. */
export function locateChromium(): { readonly at: string; readonly version: string } | undefined {
  const found = named === undefined ? findPackage() : undefined;
  if (found !== undefined) return { at: `${PACKAGE} ${found.version}`, version: `${PACKAGE} ${found.version}` };
  const installed = installedPath();
  if (installed === undefined) return undefined;
  const { size, mtimeMs } = statSync(installed);
  return { at: installed, version: `${installed} ${size} ${mtimeMs}` };
}

function installedPath(): string | undefined {
  return (named === undefined ? PLACES : [named]).find((path) => existsSync(path));
}
