// runtimes: node

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { diagrams } from "../packages/diagrams/src/workload.ts";
import { envExample } from "../packages/millrace/src/config/print.ts";
import { settingGroups } from "../packages/millrace/src/config.ts";
import { sites } from "../packages/sites/src/workload.ts";
import { root } from "./support/program.ts";

test("the repository's .env.example shows the settings of the engine and of every workload", () => {
  const example = readFileSync(join(root, ".env.example"), "utf8");
  assert.equal(example, envExample(settingGroups([diagrams, sites])), "run `node scripts/env-example.js`");
});
