// runtimes: bun, node or node22
// An engine inside a program speaks up by itself: real programs, since the streams of a test are the runner's.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { run } from "../support/program.ts";

const onBun = process.versions["bun"] !== undefined;
const EMBEDDED = [process.execPath, "test/flow/scripts/embedded.ts"];
/** Node 22 warns of a program in TypeScript. */
const QUIET: Record<string, string> = process.versions.node.startsWith("22.")
  ? { NODE_OPTIONS: "--disable-warning=ExperimentalWarning" }
  : {};

describe("an engine without a log", () => {
  test("reports failed jobs and broken modules on standard error, one line of JSON each", async (t) => {
    const program = run(t, EMBEDDED, { env: QUIET });
    assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stderr());
    const lines = linesOf(program.stderr());
    const [job] = lines.filter(({ event }) => event === "dead-lettered");
    assert.partialDeepStrictEqual(job, {
      level: "error",
      kind: "fails",
      code: "processor-failed",
      error: "No such host.",
    });
    assert.match(job?.["jobId"] ?? "", /^job_/);
    assert.ok(lines.some(({ event, kind }) => event === "processor module does not start" && kind === "broken"));
    assert.deepEqual(
      lines.filter(({ level }) => level === "info" || level === "debug").map(({ event }) => event),
      ["processor output", "processor output", "processor output"],
      "nothing below a warning but what processors print",
    );
    const late = JSON.parse(program.stdout());
    assert.equal(late.code, "wait-timeout");
    assert.match(late.hint, /^broken\/running: The module .*missing\.ts does not start/);
  });

  test("hands on what isolated processors print, with its level and its job", async (t) => {
    const program = run(t, EMBEDDED, { env: QUIET });
    await program.ended();
    const printed = linesOf(program.stderr()).filter(({ event }) => event === "processor output");
    assert.deepEqual(
      printed.map(({ level, line, jobId }) => [level, line, jobId !== undefined]).sort(),
      [
        ["error", "an error", true],
        ["error", "in two lines", true],
        ["info", "  { indented: true }", true],
        ["info", "loaded", false],
        ["info", "on standard output", true],
        ["warn", "a warning", true],
        ["warn", "not by console", true],
      ],
      "what is printed as the module loads belongs to no job",
    );
    for (const line of printed) assert.partialDeepStrictEqual(line, { kind: "speaks", stage: "running" });
  });

  test("a kit that a failed test did not stop does not keep the test process alive", { skip: onBun }, async (t) => {
    const program = run(t, [process.execPath, "--test", "--test-timeout=60000", "test/flow/scripts/forgotten-kit.ts"]);
    const { code } = await program.ended();
    assert.equal(code, 1);
    assert.match(program.stdout(), /something else/);
    assert.doesNotMatch(program.stdout(), /cancelled 1|timed out/);
  });
});

function linesOf(text: string): Record<string, string>[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
