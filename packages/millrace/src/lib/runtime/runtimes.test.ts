// runtimes: node

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { engineRoot } from "../../../../../test/support/program.ts";
import { isSupported } from "../../../bin/runtimes.js";
import { OLDEST, runtimeProblem } from "./runtimes.ts";

const CASES: readonly [name: "node" | "bun", version: string, supported: boolean][] = [
  ["node", "20.20.2", false],
  ["node", "22.13.1", false],
  ["node", "22.22.2", false],
  ["node", "22.22.3", true],
  ["node", "22.100.0", true],
  ["node", "23.11.1", false],
  ["node", "24.14.1", false],
  ["node", "24.15.0", true],
  ["node", "26.0.0", true],
  ["node", "100.0.0", true],
  ["bun", "1.3.9", false],
  ["bun", "1.4.0", true],
  ["bun", "1.10.0", true],
];

test("a runtime that is too old is named in one sentence, with those that work", () => {
  for (const [name, version, supported] of CASES) {
    const versions = name === "bun" ? { node: "24.3.0", bun: version } : { node: version };
    const shown = name === "bun" ? `Bun ${version}` : `Node ${version}`;
    const sentence = `Millrace needs Node 22.22.3, Node 24.15 or Bun 1.4, or newer; this is ${shown}.`;
    assert.equal(runtimeProblem(versions), supported ? undefined : sentence);
  }
});

test("package.json, the launcher and the library name the same versions", () => {
  const { engines } = JSON.parse(readFileSync(join(engineRoot, "package.json"), "utf8"));
  assert.deepEqual(engines, { node: `^${OLDEST.node22} || >=${OLDEST.node}`, bun: `>=${OLDEST.bun}` });
  for (const [name, version, supported] of CASES) assert.equal(isSupported(name, version), supported, version);
});

test("importing the library on an unsupported runtime fails with that sentence and nothing of our insides", () => {
  const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.0'})";
  for (const entry of ["src/index.ts", "src/testing.ts"]) {
    const { status, stderr } = spawnSync(process.execPath, ["--import", old, join(engineRoot, entry)], {
      encoding: "utf8",
    });
    assert.equal(status, 1);
    assert.match(stderr, /\[?Error: Millrace needs Node 22\.22\.3, .*; this is Node 20\.11\.0\.\]? \{/);
    assert.match(stderr, /code: 'runtime-too-old'/);
    assert.doesNotMatch(stderr, /require-runtime|src\/lib/);
  }
});
