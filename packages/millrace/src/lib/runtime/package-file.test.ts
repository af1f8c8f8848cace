// runtimes: both

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packageFile } from "./package-file.ts";

const FILE = { package: "@acme/drawing", near: "./renderer.ts", path: "library/renderer.ts" };

test("a file is found beside the module that asks, with its ending", (t) => {
  const folder = files(t, "dist/library/renderer.js", "dist/library/pool.js");
  assert.equal(found(join(folder, "dist/library/pool.js")), join(folder, "dist/library/renderer.js"));
});

test("a bundle finds the file in the installed package, not a file of its own with the same name", (t) => {
  const folder = files(t, "out/app.js", "out/renderer.js", "node_modules/@acme/drawing/dist/library/renderer.js");
  const home = join(folder, "node_modules/@acme/drawing");
  writeFileSync(join(home, "package.json"), '{ "name": "@acme/drawing", "exports": "./dist/index.js" }');
  writeFileSync(join(home, "dist/index.js"), "");
  assert.equal(found(join(folder, "out/app.js")), join(home, "dist/library/renderer.js"));
});

test("a bundle without the package is told what to do", (t) => {
  const folder = files(t, "out/app.js", "out/renderer.js");
  assert.throws(() => found(join(folder, "out/app.js")), {
    code: "bundled",
    message: "@acme/drawing was bundled, and its file library/renderer.ts is not in the bundle.",
    hint: /--external:@acme\/drawing/,
  });
  assert.throws(() => packageFile({ ...FILE, here: undefined }), { code: "bundled" });
});

function found(module: string): string {
  return fileURLToPath(packageFile({ ...FILE, here: pathToFileURL(module).href }));
}

function files(t: TestContext, ...paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "millrace-file-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  return folder;
}
