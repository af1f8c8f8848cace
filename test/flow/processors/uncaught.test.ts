// What is not an attempt's is the program's own affair: real programs, since a test runner has handlers of its own.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { engineRoot } from "../../support/program.ts";
import { scaled } from "../../support/slowness.ts";

const onBun = process.versions["bun"] !== undefined;

describe("an error of the host program's own", () => {
  test("thrown while a job runs ends the program, as it would have without Millrace", () => {
    const ended = run(
      `setTimeout(() => { throw new Error("the host's own bug"); }, 20); await job.wait({ timeoutMs: 20_000 });`,
    );
    assert.equal(ended.status, 1);
    assert.match(ended.stderr, /the host's own bug/);
  });

  test("is left to the program's own handler", () => {
    const ended = run(`process.on("uncaughtException", (error) => console.log("handled", error.message));
      setTimeout(() => { throw new Error("mine"); }, 20); await job.wait({ timeoutMs: 20_000 }); await millrace.stop();
      console.log((await finished).state);`);
    assert.deepEqual([ended.status, ended.stdout.trim().split("\n")], [0, ["handled mine", "completed"]], ended.stderr);
  });

  test("after the last job, and after stop, is no business of ours", () => {
    const ended = run(`await job.wait({ timeoutMs: 20_000 }); await millrace.stop();
      process.on("unhandledRejection", (error) => console.log("handled", error.message));
      void Promise.reject(new Error("late")); setTimeout(() => console.log("still here"), 50);`);
    assert.deepEqual(
      [ended.status, ended.stdout.trim().split("\n")],
      [0, ["handled late", "still here"]],
      ended.stderr,
    );
  });

  test("a rejection is not put down to a job that happens to run, where the runtime tells whose it was", () => {
    if (onBun) return; // Bun does not restore the async context for a rejection: see src/pool/uncaught.ts
    const ended = run(`process.on("unhandledRejection", () => {});
      setTimeout(() => void Promise.reject(new Error("the host's")), 20); await job.wait({ timeoutMs: 20_000 });
      console.log((await finished).state); await millrace.stop();`);
    assert.deepEqual([ended.status, ended.stdout.trim()], [0, "completed"], ended.stderr);
  });
});

/** A program with one job that takes 200 ms, and these lines. */
function run(lines: string) {
  const folder = mkdtempSync(join(tmpdir(), "millrace-host-"));
  try {
    const program = join(folder, "host.mjs");
    writeFileSync(
      program,
      `import { defineKind, Millrace, sqlite } from ${JSON.stringify(join(engineRoot, "src/index.ts"))};
      const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
      const slow = defineKind({ name: "slow", payload: any, maxAttempts: 1, run: () => new Promise((r) => setTimeout(r, 200)) });
      const millrace = await Millrace.open({ store: sqlite(${JSON.stringify(join(folder, "jobs.db"))}), kinds: [slow] });
      const job = await millrace.submit(slow, null);
      const finished = millrace.wait(job.id).catch((error) => ({ state: error.message }));
      while ((await job.view()).state === "pending") await new Promise((r) => setTimeout(r, 5));
      ${lines}`,
    );
    return spawnSync(process.execPath, [program], { encoding: "utf8", timeout: scaled(20_000) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
