// runtimes: both

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ownFile, ownRoot } from "./own-file.ts";
import { VERSION } from "./version.ts";

test("the version in the code is that of package.json", () => {
  assert.equal(JSON.parse(readFileSync(join(ownRoot() ?? "", "package.json"), "utf8")).version, VERSION);
});

test("a file that is started by path is found beside its sources", () => {
  assert.equal(
    ownFile("store/sqlite/thread/thread.ts").href,
    new URL("../../store/sqlite/thread/thread.ts", import.meta.url).href,
  );
});
