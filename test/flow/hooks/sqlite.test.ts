// runtimes: bun or node

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqlite } from "../../../packages/millrace/src/index.ts";
import { describeHooksEverywhere } from "../support/hooks-everywhere-suite.ts";

describeHooksEverywhere("sqlite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  return {
    store: () => sqlite(join(folder, "jobs.db")),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
});
