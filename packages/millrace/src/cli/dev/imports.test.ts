import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { type TestContext, test } from "node:test";
import { moduleFiles } from "./imports.ts";

function project(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "millrace-")));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function filesFrom(folder: string, entry: string): string[] {
  const isForeign = (file: string) => file.includes(`${sep}node_modules${sep}`);
  return moduleFiles([join(folder, entry)], isForeign)
    .map((file) => relative(folder, file))
    .sort();
}

test("a module is watched with all that it imports, in every way of importing", (t) => {
  const folder = project(t, {
    "kinds.ts": `import { a } from "./a.ts";
      import type { B } from './types/b.js';
      export * from "./folder";
      import data from "./data.json" with { type: "json" };
      const late = () => import("./late.ts");
      const old = require("./old.cjs");
      const work = { module: new URL("./isolated.ts", import.meta.url) };
      import fs from "node:fs"; import zod from "zod";`,
    "a.ts": 'import "./kinds.ts"; import "./missing.ts";',
    "types/b.ts": "",
    "folder/index.ts": "",
    "data.json": "{}",
    "late.ts": "export const broken = ;",
    "old.cjs": "",
    "isolated.ts": 'import "./of-isolated.ts";',
    "of-isolated.ts": "",
    "unrelated.ts": "",
    "node_modules/zod/package.json": '{ "name": "zod", "main": "./index.js" }',
    "node_modules/zod/index.js": "",
  });
  assert.deepEqual(filesFrom(folder, "kinds.ts"), [
    "a.ts",
    "data.json",
    "folder/index.ts",
    "isolated.ts",
    "kinds.ts",
    "late.ts",
    "missing.ts",
    "of-isolated.ts",
    "old.cjs",
    "types/b.ts",
  ]);
});

test("a linked package of the same workspace is watched too", (t) => {
  const folder = project(t, {
    "worker/kinds.ts": 'import "@shop/contracts"; import "@shop/plain";',
    "contracts/package.json": '{ "name": "@shop/contracts", "exports": { ".": { "import": "./src/index.ts" } } }',
    "contracts/src/index.ts": 'export * from "./order.ts";',
    "contracts/src/order.ts": "",
    "plain/package.json": '{ "name": "@shop/plain", "main": "./main.js" }',
    "plain/main.js": "",
  });
  mkdirSync(join(folder, "node_modules/@shop"), { recursive: true });
  symlinkSync(join(folder, "contracts"), join(folder, "node_modules/@shop/contracts"));
  symlinkSync(join(folder, "plain"), join(folder, "node_modules/@shop/plain"));
  assert.deepEqual(filesFrom(folder, "worker/kinds.ts"), [
    "contracts/src/index.ts",
    "contracts/src/order.ts",
    "plain/main.js",
    "worker/kinds.ts",
  ]);
});
