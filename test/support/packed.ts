// The tarballs that npm would publish. Each is packed once for all test files of a run: the first file that needs it
// packs it into TEST_RUN_FOLDER (which scripts/test.js sets), the others wait.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { root } from "./program.ts";

const execute = promisify(execFile);
const POLL_MS = 100;

const ENGINE = "millrace";

/** The path of the tarball of a package of this repository. */
export async function packed(name: string): Promise<string> {
  // The others compile against the built engine, so it must not be built at the same time.
  if (name !== ENGINE) await packed(ENGINE);
  const folder = await oncePerRun(`packed-${name.replace("/", "-")}`, async (place) => {
    await execute("npm", ["pack", "--silent", "--pack-destination", place], { cwd: sourceOf(name) });
  });
  const [file] = readdirSync(folder).filter((each) => each.endsWith(".tgz"));
  assert.ok(file, `npm pack made no tarball of ${name}`);
  return join(folder, file);
}

/** The package as npm unpacks it, in a new folder. */
export async function unpacked(name: string, into: string): Promise<string> {
  const folder = join(into, name);
  mkdirSync(folder, { recursive: true });
  await execute("tar", ["-xzf", await packed(name), "-C", folder, "--strip-components=1"]);
  return folder;
}

/** A folder that the first test file of a run fills, and that the others wait for. */
export async function oncePerRun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(runFolder(), name);
  const [done, failed] = [`${folder}.done`, `${folder}.failed`];
  if (isFirst(folder)) {
    try {
      await fill(folder);
      writeFileSync(done, "");
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      writeFileSync(failed, `${error}\n${stdout}${stderr}`);
    }
  }
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error(`${name} failed: ${readFileSync(failed, "utf8")}`);
    await pause(POLL_MS);
  }
  return folder;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") return false;
    throw error;
  }
}

/** The libraries of this repository, by name. The engine is first. */
export function libraries(): string[] {
  const named = packageFolders()
    .map(manifestOf)
    .filter((each) => each?.exports !== undefined);
  return named.map((each) => each?.name ?? "").sort((a, b) => Number(b === ENGINE) - Number(a === ENGINE));
}

function packageFolders(): string[] {
  return readdirSync(join(root, "packages")).map((folder) => join(root, "packages", folder));
}

/** The folder in the repository whose package.json has this name. */
function sourceOf(name: string): string {
  const found = packageFolders().find((folder) => manifestOf(folder)?.name === name);
  assert.ok(found, `There is no package called ${name}.`);
  return found;
}

function manifestOf(folder: string): { name: string; exports?: object } | undefined {
  const file = join(folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

let own: string | undefined;

/** A file that runs without the runner packs for itself. */
function runFolder(): string {
  const given = process.env["TEST_RUN_FOLDER"];
  if (given) return given;
  if (own === undefined) {
    own = mkdtempSync(join(tmpdir(), "millrace-packed-"));
    const made = own;
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  }
  return own;
}
