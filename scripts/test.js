// node scripts/test.js [--runtime bun|node|node22] [--every-runtime] [--without part of a path] [--jobs 2] [--root folder]
//   [--torture] [--packages] [--cpu] [--busy 4] [--only "part of a test's name"] [path or part of a path ...]
//
// Runs every *.test.ts in a process of its own. A file may say in its head:
//   // runtimes: node        (bun, node, both, or a list such as "bun, node or node22"; see below)
//   // time-limit: 600 s     (120 s unless said)
//   // packages only         (it runs in `npm run test:packages` alone, since it installs a framework or covers a whole matrix)
//   // alone                 (it measures time in milliseconds, so nothing runs beside it)
// Runtimes joined by "or" take turns: such a file runs on one of them, and on another the next day. TEST_ROTATION repeats the turns
// of a run, --every-runtime runs all. Units, which stand beside the code they test, are "bun or node" unless they say more, files in
// test/faults "bun", and all others "both".
// There are more lanes than cores, because most files wait more than they compute. Files in test/faults wait most and have two lanes
// of their own; units have one, since they are short and none of them has a browser. A lane that is done helps the others.
// Tests use what npm brings: the system's databases and browsers are hidden from them unless TEST_SYSTEM=1.
// --busy 4 runs four busy loops beside the tests: limits that do not grow with the load show there.
// Time limits grow with the slowness of the machine, which is measured at the start and now and then; TEST_SLOWNESS sets it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findRuntime } from "../packages/millrace/bin/runtimes.js";
import { ensureFonts } from "./fonts.js";
import { runFile } from "./run-file.js";
import { busyLoops } from "./testing/busy-loops.js";
import { findRuns, isFault, isUnit } from "./testing/files.js";
import { hideSystem } from "./testing/hide-system.js";
import { byFolder, processorTime } from "./testing/processor-time.js";
import { ramFolder } from "./testing/ram-folder.js";
import { slowness } from "./testing/slowness.js";

const home = fileURLToPath(new URL("..", import.meta.url));
const { values: flags, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    runtime: { type: "string" },
    "every-runtime": { type: "boolean" },
    without: { type: "string", multiple: true },
    jobs: { type: "string" },
    root: { type: "string" },
    torture: { type: "boolean" },
    packages: { type: "boolean" },
    cpu: { type: "boolean" },
    busy: { type: "string" },
    only: { type: "string" },
  },
});
if (flags.busy !== undefined && !/^\d{1,2}$/.test(flags.busy))
  throw new Error("--busy takes a number of loops, such as 4.");
const root = join(flags.root ?? home, sep);
const DAY_MS = 86_400_000;

const fontProblem = flags.root === undefined ? ensureFonts() : undefined;
if (fontProblem !== undefined) throw new Error(`The fonts of diagrams: ${fontProblem}`);
const { env, remove } = hideSystem(process.env);
process.once("exit", remove);
if (flags.torture) env["TORTURE"] = "1";
if (flags.packages) env["PACKAGES"] = "1";
// What several test files of one run share, such as the packed packages (test/support/packed.ts).
const shared = mkdtempSync(join(tmpdir(), "millrace-test-run-"));
env["TEST_RUN_FOLDER"] = shared;
process.once("exit", () => rmSync(shared, { recursive: true, force: true }));
// Faults meet a real disk, and so does the long run.
const disk = { prefix: [], env: {}, remove() {} };
const ram = flags.torture ? disk : ramFolder(env);
process.once("exit", ram.remove);
const times = processorTime(flags.cpu);
process.once("exit", times.remove);
// Node strips the types of hundreds of files in every process: a cache halves its start.
env["NODE_COMPILE_CACHE"] ??= join(home, "node_modules/.cache/node");
// Before the slowness is measured, so that the limits allow for them.
const loops = busyLoops(Number(flags.busy ?? 0));
process.once("exit", loops.stop);
// A number given by hand stands for the whole run.
const givenSlowness = Number(process.env["TEST_SLOWNESS"] ?? 0);
const atStart = givenSlowness || slowness();
if (atStart > 1) process.stdout.write(`The machine is busy or slow: time limits are ${atStart} times as long.\n`);

// A number for all files of this run (test/support/rotation.ts); another every day.
const rotation = Number(process.env["TEST_ROTATION"] ?? Math.floor(Date.now() / DAY_MS));
env["TEST_ROTATION"] = String(rotation);
const runs = findRuns({ ...flags, root, filters, rotation, everyRuntime: flags["every-runtime"] });
const closeDatabase = await openDatabase();
const jobs = Number(flags.jobs ?? Math.min(4, availableParallelism()));
const results = [];
let underWay = 0;
await lane(runs.filter((run) => run.alone));
const together = runs.filter((run) => !run.alone);
// Those that ask for time first, small files last, so that all lanes end together.
const longestFirst = (some) => some.reverse().sort((a, b) => b.limitMs - a.limitMs);
const faults = longestFirst(together.filter(({ file }) => isFault(file)));
const units = longestFirst(together.filter(({ file }) => isUnit(file)));
const others = longestFirst(together.filter(({ file }) => !isFault(file) && !isUnit(file)));
// The full counts of the long run keep a processor busy.
const faultLanes = flags.torture ? 1 : 2;
// A lane whose own files are done helps with the rest.
await Promise.all([
  ...Array.from({ length: faultLanes }, () => lane(faults, others, units)),
  lane(units, others),
  ...Array.from({ length: jobs }, () => lane(others, units)),
]);

await closeDatabase();

const total = (count) => results.reduce((sum, result) => sum + result[count], 0);
if (results.length === 0) process.stdout.write("No test file matches.\n");
if (total("skipped") > 0) process.stdout.write(`${total("skipped")} skipped\n`);
for (const { file, runtime, wants } of results)
  for (const want of wants) process.stdout.write(`skipped: ${file} on ${runtime}: ${want}\n`);
if (total("failed") > 0) process.stdout.write(`TEST_ROTATION=${rotation} repeats the runtimes of this run.\n`);
for (const { file, runtime, failed, failures } of results)
  if (failed > 0) process.stdout.write(`failed: ${[`${file} on ${runtime}`, ...failures].join("\n  ")}\n`);
if (flags.cpu)
  for (const [folder, ms] of byFolder([...results, { file: "PostgreSQL", cpuMs: times.read("postgres") }]))
    process.stdout.write(`${Math.round(ms / 1000)} s of processor time: ${folder}\n`);
process.stdout.write(`${total("passed")} passed, ${total("failed")} failed\n`);
process.exitCode = total("failed") > 0 || results.length === 0 ? 1 : 0;

/** One PostgreSQL for all files that need one; it goes when its input ends, however this process ended. */
async function openDatabase() {
  const needed = runs.some(({ file }) => file.includes("postgres"));
  if (!needed || env["TEST_DATABASE_URL"]) return async () => {};
  const found = findRuntime({ root: home, wanted: "node" });
  if ("problem" in found) throw new Error(found.problem);
  const [command, ...args] = [...times.prefix("postgres"), found.path, "test/support/postgres-main.ts"];
  const server = spawn(command, args, {
    cwd: home,
    env: { ...env, TEST_SLOWNESS: String(atStart) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  env["TEST_DATABASE_URL"] = await new Promise((resolve, reject) => {
    server.stdout.setEncoding("utf8").once("data", (line) => resolve(line.trim()));
    server.once("exit", () => reject(new Error("PostgreSQL for the tests could not be started.")));
  });
  const ended = once(server, "exit");
  return () => {
    server.stdin.end();
    return ended;
  };
}

/** One file after the other, until none is left of the first queue, then of the next. */
async function lane(...queues) {
  const next = () => queues.find((queue) => queue.length > 0)?.shift();
  for (let run = next(); run; run = next()) {
    const found = findRuntime({ root: home, wanted: run.runtime });
    underWay++;
    const ran = "problem" in found ? missing(found.problem) : await runFile(found, run, surroundings(run));
    underWay--;
    const result = { ...run, ...ran, cpuMs: times.read(`${run.runtime}-${run.file}`) };
    report(result);
    results.push(result);
  }
}

/** Never quicker than at the start: load that went may come back. */
function surroundings({ file, runtime }) {
  const now = givenSlowness || slowness({ share: underWay / availableParallelism() });
  const { prefix, env: more } = isFault(file) ? disk : ram;
  const measured = [...times.prefix(`${runtime}-${file}`), ...prefix];
  return { root, env: { ...env, ...more }, prefix: measured, slowness: Math.max(atStart, now), only: flags.only };
}

function missing(problem) {
  return { passed: 0, failed: 1, skipped: 0, durationMs: 0, output: `${problem}\n`, failures: [], wants: [] };
}

function report({ file, runtime, passed, failed, durationMs, cpuMs, output }) {
  const mark = failed > 0 ? "FAIL" : "ok  ";
  const took = `${Math.round(durationMs)} ms${cpuMs === undefined ? "" : `, ${Math.round(cpuMs)} ms of processor time`}`;
  process.stdout.write(`${mark} ${runtime.padEnd(6)} ${file}  ${passed} passed, ${took}\n`);
  if (failed > 0) process.stdout.write(`${output}\n`);
}
