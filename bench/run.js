// node bench/run.js [--runtime bun|node] [--quick] [--only name,name]
// Plain JavaScript, so that any Node from 20 on can start it. Finds the runtime, installs the peers once, runs main.ts.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const bench = dirname(fileURLToPath(import.meta.url));
const modules = join(bench, "..", "node_modules");

const args = process.argv.slice(2);
const at = args.indexOf("--runtime");
const runtime = at < 0 ? "bun" : args.splice(at, 2)[1];

const program = runtime === "bun" ? findBun() : runtime === "node" ? findNode() : undefined;
if (!program) {
  console.error(`No ${runtime ?? "runtime"} found. Run "npm ci" in the repository; --runtime is bun or node (24 or later).`);
  process.exit(2);
}
// On Node only ours is measured: bunqueue needs Bun, and plainjob would need a compiled driver.
if (runtime === "bun" && !existsSync(join(bench, "node_modules"))) {
  console.error("Installing the peers into bench/node_modules");
  const { status } = spawnSync("npm", ["ci"], { cwd: bench, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
}
const child = spawn(program, [join(bench, "main.ts"), ...args], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

/** The packages @oven/bun-<platform> carry the binary; only the one that fits this machine is installed. */
function findBun() {
  return binaries(join(modules, "@oven"), /^bun-/, ["bin/bun", "bin/bun.exe"]);
}

function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  return binaries(modules, /^node-(linux|darwin|win)/, ["bin/node", "bin/node.exe"]);
}

function binaries(folder, pattern, names) {
  if (!existsSync(folder)) return undefined;
  for (const name of readdirSync(folder).filter((each) => pattern.test(each))) {
    for (const binary of names) if (existsSync(join(folder, name, binary))) return join(folder, name, binary);
  }
  return undefined;
}
