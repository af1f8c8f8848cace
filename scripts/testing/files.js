// Which test files run, and on which runtimes.

import { existsSync, readdirSync, readFileSync } from "node:fs";

// The long run takes the files that have one (test/support/torture.ts).
const TORTURES = /\bTORTURE\b|support\/torture\.ts/;
const TORTURE_FACTOR = 20;
const PACKAGES_ONLY = /^\/\/ packages only$/m;
const RUNTIMES = /^\/\/ runtimes: (\w+(?:(?:, | or )\w+)*)/m;

/**
 * One entry for each file and runtime.
 * @param {{ root: string, filters: string[], without?: string[], rotation: number, runtime?: string, torture?: boolean,
 *   packages?: boolean, everyRuntime?: boolean }} options
 */
export function findRuns(options) {
  return findFiles(options).flatMap((file) => runsOf(file, options));
}

function findFiles({ root, filters, without = [], torture, packages }) {
  const isNamed = (file, names) => names.some((name) => file.includes(name.replace(/^\.\//, "")));
  return ["packages", "test"]
    .filter((folder) => existsSync(root + folder))
    .flatMap((folder) => readdirSync(root + folder, { recursive: true }).map((file) => `${folder}/${file}`))
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
    .filter((file) => (filters.length === 0 || isNamed(file, filters)) && !isNamed(file, without))
    .filter((file) => !torture || TORTURES.test(readFileSync(root + file, "utf8")))
    .filter((file) => (packages ? file.startsWith("test/packages/") : !PACKAGES_ONLY.test(headOf(root, file))))
    .sort();
}

function runsOf(file, { root, rotation, runtime, torture, everyRuntime }) {
  const head = headOf(root, file);
  const said = RUNTIMES.exec(head)?.[1] ?? usualRuntimes(file);
  const seconds = Number(/^\/\/ time-limit: (\d+) s/m.exec(head)?.[1] ?? 120);
  const limitMs = seconds * (torture ? TORTURE_FACTOR : 1) * 1000;
  const alone = /^\/\/ alone$/m.test(head);
  return (said === "both" ? "bun, node" : said)
    .split(", ")
    .map((choices) => choices.split(" or "))
    .flatMap((choices) => {
      if (runtime !== undefined) return choices.filter((each) => each === runtime);
      return everyRuntime || torture ? choices : [choices[(sumOf(file) + rotation) % choices.length]];
    })
    .map((each) => ({ file, runtime: each, limitMs, alone }));
}

function usualRuntimes(file) {
  if (isFault(file)) return "bun";
  return isUnit(file) ? "bun or node" : "both";
}

/** So that files differ in their turns: on every day about half of them run on each runtime. */
function sumOf(file) {
  return [...file].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
}

function headOf(root, file) {
  return readFileSync(root + file, "utf8").slice(0, 1000);
}

export function isFault(file) {
  return file.startsWith("test/faults/");
}

/** Whether it stands beside the code that it tests. */
export function isUnit(file) {
  return !/^(packages\/[\w-]+\/)?test\//.test(file);
}
