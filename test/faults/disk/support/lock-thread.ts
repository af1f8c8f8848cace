// The thread of write-turn.test.ts: it locks the database of another thread, commits and locks it again.

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const { path, steps, secondHoldMs } = workerData as { path: string; steps: Int32Array; secondHoldMs: number };
const db = new DatabaseSync(path);
db.exec("BEGIN IMMEDIATE");
parentPort?.postMessage("locked");
Atomics.wait(steps, 0, 0);
db.exec("INSERT INTO entry VALUES (1); COMMIT; BEGIN IMMEDIATE");
Atomics.store(steps, 1, 1);
Atomics.notify(steps, 1);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, secondHoldMs);
db.exec("COMMIT");
db.close();
