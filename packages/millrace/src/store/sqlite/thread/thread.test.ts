// runtimes: both

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../../../test/support/program.ts";
import { describeThread, NO_EVENTS } from "../../contract/thread.ts";
import { inspect } from "../connection/inspect.ts";
import { SqliteStore } from "../store.ts";

const LEASE_MS = 1_000;

describeThread("sqlite", {
  leaseMs: LEASE_MS,
  make: (folder) => {
    const path = join(folder, "jobs.db");
    return {
      store: () => new SqliteStore({ path, leaseMs: LEASE_MS, durability: "normal" }),
      inspect: () => inspect(path),
    };
  },
});

test("a file that is no database is refused with a sentence", async (t) => {
  const path = join(temporaryFolder(t), "jobs.db");
  writeFileSync(path, "this is no database, but it is long enough to look at".repeat(50));
  await assert.rejects(new SqliteStore({ path }).open(NO_EVENTS), { code: "store-cannot-open", message: /jobs\.db/ });
});
