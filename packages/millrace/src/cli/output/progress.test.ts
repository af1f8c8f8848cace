import assert from "node:assert/strict";
import { test } from "node:test";
import { ProgressBar, type Terminal } from "./progress.ts";

/** What a terminal shows in the end of what is written to it: each line as it was left. */
function terminal(options: Omit<Terminal, "write">) {
  let written = "";
  const write = (text: string) => {
    written += text;
  };
  return { ...options, write, lines: () => written.split("\n").map((line) => line.split("\r\u001b[K").at(-1)) };
}

test("a bar at the foot of a terminal grows; what is said stays above it, and at the end the bar is gone", () => {
  const shown = terminal({ isTTY: true, columns: 80 });
  const progress = new ProgressBar(4, shown);
  assert.deepEqual(shown.lines(), [`${"░".repeat(24)} 0/4 `]);
  progress.step("a.svg");
  assert.deepEqual(shown.lines(), [`${"█".repeat(6)}${"░".repeat(18)} 1/4 a.svg`]);
  progress.say("b.mmd:2: wrong");
  for (const name of ["b", "c", "d"]) progress.step(name);
  assert.deepEqual(shown.lines(), ["b.mmd:2: wrong", `${"█".repeat(24)} 4/4 d`]);
  progress.end();
  assert.deepEqual(shown.lines(), ["b.mmd:2: wrong", ""]);
});

test("a bar is never wider than its terminal, and names cannot move its cursor", () => {
  const shown = terminal({ isTTY: true, columns: 40 });
  new ProgressBar(2, shown).step(`\u001b[2J${"x".repeat(100)}`);
  const [line = ""] = shown.lines();
  assert.equal(line.length, 39);
  assert.ok(!line.includes("\u001b"));
});

test("where there is no terminal, and for one thing alone, only what is said is written", () => {
  for (const [isTTY, total] of [
    [false, 9],
    [true, 1],
  ] as const) {
    const shown = terminal({ isTTY });
    const progress = new ProgressBar(total, shown);
    progress.step("a");
    progress.say("said");
    progress.end();
    assert.deepEqual(shown.lines(), ["said", ""]);
  }
});
