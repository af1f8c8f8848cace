import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SOURCE_FLAGS } from "../packages/millrace/bin/runtimes.js";
import { endFile, endPrograms, MARK } from "./testing/left-behind.js";

// For a single test. Bun's own default is 5 s and Node's none: the same on both, and a test may set its own.
const TEST_LIMIT_MS = 60_000;
const SCALE_LIMITS = fileURLToPath(new URL("./testing/scale-limits.js", import.meta.url));

/** Node 22 and 24 report in the same words. */
const family = (runtime) => (runtime === "bun" ? "bun" : "node");

const ARGS = {
  bun: (file, limitMs, only) => [
    // Before `test`: only there Bun lists them in execArgv, from which child processes get them.
    ...SOURCE_FLAGS,
    "test",
    "--no-env-file",
    "--preload",
    SCALE_LIMITS,
    `--timeout=${limitMs}`,
    ...(only === undefined ? [] : [`--test-name-pattern=${only}`]),
    `./${file}`,
  ],
  node: (file, limitMs, only) => nodeArgs(file, limitMs, only, "--test-isolation=none"),
  node22: (file, limitMs, only) => nodeArgs(file, limitMs, only, "--experimental-test-isolation=none"),
};

function nodeArgs(file, limitMs, only, isolation) {
  const scale = pathToFileURL(SCALE_LIMITS).href;
  return [
    ...SOURCE_FLAGS,
    "--import",
    scale,
    "--test",
    "--test-reporter=spec",
    `--test-timeout=${limitMs}`,
    ...(only === undefined ? [] : [`--test-name-pattern=${only}`]),
    isolation,
    file,
  ];
}

// A file of hundreds of tests says little more than this when one of them fails, and logs are cut.
const PASSED_LINES = { bun: /^\(pass\) .*\n/gm, node: /^ *✔ .*\n/gm };
const FAILED_LINES = { bun: /^\(fail\) .*$/gm, node: /^ *✖ (?!failing tests:).*$/gm };

// Both runtimes end with a summary; each has its own words for it.
const COUNTS = {
  bun: { passed: /^ *(\d+) pass$/gm, failed: /^ *(\d+) fail$/gm, skipped: /^ *(\d+) skip$/gm },
  node: { passed: /^ℹ pass (\d+)$/gm, failed: /^ℹ (?:fail|cancelled) (\d+)$/gm, skipped: /^ℹ skipped (\d+)$/gm },
};

// As test/support/system.ts says it.
const SKIPPED_FOR_WANT = /^skipped for want of: (.*)$/gm;

/** A pattern that matches these words. */
const literal = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const running = new Set();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => {
    for (const file of running) endFile(file);
    process.exit(1);
  });
}

/**
 * One file in one process, in a group of its own. All programs that it started end with it. Its limits grow with the slowness.
 * @param {{ path: string }} runtime
 * @param {{ file: string, runtime: "bun" | "node" | "node22", limitMs: number }} run
 * @param {{ root: string, env: NodeJS.ProcessEnv, slowness: number, prefix: string[], only?: string }} where `prefix`: what it is
 * started with; `only`: a part of the names of the tests to run, or all of them
 */
export function runFile(runtime, run, { root, env, slowness, prefix, only }) {
  const startedAt = performance.now();
  const limitMs = run.limitMs * slowness;
  const testLimitMs = Number(env["TEST_LIMIT_MS"] ?? TEST_LIMIT_MS) * slowness;
  const limits = { TEST_SLOWNESS: String(slowness), TEST_LIMIT_MS: String(testLimitMs) };
  const [command, ...args] = [
    ...prefix,
    runtime.path,
    ...ARGS[run.runtime](run.file, testLimitMs, only && literal(only)),
  ];
  const mark = randomUUID();
  const child = spawn(command, args, {
    cwd: root,
    env: { ...env, ...limits, [MARK]: mark, NO_COLOR: "1", FORCE_COLOR: undefined },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const programs = { pid: child.pid, mark };
  running.add(programs);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const limit = setTimeout(() => {
    output += `\nNot done after ${limitMs / 1000} s: a test waits for ever, or left a server, timer or process open.\n`;
    endFile(programs);
  }, limitMs);
  return new Promise((resolve) => {
    child.on("error", (error) => (output += error.message));
    child.on("exit", () => endPrograms(programs));
    child.on("close", (code) => {
      clearTimeout(limit);
      running.delete(programs);
      resolve({
        ...count(family(run.runtime), output, code),
        durationMs: performance.now() - startedAt,
        output: output.replace(PASSED_LINES[family(run.runtime)], ""),
        wants: [...new Set([...output.matchAll(SKIPPED_FOR_WANT)].map(([, want]) => want))],
        failures: [...new Set(output.match(FAILED_LINES[family(run.runtime)])?.map((line) => line.trim()))],
      });
    });
  });
}

function count(runtime, output, code) {
  const read = (pattern) => [...output.matchAll(pattern)].reduce((sum, [, number]) => sum + Number(number), 0);
  const { passed, failed, skipped } = COUNTS[runtime];
  // A file that breaks outside its tests, or is killed, fails without a failed test.
  return { passed: read(passed), failed: Math.max(read(failed), code === 0 ? 0 : 1), skipped: read(skipped) };
}
