// The Chromium of the npm package @sparticuz/chromium. The package holds brotli archives; they are unpacked once, beside the
// installed packages, or in the temporary folder where that place is read-only.

import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { ChromiumBinary } from "./find.ts";
import { removeLeftovers } from "./leftovers.ts";

export interface ChromiumPackage {
  readonly main: string;
  readonly root: string;
  readonly version: string;
}

export const PACKAGE = "@sparticuz/chromium";
const ARCHIVES = ["chromium.br", "al2023.tar.br", "swiftshader.tar.br"];
// The loader that the binary asks for. Alpine and NixOS have none at this place, and the binary could not start.
const LOADER = "/lib64/ld-linux-x86-64.so.2";
// Unpacking takes about 2 s of processor time.
const UNPACK_MS = 120_000;

/** The package, where it is installed and its binary can run. */
export function findPackage(): ChromiumPackage | undefined {
  if (process.platform !== "linux" || process.arch !== "x64" || !existsSync(LOADER)) return undefined;
  try {
    const main = createRequire(import.meta.url).resolve(PACKAGE);
    const root = dirname(dirname(main));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { main, root, version };
  } catch {
    return undefined;
  }
}

let unpacking: Promise<string> | undefined;

/** Callers that come while it is being unpacked share one attempt. */
export async function unpackedChromium(found: ChromiumPackage): Promise<ChromiumBinary> {
  // A later caller looks at the disk again: the folder may have been deleted, or there may be room for it by then.
  unpacking ??= unpackedFolder(found).finally(() => {
    unpacking = undefined;
  });
  const folder = await unpacking;
  return { path: join(folder, "chromium"), env: { LD_LIBRARY_PATH: join(folder, "al2023", "lib") } };
}

async function unpackedFolder({ main, root, version }: ChromiumPackage): Promise<string> {
  const name = `millrace-chromium-${version}`;
  const beside = join(dirname(dirname(root)), ".cache", name);
  if (existsSync(beside)) return beside;
  // One folder for each user: a folder in a shared place is trusted only when this user made it.
  const temporary = join(tmpdir(), `${name}-user-${process.getuid?.() ?? 0}`);
  if (isOwn(temporary)) return temporary;
  try {
    await unpack(main, join(root, "bin"), beside);
    return beside;
  } catch (error) {
    if (!isReadOnly(error)) throw error;
  }
  await unpack(main, join(root, "bin"), temporary);
  if (!isOwn(temporary)) throw new Error(`${temporary} belongs to another user.`);
  return temporary;
}

/** Unpacks aside and renames: a folder that exists is complete, and two processes at once do no harm. */
async function unpack(main: string, archives: string, folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  removeLeftovers(folder);
  const aside = `${folder}-${process.pid}`;
  mkdirSync(aside, { mode: 0o755 });
  const files = ARCHIVES.map((file) => join(archives, file));
  // The package unpacks into the temporary folder of its process and nowhere else, so it gets a process of its own.
  const script = `import(${JSON.stringify(pathToFileURL(main).href)}).then(({ inflate }) => Promise.all(${JSON.stringify(files)}.map((file) => inflate(file))))`;
  try {
    await promisify(execFile)(process.execPath, ["-e", script], { env: { TMPDIR: aside }, timeout: UNPACK_MS });
    // Other users of the machine may run it too, whatever the umask was.
    chmodSync(aside, 0o755);
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function isOwn(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.uid === (process.getuid?.() ?? found.uid);
}

function isReadOnly(error: unknown): boolean {
  return ["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "");
}
