// runtimes: node

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { root } from "../../../test/support/program.ts";

test("on a Node without SQLite, importing Millrace says in a sentence which runtimes it needs", () => {
  const code = `import("${root}/src/index.ts").catch(({ code, message }) => console.log(code, message))`;
  const { stdout } = spawnSync(process.execPath, ["--no-experimental-sqlite", "-e", code], { encoding: "utf8" });
  assert.match(stdout, /^runtime-too-old Millrace needs Node 24 or Bun 1\.4 or newer\. This is Node \d+/);
});
