// What `npm install` of ours and of each peer brings into an empty project, and how long its import takes on Node.

import { execFile } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findRuntime } from "../../../packages/millrace/bin/runtimes.js";
import type { Who } from "../../contenders/open.ts";
import { BENCH_DIR, type Measure, median } from "../../harness.ts";

const execute = promisify(execFile);
const root = join(BENCH_DIR, "..");
const IMPORTS = 9;

/** By their version: the newest that our registry had when the others of this folder were pinned. */
const PEERS: Readonly<Record<string, string>> = {
  bullmq: "6.7.0",
  "pg-boss": "12.35.0",
  "graphile-worker": "0.18.0",
  "@dbos-inc/dbos-sdk": "5.3.0",
};

export const install: Measure = {
  name: "install",
  title: "npm install into an empty project: megabytes on disk, packages, import on Node",
  unit: "MB",
  cases: () =>
    ["millrace", ...Object.keys(PEERS)].map((name) => ({
      who: name as Who,
      setting: PEERS[name] ?? "this tree",
      against: { who: "millrace" as Who, setting: "this tree" },
      with: {},
    })),

  async prepare({ who }, dir) {
    writeFileSync(join(dir, "package.json"), '{ "private": true, "type": "module" }');
    const what = who in PEERS ? `${who}@${PEERS[who]}` : await packed(dir);
    await execute("npm", ["install", "--prefix", dir, "--no-audit", "--no-fund", "--silent", what], { cwd: dir });
  },

  async run({ who }, dir) {
    const modules = join(dir, "node_modules");
    const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
    const { dependencies = {} } = JSON.parse(readFileSync(join(modules, who, "package.json"), "utf8"));
    const imports: { wallMs: number; cpuMs: number }[] = [];
    for (let i = 0; i < IMPORTS; i++) imports.push(await timedImport(who, dir));
    return {
      MB: diskBytes(modules) / 1_048_576,
      packages: Object.keys(packages).length,
      direct: Object.keys(dependencies).length,
      "own MB": diskBytes(join(modules, who)) / 1_048_576,
      "import ms": median(imports.map(({ wallMs }) => wallMs)),
      "import CPU ms": median(imports.map(({ cpuMs }) => cpuMs)),
    };
  },
};

async function packed(dir: string): Promise<string> {
  const { stdout } = await execute("npm", ["pack", "--silent", "--pack-destination", dir], {
    cwd: join(root, "packages/millrace"),
  });
  return join(dir, stdout.trim().split("\n").at(-1) as string);
}

/** In a process that has imported nothing else; the start of Node itself is not counted. */
async function timedImport(name: string, dir: string): Promise<{ wallMs: number; cpuMs: number }> {
  const node = findRuntime({ root, wanted: "node" });
  if ("problem" in node) throw new Error(node.problem);
  const code = `const at = performance.now(), before = process.cpuUsage();
    await import(${JSON.stringify(name)});
    const wallMs = performance.now() - at, { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 }));
    process.exit();`;
  const { stdout } = await execute(node.path, [...node.flags, "--input-type=module", "-e", code], { cwd: dir });
  return JSON.parse(stdout);
}

/** As `du` counts: whole blocks. */
function diskBytes(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return [folder, ...paths].reduce((sum, path) => sum + lstatSync(path).blocks * 512, 0);
}
