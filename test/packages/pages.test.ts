// runtimes: node
// time-limit: 300 s
// The workloads are published with their pages built, where `pages.module` names them.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { packed } from "../support/packed.ts";

for (const name of ["@millrace/diagrams", "@millrace/sites"]) {
  test(`${name} brings the built module and stylesheet of its pages, once`, { timeout: 240_000 }, async () => {
    const { stdout } = await promisify(execFile)("tar", ["-tzf", await packed(name)]);
    const built = stdout.split("\n").filter((file) => /pages\/dist\//.test(file));
    assert.deepEqual(built.sort(), ["package/dist/pages/dist/pages.css", "package/dist/pages/dist/pages.js"]);
  });
}
