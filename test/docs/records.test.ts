// runtimes: node

import assert from "node:assert/strict";
import { test } from "node:test";
import { blocksUnder } from "./support/blocks.ts";
import { project, runFile } from "./support/project.ts";

test("the guide's sync goes on where it stopped, also in another process", async (t) => {
  const [program] = blocksUnder("docs/guides/records.md", "# Records");
  const folder = project(t, program?.code ?? "");
  assert.equal(await runFile(t, folder, "sync.ts"), "{ found: 3 }\n{ found: 0 }\n");
  assert.equal(await runFile(t, folder, "sync.ts"), "{ found: 0 }\n{ found: 0 }\n");
});
