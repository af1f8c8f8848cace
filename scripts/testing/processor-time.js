// The processor time of each test file and of all programs it started and waited for. Elapsed times depend on what runs beside
// a file; these hardly do, so they show where the time of the suite goes. `node scripts/test.js --cpu` prints them.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// `times` is a built-in of every POSIX shell: its second line is the time of the children, user and system.
const MEASURE = 'to=$1; shift; "$@"; code=$?; times >"$to"; exit $code';

/**
 * How to start a program so that its processor time can be read when it has ended.
 * @param {boolean} isWanted
 */
export function processorTime(isWanted) {
  if (!isWanted) return { prefix: () => [], read: () => undefined, remove() {} };
  const folder = mkdtempSync(join(tmpdir(), "millrace-test-times-"));
  const fileOf = (name) => join(folder, name.replaceAll("/", "-"));
  return {
    prefix: (name) => ["sh", "-c", MEASURE, "sh", fileOf(name)],
    read: (name) => readTimes(fileOf(name)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Milliseconds; 0 for a program that was killed, which leaves no times. */
function readTimes(file) {
  try {
    const times = readFileSync(file, "utf8").split("\n")[1] ?? "";
    return [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60_000 + s * 1000, 0);
  } catch {
    return 0;
  }
}

/**
 * The sums by folder, largest first.
 * @param {{ file: string, cpuMs: number }[]} results
 */
export function byFolder(results) {
  const sums = new Map();
  for (const { file, cpuMs } of results) {
    const folder = file
      .split("/")
      .slice(0, file.startsWith("packages/") ? 3 : 2)
      .join("/");
    sums.set(folder, (sums.get(folder) ?? 0) + cpuMs);
  }
  return [...sums].sort(([, a], [, b]) => b - a);
}
