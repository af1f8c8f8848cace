// runtimes: both

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withoutMarks } from "./console.ts";
import { ChildOutput, type OutputLine } from "./output.ts";

function heard(): { output: ChildOutput; lines: OutputLine[] } {
  const lines: OutputLine[] = [];
  return { output: new ChildOutput((line) => lines.push(line)), lines };
}

describe("the output of a child process", () => {
  test("is told in whole lines, however it is cut into chunks", () => {
    const { output, lines } = heard();
    const bytes = Buffer.from("grüße\nand a second line\nno end");
    for (const byte of bytes) output.write("stdout", Uint8Array.of(byte));
    assert.deepEqual(
      lines.map(({ line }) => line),
      ["grüße", "and a second line"],
    );
    output.end();
    assert.equal(lines.at(-1)?.line, "no end");
  });

  test("has the level and the lease that console marked, and otherwise that of its stream", () => {
    const { output, lines } = heard();
    output.write("stderr", Buffer.from("\u001eerror job_1.7\u001eloud\n\u001ewarn \u001eidle\nraw\n"));
    output.write("stdout", Buffer.from("raw\n"));
    assert.deepEqual(lines, [
      { stream: "stderr", level: "error", of: "job_1.7", line: "loud" },
      { stream: "stderr", level: "warn", of: "", line: "idle" },
      { stream: "stderr", level: "warn", line: "raw" },
      { stream: "stdout", level: "info", line: "raw" },
    ]);
  });

  test("is bounded in the length of a line, in lines and in bytes a second", () => {
    const { output, lines } = heard();
    output.write("stdout", Buffer.from(`${"x".repeat(100_000)}\n`));
    assert.equal(lines[0]?.line.length, 8_000);
    const pauses = Array.from({ length: 200 }, () => output.write("stdout", Buffer.alloc(65_536, "y\n")));
    // The loop above may run into a second second, never into a third.
    assert.ok(lines.length >= 500 && lines.length <= 1_000, `${lines.length} lines`);
    assert.ok(lines.some(({ line }) => line === "[further output of this second is left out]"));
    assert.ok(pauses[0] === 0 && pauses.some((ms) => ms > 0 && ms <= 1_000), "then the child waits");
  });

  test("reads without marks in the account of its end, also where that begins within one", () => {
    assert.equal(withoutMarks("nfo job_1.7\u001ehalf\n\u001eerror job_1.7\u001elast words"), "half\nlast words");
  });
});
