// Packages with a workload that the project has installed. Their commands work without configuration. Their kinds are
// served only where --load or the project names them.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface InstalledWorkload {
  /** The name of the package. */
  readonly name: string;
  readonly file: string;
}

/**
 * The files behind the workloads of installed packages: the direct dependencies of the project whose package.json has
 * `"millrace": { "workload": "./entry" }`.
 */
export function installedWorkloads(folder: string): InstalledWorkload[] {
  const project = findProject(folder);
  if (project === undefined) return [];
  const require = createRequire(project.file);
  return dependenciesOf(project.manifest).flatMap((name) => {
    const entry = workloadEntry(require, name);
    if (entry === undefined) return [];
    const file = attempt(() => require.resolve(`${name}/${entry.replace(/^\.\//, "")}`));
    return file === undefined ? [] : { name, file };
  });
}

function findProject(folder: string): { file: string; manifest: Record<string, unknown> } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, "package.json");
    const manifest = readManifest(file);
    if (manifest !== undefined) return { file, manifest };
    if (at === dirname(at)) return undefined;
  }
}

function dependenciesOf(manifest: Record<string, unknown>): string[] {
  const groups = ["dependencies", "devDependencies", "optionalDependencies"].map((group) => manifest[group]);
  return [...new Set(groups.flatMap((group) => (isRecord(group) ? Object.keys(group) : [])))];
}

function workloadEntry(require: NodeJS.Require, name: string): string | undefined {
  const file = attempt(() => require.resolve(`${name}/package.json`));
  const declared = file === undefined ? undefined : readManifest(file)?.["millrace"];
  return isRecord(declared) && typeof declared["workload"] === "string" ? declared["workload"] : undefined;
}

function readManifest(file: string): Record<string, unknown> | undefined {
  const parsed: unknown = attempt(() => JSON.parse(readFileSync(file, "utf8")));
  return isRecord(parsed) ? parsed : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined if there is no such file, or if a package does not export it. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
