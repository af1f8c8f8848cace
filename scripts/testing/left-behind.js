// Ends every program that a test file started. A program in a process group of its own outlives the group of the file that
// started it, so two traces lead to it: its parents while they live, and the variable TEST_FILE_MARK, which all programs of
// the file inherit. Both are read from /proc; on other systems the file's own group alone is ended.

import { readdirSync, readFileSync } from "node:fs";

export const MARK = "TEST_FILE_MARK";
/** A program may start another while it is ended, so the search repeats until it finds none. */
const ROUNDS = 20;

/**
 * Ends a test file under way: its process, all descendants and every process with its mark.
 * @param {{ pid: number, mark: string }} file
 */
export function endFile({ pid, mark }) {
  endAll(mark, pid);
  kill(-pid);
}

/**
 * Ends the programs of a test file whose own process has ended. Its id may belong to another process by now.
 * @param {{ pid: number, mark: string }} file
 */
export function endPrograms({ pid, mark }) {
  kill(-pid);
  endAll(mark);
}

function endAll(mark, root) {
  const ended = new Set();
  for (let round = 0; round < ROUNDS; round++) {
    const found = programsOf(mark, root).filter((pid) => !ended.has(pid));
    if (found.length === 0) return;
    for (const pid of found) {
      kill(pid);
      ended.add(pid);
    }
  }
}

function programsOf(mark, root) {
  const all = processes();
  const found = new Set(all.map(({ pid }) => pid).filter((pid) => pid === root || isMarked(pid, mark)));
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  found.delete(process.pid);
  return [...found];
}

/** Those that run: a zombie has ended already, and waits for its parent. */
function processes() {
  return read(() => readdirSync("/proc"), [])
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), stat: read(() => readFileSync(`/proc/${name}/stat`, "utf8"), "") }))
    .map(({ pid, stat }) => ({ pid, fields: stat.slice(stat.lastIndexOf(")") + 2).split(" ") }))
    .filter(({ fields: [state] }) => state !== "" && state !== "Z" && state !== "X")
    .map(({ pid, fields: [, parent] }) => ({ pid, parent: Number(parent) }));
}

function isMarked(pid, mark) {
  return read(() => readFileSync(`/proc/${pid}/environ`, "utf8"), "")
    .split("\0")
    .includes(`${MARK}=${mark}`);
}

/** A process can end at any moment, and those of other users are closed. */
function read(look, otherwise) {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
