// Folders in which the programs of the documentation are typed: the packages of this clone are installed there, as sources.

import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { RUNTIME, root, run, temporaryFolder } from "../../support/program.ts";

/** A project with the packages installed, and each block as the file that its first line names. */
export function project(t: TestContext, ...blocks: string[]): string {
  const folder = temporaryFolder(t);
  installPackages(folder);
  for (const code of blocks) {
    const name = fileNamed(code);
    assert.ok(name, "each block names its file");
    writeFileSync(join(folder, name), code);
  }
  return folder;
}

/** The file that the first line names: `// worker.ts`. */
export function fileNamed(code: string): string | undefined {
  return /^\/\/ (\S+\.tsx?)\n/.exec(code)?.[1];
}

/** What the program prints until it ends well. */
export async function runFile(t: TestContext, folder: string, file: string): Promise<string> {
  const ran = run(t, [...RUNTIME, file], { cwd: folder });
  assert.deepEqual(await ran.ended(), { code: 0, signal: null }, ran.stderr());
  return ran.stdout();
}

/** What `npm install` would do. */
export function installPackages(folder: string): void {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}
