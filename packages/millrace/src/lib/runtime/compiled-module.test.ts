// runtimes: both

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { compiledModule } from "./compiled-module.ts";

test("a module that was compiled is found by the name of its source", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-compiled-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of ["plain.js", "module.mjs", "common.cjs", "jsx.js", "both.ts", "both.js"]) {
    writeFileSync(join(folder, file), "");
  }
  const found = (name: string) =>
    compiledModule(new URL(name, `${pathToFileURL(folder).href}/`))
      .href.split("/")
      .pop();
  assert.equal(found("plain.ts"), "plain.js");
  assert.equal(found("module.mts"), "module.mjs");
  assert.equal(found("common.cts"), "common.cjs");
  assert.equal(found("jsx.tsx"), "jsx.js");
  assert.equal(found("plain.ts?v=2"), "plain.js?v=2");
  assert.equal(found("both.ts"), "both.ts", "the file that is there is the one that is meant");
  assert.equal(found("missing.ts"), "missing.ts", "so that the error names what was asked for");
});

test("a module that is not a file is left alone", () => {
  const url = new URL("data:text/javascript,export default 1");
  assert.equal(compiledModule(url), url);
});
