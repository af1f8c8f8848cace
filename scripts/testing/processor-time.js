// The processor time of each test file and of all programs it started. Elapsed times depend on what runs beside a file; these
// hardly do, so they show where the time of the suite goes. `node scripts/test.js --cpu` prints them. Each file gets a control
// group of its own, because a program without a waiting parent leaves no time with its parent; that needs root on Linux.

import { existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";

/** Where version 2 of control groups is mounted; beside version 1 it has a folder of its own. */
const PLACES = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
const JOIN = 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"';

/**
 * How to start a program so that its processor time can be read when it has ended.
 * @param {boolean} isWanted
 */
export function processorTime(isWanted) {
  if (!isWanted) return { prefix: () => [], read: () => undefined, remove() {} };
  const place = PLACES.find((each) => existsSync(join(each, "cgroup.procs")));
  if (place === undefined) throw new Error("--cpu needs control groups of version 2.");
  const parent = join(place, `millrace-test-${process.pid}`);
  mkdirSync(parent);
  const groups = new Set();
  const groupOf = (name) => join(parent, name.replaceAll("/", "-"));
  return {
    prefix(name) {
      const group = groupOf(name);
      mkdirSync(group);
      groups.add(group);
      return ["sh", "-c", JOIN, "sh", group];
    },
    read: (name) => (groups.has(groupOf(name)) ? milliseconds(groupOf(name)) : 0),
    remove() {
      for (const group of groups) removeGroup(group);
      removeGroup(parent);
    },
  };
}

function milliseconds(group) {
  const [, microseconds = 0] = /^usage_usec (\d+)$/m.exec(readFileSync(join(group, "cpu.stat"), "utf8")) ?? [];
  return Number(microseconds) / 1000;
}

/** A group goes when its last process has: after an interrupt that takes a moment. */
function removeGroup(group) {
  for (let tries = 0; tries < 40; tries++) {
    try {
      return rmdirSync(group);
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
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
