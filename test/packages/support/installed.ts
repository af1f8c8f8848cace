import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { libraries, oncePerRun, packed } from "../../support/packed.ts";
import { root, temporaryFolder } from "../../support/program.ts";
import { npmSettings, pathWithRuntimes } from "./new-project.ts";

const execute = promisify(execFile);
const INSTALL = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];

/** What an application installs beside Millrace. The versions are those of this repository. */
const BESIDE = ["zod", "pg", "@types/pg", "@types/node", "drizzle-orm", "mysql2"];

/** A new project in which the packed libraries are installed. All test files of a run share the installed packages. */
export async function installedProject(t: TestContext): Promise<string> {
  const shared = await oncePerRun("installed", async (folder) => {
    writeFileSync(join(folder, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
    const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const beside = BESIDE.map((name) => `${name}@${devDependencies[name]}`);
    const tarballs: string[] = [];
    for (const name of libraries()) tarballs.push(await packed(name));
    await npm(folder, [...INSTALL, ...tarballs, ...beside]);
  });
  const project = temporaryFolder(t);
  const load = ["millrace/text", ...libraries().filter((name) => name !== "millrace")];
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", millrace: { load } }));
  symlinkSync(join(shared, "node_modules"), join(project, "node_modules"));
  return project;
}

/** Installs one more package for one test. */
export async function installedTool(t: TestContext, spec: string): Promise<string> {
  const folder = temporaryFolder(t);
  await npm(folder, [...INSTALL, "--prefix", folder, spec]);
  return join(folder, "node_modules");
}

async function npm(cwd: string, args: readonly string[]): Promise<void> {
  await execute("npm", args, { cwd, env: { ...process.env, ...npmSettings(), PATH: pathWithRuntimes() } });
}
