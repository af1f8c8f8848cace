// runtimes: node

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ALL_MUTANTS } from "../faults/support/mutants/all.ts";
import { testFileOf } from "../faults/support/mutants/list.ts";
import { root } from "../support/program.ts";

test("the text of every seeded bug is in its file, and its test is there", () => {
  const stale = ALL_MUTANTS.filter((mutant) => {
    const [file, caughtBy] = [join(root, mutant.file), join(root, testFileOf(mutant))];
    return !existsSync(file) || !readFileSync(file, "utf8").includes(mutant.from) || !existsSync(caughtBy);
  });
  assert.deepEqual(
    stale.map(({ bug, file }) => `${bug}: ${file}`),
    [],
  );
});
