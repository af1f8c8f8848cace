// runtimes: node

import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../support/program.ts";
import type { Block } from "./support/blocks.ts";
import { writePages } from "./support/pages.ts";
import { runProgram } from "./support/run-program.ts";

test("a program that prints what its comments say passes, and others do not", async (t) => {
  const [right, wrong, unordered, failing] = writePages(temporaryFolder(t), [
    block(1, 'console.log("a"); // prints a\nconsole.log("b"); // prints b\n'),
    block(2, 'console.log("a"); // prints b\n'),
    block(3, 'console.log("b");\nconsole.log("a"); // prints a\n// prints b\n'),
    block(4, "process.exit(3);\n"),
  ]);
  assert.ok(right && wrong && unordered && failing);
  await runProgram(t, right);
  await assert.rejects(runProgram(t, wrong), /does not print "b".*page\.md:2/);
  await assert.rejects(runProgram(t, unordered), /does not print "b"/);
  await assert.rejects(runProgram(t, failing), /page\.md:4[\s\S]*code: 3/);
});

test("a program that serves is stopped with SIGTERM, and must exit with 0", async (t) => {
  const stay = "setInterval(() => {}, 1_000);\n";
  const [right, wrong] = writePages(temporaryFolder(t), [
    block(1, `process.once("SIGTERM", () => process.exit(0));\n${stay}console.log("ready");\n`, "until SIGTERM"),
    block(2, `${stay}console.log("ready");\n`, "until SIGTERM"),
  ]);
  assert.ok(right && wrong);
  await runProgram(t, right);
  await assert.rejects(runProgram(t, wrong), /SIGTERM/);
});

function block(line: number, code: string, info = ""): Block {
  return { document: "page.md", line, language: "ts", info, code };
}
