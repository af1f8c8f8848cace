// runtimes: bun or node

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqlite } from "../../../packages/millrace/src/index.ts";
import { describeStreams } from "../support/streams-suite.ts";

describeStreams("a file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  return {
    store: () => sqlite(join(folder, "jobs.db")),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
});
