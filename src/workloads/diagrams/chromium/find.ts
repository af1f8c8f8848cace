// Where a Chromium is: the one named, else the system's, else the one in the npm package @sparticuz/chromium. None is needed
// for drawing; it is there for what only a browser can draw.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

export interface ChromiumBinary {
  readonly path: string;
  readonly args: readonly string[];
  /** What it needs beside fonts, such as the folder of its libraries. */
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
const PACKAGE = "@sparticuz/chromium";

let named: string | undefined;

/** Names the Chromium to use, before any other; with nothing, one is looked for. */
export function preferChromium(path: string | undefined): void {
  named = path;
}

export async function findChromium(): Promise<ChromiumBinary | undefined> {
  const installed = installedPath();
  if (installed !== undefined) return system(installed);
  return named === undefined ? await fromPackage() : undefined;
}

/** Where it would be found, and what tells it from another; nothing is started or unpacked. */
export function chromiumPlace(): { readonly at: string; readonly version: string } | undefined {
  const installed = installedPath();
  if (installed !== undefined) {
    const { size, mtimeMs } = statSync(installed);
    return { at: installed, version: `${installed} ${size} ${mtimeMs}` };
  }
  const found = named === undefined ? packageFolder() : undefined;
  return found && { at: `${PACKAGE} ${found.version}`, version: `${PACKAGE} ${found.version}` };
}

function installedPath(): string | undefined {
  return (named === undefined ? PLACES : [named]).find((path) => existsSync(path));
}

function system(path: string): ChromiumBinary {
  return { path, args: [], env: {} };
}

/** The package brings archives; they are unpacked once, beside the installed packages. */
async function fromPackage(): Promise<ChromiumBinary | undefined> {
  const found = packageFolder();
  if (found === undefined) return undefined;
  const { main, root, version } = found;
  const folder = join(dirname(dirname(root)), ".cache", `millrace-chromium-${version}`);
  if (!existsSync(folder)) await unpack(main, join(root, "bin"), folder);
  return {
    path: join(folder, "chromium"),
    // The build is made for machines where it cannot start helpers of its own.
    args: ["--no-zygote", "--single-process", "--in-process-gpu", "--disable-setuid-sandbox", "--no-sandbox"],
    env: { LD_LIBRARY_PATH: join(folder, "al2023", "lib") },
  };
}

function packageFolder(): { main: string; root: string; version: string } | undefined {
  try {
    const main = createRequire(import.meta.url).resolve(PACKAGE);
    const root = dirname(dirname(main));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { main, root, version };
  } catch {
    return undefined;
  }
}

/** Aside first and then renamed: whoever finds the folder finds it whole, and two at once do no harm. */
async function unpack(main: string, archives: string, folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const aside = mkdtempSync(`${folder}-`);
  const files = ["chromium.br", "al2023.tar.br", "swiftshader.tar.br"].map((file) => join(archives, file));
  // The package unpacks into the temporary folder of its process and nowhere else, so it gets a process of its own.
  const script = `import(${JSON.stringify(pathToFileURL(main).href)}).then(({ inflate }) => Promise.all(${JSON.stringify(files)}.map((file) => inflate(file))))`;
  try {
    await promisify(execFile)(process.execPath, ["-e", script], { env: { TMPDIR: aside } });
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
