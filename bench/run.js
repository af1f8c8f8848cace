// node bench/run.js [--runtime bun|node] [--script pairs.ts] [--quick] [--part name] [--only name,name]
// Plain JavaScript for any Node from 20 on: finds the runtime, installs the peers once, runs run.ts (or the script) on it.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { handOver } from "../packages/millrace/bin/hand-over.js";
import { findRuntime, SOURCE_FLAGS } from "../packages/millrace/bin/runtimes.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const bench = `${root}bench`;

const args = process.argv.slice(2);
const at = args.indexOf("--runtime");
const [, wanted] = at < 0 ? [] : args.splice(at, 2);
const scriptAt = args.indexOf("--script");
const [, script = "run.ts"] = scriptAt < 0 ? [] : args.splice(scriptAt, 2);
const runtime = findRuntime({ root, wanted });
if ("problem" in runtime) {
  process.stderr.write(`${runtime.problem}\n`);
  process.exit(2);
}
if (!existsSync(`${bench}/node_modules`)) {
  process.stderr.write("Installing the peers into bench/node_modules\n");
  const { status } = spawnSync("npm", ["ci"], { cwd: bench, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
}
handOver(runtime.path, [...runtime.flags, ...SOURCE_FLAGS, `${bench}/${script}`, ...args]);
