// runtimes: node

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { engineRoot } from "../../../../../../test/support/program.ts";

test("on a Node without SQLite, Millrace can be imported, and sqlite() says in a sentence what is missing", () => {
  const code = `const { Millrace, sqlite, postgres } = await import("${engineRoot}/src/index.ts");
    postgres("postgres://localhost/jobs");
    for (const path of [":memory:", "./never-made.db"]) {
      await Millrace.open({ store: sqlite(path), kinds: [] }).catch((error) => console.log(error.code, error.message));
    }`;
  const flags = ["--no-experimental-sqlite", "--input-type=module", "-e", code];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  assert.match(stdout, /^(runtime-too-old SQLite is missing: Node [\d.]+ has no node:sqlite\.\n){2}$/, stderr);
});
