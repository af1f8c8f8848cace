import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { RUNTIME, run } from "../../support/program.ts";
import { scaled } from "../../support/slowness.ts";
import type { Program } from "./pages.ts";

const TIME_LIMIT_MS = 30_000;

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The command that runs a file. Default: the runtime of this test, with the sources of this repository. */
  readonly command?: (file: string) => readonly string[];
  /** Bun prints objects over several lines and with other quotes. */
  readonly ignoresFormat?: boolean;
}

/**
 * Runs a program to its end and compares what it prints with its comments: `console.log(x); // prints 42` must print a
 * line `42`, in the order of the program.
 */
export async function runProgram(
  t: TestContext,
  { block, place, folder, file }: Program,
  { env = {}, command = (path) => [...RUNTIME, path], ignoresFormat = false }: RunOptions = {},
): Promise<void> {
  // In a folder of its own: two programs of a page may use the same file name for different kinds.
  const cwd = mkdtempSync(join(folder, "run-"));
  const program = run(t, command(join(folder, file)), { cwd, env: { PORT: "0", ...env } });
  const timer = setTimeout(() => program.child.kill("SIGKILL"), scaled(TIME_LIMIT_MS));
  if (block.info === "until SIGTERM") {
    await program.said(/http:\/\/|\bready\b/);
    program.child.kill("SIGTERM");
  }
  const ended = await program.ended();
  clearTimeout(timer);
  const all = `${place} (${join(folder, file)})\n${program.stdout()}${program.stderr()}`;
  assert.deepEqual(ended, { code: 0, signal: null }, all);
  const words = ignoresFormat ? (text: string) => text.replace(/[\s"',]/g, "") : (text: string) => `\n${text.trim()}\n`;
  let rest = ignoresFormat ? words(program.stdout()) : `\n${program.stdout()}\n`;
  for (const [, expected = ""] of block.code.matchAll(/\/\/ prints (.+)$/gm)) {
    const at = rest.indexOf(words(expected));
    assert.ok(at >= 0, `does not print "${expected}" where it should: ${all}`);
    rest = rest.slice(at + words(expected).length - (ignoresFormat ? 0 : 1));
  }
}
