// runtimes: node

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MUTANTS } from "../faults/support/mutants/list.ts";
import { root } from "../support/program.ts";

test("the text of every seeded bug is in its file, and its fault test is there", () => {
  const stale = MUTANTS.filter(
    ({ file, from, caughtBy }) =>
      !existsSync(join(root, file)) ||
      !readFileSync(join(root, file), "utf8").includes(from) ||
      !existsSync(join(root, `test/faults/${caughtBy}.test.ts`)),
  );
  assert.deepEqual(
    stale.map(({ bug, file }) => `${bug}: ${file}`),
    [],
  );
});
