// node scripts/test.js [--runtime bun|node] [--jobs 2] [path or part of a path ...]
//
// Runs every *.test.ts in a process of its own, on Bun and on Node. A file may say otherwise in its head:
//   // runtimes: node        (bun, node or both)
//   // time-limit: 600 s     (120 s unless said)
//   // alone                 (it measures time in milliseconds, so nothing runs beside it)
// Files in test/faults kill processes, so they run one after the other in a lane of their own, and on Bun alone unless they say more.
// There is a lane more than cores: most files wait more than they compute. Beside them the units, next to the code they test, have a
// lane of their own: they are short, and none of them has a browser.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findRuntime } from "../bin/runtimes.js";
import { runFile } from "./run-file.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: flags, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { runtime: { type: "string" }, jobs: { type: "string" } },
});

const runs = findFiles().flatMap(runsOf);
const closeDatabase = await openDatabase();
const jobs = Number(flags.jobs ?? Math.min(4, availableParallelism()));
const results = [];
await lane(runs.filter((run) => run.alone));
const together = runs.filter((run) => !run.alone);
const faults = together.filter(({ file }) => isFault(file));
const units = together.filter(({ file }) => isUnit(file));
// Those that ask for time first, small files last, so that all lanes end together.
const others = together.filter(({ file }) => !isFault(file) && !isUnit(file)).reverse();
others.sort((a, b) => b.limitMs - a.limitMs);
await Promise.all([
  lane(faults).then(() => lane(others)),
  lane(units),
  ...Array.from({ length: jobs }, () => lane(others)),
]);

const total = (count) => results.reduce((sum, result) => sum + result[count], 0);
if (results.length === 0) process.stdout.write("No test file matches.\n");
if (total("skipped") > 0) process.stdout.write(`${total("skipped")} skipped\n`);
for (const { file, runtime, failed, failures } of results)
  if (failed > 0) process.stdout.write(`failed: ${[`${file} on ${runtime}`, ...failures].join("\n  ")}\n`);
process.stdout.write(`${total("passed")} passed, ${total("failed")} failed\n`);
process.exitCode = total("failed") > 0 || results.length === 0 ? 1 : 0;
closeDatabase();

/** One PostgreSQL for all files that need one; it goes when its input ends, however this process ended. */
async function openDatabase() {
  const needed = runs.some(({ file }) => file.includes("postgres"));
  if (!needed || process.env["TEST_DATABASE_URL"]) return () => {};
  const found = findRuntime({ root, wanted: "node" });
  if ("problem" in found) throw new Error(found.problem);
  const server = spawn(found.path, ["test/support/postgres-main.ts"], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  process.env["TEST_DATABASE_URL"] = await new Promise((resolve, reject) => {
    server.stdout.setEncoding("utf8").once("data", (line) => resolve(line.trim()));
    server.once("exit", () => reject(new Error("PostgreSQL for the tests could not be started.")));
  });
  return () => server.stdin.end();
}

function findFiles() {
  return ["src", "dashboard", "test"]
    .flatMap((folder) => readdirSync(root + folder, { recursive: true }).map((file) => `${folder}/${file}`))
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter.replace(/^\.\//, ""))))
    .sort();
}

function isFault(file) {
  return file.startsWith("test/faults/");
}

function isUnit(file) {
  return !file.startsWith("test/");
}

function runsOf(file) {
  const head = readFileSync(root + file, "utf8").slice(0, 1000);
  const said = /^\/\/ runtimes: (\w+)/m.exec(head)?.[1] ?? (isFault(file) ? "bun" : "both");
  const limitMs = Number(/^\/\/ time-limit: (\d+) s/m.exec(head)?.[1] ?? 120) * 1000;
  const alone = /^\/\/ alone$/m.test(head);
  return (said === "both" ? ["bun", "node"] : [said])
    .filter((runtime) => flags.runtime === undefined || flags.runtime === runtime)
    .map((runtime) => ({ file, runtime, limitMs, alone }));
}

/** One file after the other, until none is left. */
async function lane(waiting) {
  for (let run = waiting.shift(); run; run = waiting.shift()) {
    const found = findRuntime({ root, wanted: run.runtime });
    const result = "problem" in found ? missing(found.problem) : await runFile(found, run, root);
    report(run, result);
    results.push({ ...run, ...result });
  }
}

function missing(problem) {
  return { passed: 0, failed: 1, skipped: 0, durationMs: 0, output: `${problem}\n`, failures: [] };
}

function report({ file, runtime }, { passed, failed, durationMs, output }) {
  const mark = failed > 0 ? "FAIL" : "ok  ";
  process.stdout.write(`${mark} ${runtime.padEnd(4)} ${file}  ${passed} passed, ${Math.round(durationMs)} ms\n`);
  if (failed > 0) process.stdout.write(`${output}\n`);
}
