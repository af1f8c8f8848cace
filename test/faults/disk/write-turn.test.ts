// runtimes: both

import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { openDatabase } from "../../../packages/millrace/src/store/sqlite/connection/database.ts";
import { WriteTurn } from "../../../packages/millrace/src/store/sqlite/connection/write-turn.ts";
import { temporaryFolder } from "../../support/program.ts";

test("a lock that was held for long is waited for again once it moves between processes", async (t) => {
  const path = join(temporaryFolder(t), "jobs.db");
  const turn = new WriteTurn();
  const db = openDatabase({ path, durability: "full" }, turn);
  t.after(() => db.close());
  db.exec("CREATE TABLE entry (id INTEGER)");
  const steps = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(new URL("./support/lock-thread.ts", import.meta.url), {
    workerData: { path, steps, secondHoldMs: 500 },
  });
  const ended = once(thread, "exit");
  await once(thread, "message");

  const refused = { code: "store-unavailable" };
  assert.throws(() => turn.begin(db, true), refused, "the first call waits for seconds");
  assert.throws(() => turn.begin(db, true), refused, "the next one shares its wait");

  Atomics.store(steps, 0, 1);
  Atomics.notify(steps, 0);
  Atomics.wait(steps, 1, 0);
  // The thread has committed and holds the lock once more, for longer than a call that shares a wait.
  turn.begin(db, true);
  assert.equal(db.prepare("SELECT count(*) AS entries FROM entry").get()?.["entries"], 1);
  db.exec("ROLLBACK");
  await ended;
});
