// A package that exports kinds, contracts, clients, handlers and workloads and emits declarations: every type that the compiler
// infers for them must have a name that other packages can import (otherwise TS2742, TS2883 or TS4023).

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { unpacked } from "../../support/packed.ts";
import { root } from "../../support/program.ts";

const execute = promisify(execFile);
const FIXTURE = join(root, "test/packages/portable");
/** Only where the packages of the workloads are installed. */
const WORKLOAD_CLIENTS = "workload-clients.ts";

const RESOLUTIONS = {
  nodenext: { module: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

export interface Corner {
  /** The folder of the package `typescript`. */
  readonly typescript: string;
  readonly resolution: keyof typeof RESOLUTIONS;
}

/** The errors of the compiler, one a line; empty if the declarations of the package could be written. */
export async function portableErrors(project: string, { typescript, resolution }: Corner): Promise<string> {
  const source = join(project, "portable/src");
  copyFixture(project, source);
  const compilerOptions = {
    strict: true,
    declaration: true,
    target: "es2022",
    // What TypeScript 5.4 has: newer libraries have later names there.
    lib: ["es2023", "esnext.disposable"],
    ...RESOLUTIONS[resolution],
    outDir: "out",
    rootDir: "src",
    // Our own declarations are checked by another test; those of Node and zod are not ours.
    skipLibCheck: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  const config = join(project, `portable/tsconfig.${resolution}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ["src"] }));
  const done = await execute(process.execPath, [join(typescript, "bin/tsc"), "-p", config]).catch((error) => error);
  return done.code === undefined ? "" : String(done.stdout || done.stderr || done.message);
}

/** Imports name the built file: older compilers do not rewrite them. */
function copyFixture(project: string, source: string): void {
  const hasWorkloads = existsSync(join(project, "node_modules/@millrace/diagrams"));
  mkdirSync(source, { recursive: true });
  writeFileSync(join(project, "portable/package.json"), '{ "name": "shared", "version": "1.0.0", "type": "module" }');
  for (const file of readdirSync(FIXTURE)) {
    if (file === WORKLOAD_CLIENTS && !hasWorkloads) continue;
    const text = readFileSync(join(FIXTURE, file), "utf8");
    writeFileSync(join(source, file), text.replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
}

/** The folder of a TypeScript that the repository installs: its own, or an older one. */
export function typescriptOf(version: "" | "-5.9" | "-5.4"): string {
  return join(root, `node_modules/typescript${version}`);
}

/** The workloads' packages as npm packs them, without what they depend on: their types need none of it but zod. */
export async function unpackWorkloads(project: string): Promise<void> {
  for (const name of ["@millrace/diagrams", "@millrace/sites"]) await unpacked(name, join(project, "node_modules"));
}
