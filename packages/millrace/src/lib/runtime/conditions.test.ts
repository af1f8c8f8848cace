// runtimes: both

import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionsIn } from "./conditions.ts";

test("a child process resolves packages by the conditions of its parent, in every spelling", () => {
  const flags = ["--no-warnings", "--conditions=source", "-C=second", "-C", "third", "--conditions", "fourth"];
  assert.deepEqual(conditionsIn(flags), [
    "--conditions=source",
    "-C=second",
    "--conditions=third",
    "--conditions=fourth",
  ]);
  assert.deepEqual(conditionsIn(["--inspect", "--conditions"]), []);
});
