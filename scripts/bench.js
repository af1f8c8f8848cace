// node scripts/bench.js [--runtime bun|node] [arguments of the bench ...]
//
// The peers we measure ourselves against are dependencies of bench/ alone, with a lockfile of their own, and are installed
// when they are first needed.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findRuntime } from "../bin/runtimes.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2);
const at = args.indexOf("--runtime");
const [, wanted] = at < 0 ? [] : args.splice(at, 2);
const runtime = findRuntime({ root, wanted });
if ("problem" in runtime) {
  process.stderr.write(`${runtime.problem}\n`);
  process.exit(2);
}
if (!existsSync(`${root}bench/node_modules`)) {
  const installed = spawnSync("npm", ["ci", "--prefix", "bench"], { cwd: root, stdio: "inherit" });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
const bench = spawnSync(runtime.path, [...runtime.flags, "bench/run.ts", ...args], { cwd: root, stdio: "inherit" });
process.exitCode = bench.status ?? 1;
