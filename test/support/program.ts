import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { SOURCE_FLAGS } from "../../packages/millrace/bin/runtimes.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));
/** The package `millrace`. */
export const engineRoot = join(root, "packages/millrace");
/** The runtime of this test, which finds the packages of this repository as sources. */
export const RUNTIME: readonly string[] = [process.execPath, ...SOURCE_FLAGS, ...cacheFlags()];

export interface Program {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The first match in what it says on either stream; rejects when it ends without. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /**
   * All of its environment, beside PATH, HOME, TEST_SLOWNESS, the mark by which the runner finds it, and a cache: tests do not
   * depend on what the caller has set.
   */
  readonly env?: Readonly<Record<string, string>>;
}

function cacheFlags(): string[] {
  if (process.versions["bun"]) return [];
  return ["--import", new URL("./flush-compile-cache.js", import.meta.url).href];
}

/** A real process in a group of its own; the whole group is killed when the test ends. */
export function run(t: TestContext, command: readonly string[], options: ProgramOptions = {}): Program {
  const [file = "", ...args] = command;
  const { PATH = "", HOME = "", TEST_SLOWNESS = "1", NODE_COMPILE_CACHE, TEST_FILE_MARK } = process.env;
  const inherited = { ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...(TEST_FILE_MARK && { TEST_FILE_MARK }) };
  const child = spawn(file, args, {
    cwd: options.cwd ?? root,
    env: { PATH, HOME, TEST_SLOWNESS, ...inherited, ...options.env },
    stdio: "pipe",
    detached: true,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  const closed = once(child, "close").then(([code, signal]) => ({ code, signal }));
  t.after(async () => {
    if (child.pid !== undefined) killGroup(child.pid);
    await closed;
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended: () => closed, said };

  async function said(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(stdout) ?? pattern.exec(stderr);
      if (found !== null) return found;
      const more = Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), closed.then(() => "closed")]);
      if ((await more) === "closed" && !pattern.test(stdout + stderr)) {
        throw new Error(`It ended without saying ${pattern}:\n${stdout}${stderr}`);
      }
    }
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // Gone already.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

const folders = new Set<string>();
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * A folder of the test's own, removed as the file's process ends. Hooks run in the order they were made: one that removed the
 * folder would do so under a store that a later hook closes.
 */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  t.after(() => folders.add(folder));
  return folder;
}
