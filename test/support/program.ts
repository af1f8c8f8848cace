import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

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
  /** All of its environment, beside PATH, HOME and TEST_SLOWNESS: tests do not depend on what the caller has set. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A real process in a group of its own; the whole group is killed when the test ends. */
export function run(t: TestContext, command: readonly string[], options: ProgramOptions = {}): Program {
  const [file = "", ...args] = command;
  const { PATH = "", HOME = "", TEST_SLOWNESS = "1" } = process.env;
  const child = spawn(file, args, {
    cwd: options.cwd ?? root,
    env: { PATH, HOME, TEST_SLOWNESS, ...options.env },
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

/** A folder of the test's own, removed when it ends. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
