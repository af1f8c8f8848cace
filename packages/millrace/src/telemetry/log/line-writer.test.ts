// runtimes: both

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "../../../../../test/support/program.ts";

const LINES = 20_000;
const WRITE_MANY = `for (let i = 0; i < ${LINES}; i++) log.info("line", { i, filling: "x".repeat(60) });`;
const WRITE_OFTEN = `for (let turn = 0; turn < 20; turn++) {
  log.info("line", { turn });
  log.error("failed", { turn });
  await new Promise((resolve) => setTimeout(resolve, 1));
}
process.exit(7);`;
// It ends while nearly all is still unwritten.
const EXIT_AFTER_20_TICKS = `let ticks = 0;
setInterval(() => {
  if (++ticks < 20) return;
  writeFileSync("alive", "");
  process.exit(7);
}, 1);`;

describe("standard output that is full", () => {
  test("does not hold up the event loop, and every line arrives before the process ends", (t) => {
    const folder = temporaryFolder(t);
    // The reader takes nothing before the program has shown that its timers run.
    shell(`(run; echo $? > code) | (until [ -e alive ]; do sleep 0.05; done; cat > lines)`, {
      code: `${WRITE_MANY} ${EXIT_AFTER_20_TICKS}`,
      folder,
    });
    assert.equal(readFileSync(join(folder, "code"), "utf8"), "7\n");
    assertWhole(readFileSync(join(folder, "lines"), "utf8"));
  });

  test("loses nothing where other code has made the descriptor non-blocking", (t) => {
    const code = `console.log("first"); ${WRITE_MANY} process.exit(7);`;
    const { stdout, status } = shell("run", { code, folder: temporaryFolder(t) });
    assert.equal(status, 7);
    assertWhole(stdout.replace("first\n", ""));
  });
});

describe("a process goes on", () => {
  test("when the reader of its log is gone", (t) => {
    const folder = temporaryFolder(t);
    shell(`(run; echo $? > code) | true`, { code: WRITE_OFTEN, folder });
    assert.equal(readFileSync(join(folder, "code"), "utf8"), "7\n");
  });

  test("when the disk of its log is full", { skip: process.platform !== "linux" && "needs /dev/full" }, (t) => {
    assert.equal(shell("run > /dev/full", { code: WRITE_OFTEN, folder: temporaryFolder(t) }).status, 7);
  });
});

/** Runs a shell script in which `run` is a program of this code with a log. */
function shell(script: string, { code, folder }: { code: string; folder: string }) {
  const program = `import { writeFileSync } from "node:fs";
    import { createLog } from ${JSON.stringify(new URL("./log.ts", import.meta.url).href)};
    const log = createLog({ level: "info", format: "json" });
    ${code}`;
  const command = [process.execPath, ...(process.versions["bun"] ? [] : ["--input-type=module"]), "-e", program];
  const { stdout, stderr, status } = spawnSync("sh", ["-c", script.replace("run", '"$@"'), "sh", ...command], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  assert.equal(stderr, "");
  return { stdout, status };
}

function assertWhole(text: string): void {
  const lines = text.split("\n");
  assert.equal(lines.pop(), "", "the last line is whole");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).i),
    Array.from({ length: LINES }, (_, i) => i),
  );
}
