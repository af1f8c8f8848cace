// runtimes: both

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { temporaryFolder } from "../../../../../../test/support/program.ts";
import { until } from "../../../../../../test/support/until.ts";
import { MAIL } from "../../contract/rig.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import type { StoreCondition } from "../../store.ts";
import { SqliteStore } from "../store.ts";

const MIB = 1024 ** 2;

test("a WAL that a foreign reader keeps from being emptied is named, and under 8 MiB once the reader has gone", async (t) => {
  const path = join(temporaryFolder(t), "jobs.db");
  const store = new SqliteStore({ path, durability: "normal" });
  let conditions: StoreCondition[] = [];
  await store.open({
    ...NO_EVENTS,
    conditions: (now) => {
      conditions = now;
    },
  });
  t.after(() => store.close());
  await store.register([MAIL]);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec("BEGIN; SELECT count(*) FROM job");
  const walBytes = () => statSync(`${path}-wal`).size;
  const payload = JSON.stringify("x".repeat(MIB - 1_000));
  while (walBytes() <= 256 * MIB) {
    const jobs = Array.from({ length: 16 }, () => ({ kind: "mail", payload }));
    await store.submit([{ tenant: "acme", jobs }]);
  }
  await until("the condition is told", () => conditions.some(({ code }) => code === "wal-large"));
  assert.match(conditions[0]?.message ?? "", /larger than 256 MiB.*read transaction/);
  reader.exec("COMMIT");
  reader.close();
  await until("the condition ends", () => conditions.length === 0);
  await until("the WAL is small again", () => walBytes() <= 8 * MIB);
});
