// runtimes: both

import assert from "node:assert/strict";
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { temporaryFolder } from "../../../../../../test/support/program.ts";
import { until } from "../../../../../../test/support/until.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import type { StoreCondition } from "../../store.ts";
import { SqliteStore } from "../store.ts";

const PLAN = {
  name: "mail",
  stages: [{ name: "running", maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1, maxMs: 2 } }],
  retention: { finishedMs: 60_000, deadLetterMs: 60_000 },
};
const JOB = { tenant: "acme", jobs: [{ kind: "mail", payload: "{}" }] };

const HARM: Record<string, (path: string) => void> = {
  "is deleted": (path) => rmSync(path),
  "is replaced by another file": (path) => {
    copyFileSync(path, `${path}.new`);
    renameSync(`${path}.new`, path);
  },
  "loses its WAL": (path) => rmSync(`${path}-wal`),
  "loses its shared memory": (path) => rmSync(`${path}-shm`),
  "loses its artifacts": (path) => rmSync(path.replace(/\.db$/, ".artifacts.db")),
};

describe("the files of an open store", () => {
  for (const [harm, act] of Object.entries(HARM)) {
    test(`a job file that ${harm} is noticed: submissions are refused, and the condition says what to do`, async (t) => {
      const { store, path, conditions } = await openStore(t);
      await store.submit([JOB]);
      act(path);
      const harmedAt = performance.now();
      const refusal = await until("submissions are refused", () => store.submit([JOB]).then(noError, (error) => error));
      assert.equal(refusal.code, "store-replaced");
      assert.match(refusal.message, /jobs\.(artifacts\.)?db(-\w+)? was deleted or replaced while Millrace had it open/);
      assert.match(refusal.hint, /put its files back or restore a backup/);
      const told = await until("the condition is told", () => conditions().find(({ level }) => level === "error"));
      assert.ok(performance.now() - harmedAt < 1_000 + LATE_MS, "within a second");
      assert.match(told.message, /Stop all processes that use the store/);
      assert.equal((await store.find([])).length, 0, "reads go on");
    });
  }

  test("a store that closes after its file was replaced leaves the new file and its WAL alone", async (t) => {
    const { store, path } = await openStore(t);
    await store.submit([JOB]);
    for (const name of readdirSync(join(path, ".."))) rmSync(join(path, "..", name));
    const successor = new SqliteStore({ path, durability: "normal" });
    await successor.open(NO_EVENTS);
    t.after(() => successor.close());
    await successor.register([PLAN]);
    await successor.submit([JOB]);
    await until("it is noticed", () => store.submit([JOB]).then(noError, (error) => error));
    await store.close();
    await successor.submit([JOB]);
    assert.equal(await successor.count({}), 2);
    assert.ok(existsSync(`${path}-wal`));
  });

  test("are created for their owner alone, backups too; files that exist keep their mode, and the log says so", async (t) => {
    const { store, path, conditions } = await openStore(t);
    await store.submit([JOB]);
    const copy = join(path, "..", "copy.db");
    await store.backup(copy);
    const files = readdirSync(join(path, "..")).map((name) => join(path, "..", name));
    assert.ok(files.length >= 8, files.join(" "));
    assert.deepEqual(
      files.filter((file) => modeOf(file) !== 0o600),
      [],
    );
    assert.deepEqual(conditions(), []);
    await store.close();
    chmodSync(path, 0o644);
    const again = await openStore(t, path);
    assert.equal(modeOf(path), 0o644);
    assert.partialDeepStrictEqual(again.conditions(), [{ code: "files-readable", level: "note" }]);
    assert.match(again.conditions()[0]?.message ?? "", /can read .*jobs\.db, with all payloads\. Run: chmod 600/);
  });
});

describe("an artifacts file without its job file", () => {
  test("is refused with a sentence while it holds artifacts, and neither file is touched", async (t) => {
    const { store, path } = await openStore(t);
    await keepArtifact(store);
    await store.close();
    const artifacts = path.replace(/\.db$/, ".artifacts.db");
    rmSync(path);
    const before = readFileSync(artifacts);
    const refused = { code: "store-incomplete", message: /jobs\.artifacts\.db holds artifacts, but its job file/ };
    await assert.rejects(new SqliteStore({ path }).open(NO_EVENTS), refused);
    assert.ok(!existsSync(path));
    assert.ok(before.equals(readFileSync(artifacts)));
    rmSync(artifacts);
    const { store: fresh } = await openStore(t, path);
    assert.equal(await fresh.count({}), 0);
  });

  test("does not keep the store from starting while it holds nothing", async (t) => {
    const { store, path } = await openStore(t);
    await store.submit([JOB]);
    await store.close();
    rmSync(path);
    const { store: fresh } = await openStore(t, path);
    assert.equal(await fresh.count({}), 0);
    await keepArtifact(fresh);
  });
});

/** What a busy machine may add to a timer of half a second. */
const LATE_MS = 4_000;

async function openStore(t: TestContext, at?: string) {
  const path = at ?? join(temporaryFolder(t), "jobs.db");
  const store = new SqliteStore({ path, durability: "normal" });
  let latest: StoreCondition[] = [];
  await store.open({
    ...NO_EVENTS,
    conditions: (now) => {
      latest = now;
    },
  });
  t.after(() => store.close());
  await store.register([PLAN]);
  return { store, path, conditions: () => latest };
}

async function keepArtifact(store: SqliteStore): Promise<void> {
  await store.submit([JOB]);
  const { jobs } = await store.claim({ kind: "mail", stage: "running", slots: [0], suspects: 0 });
  const [job] = jobs;
  assert.ok(job);
  const artifact = { name: "picture", contentType: "image/png", bytes: new Uint8Array([1, 2, 3]) };
  assert.equal(await store.keepArtifact(job.lease, artifact), "written");
  await store.settle(job.lease, { type: "completed", result: "1" });
}

const noError = () => undefined;
const modeOf = (file: string) => statSync(file).mode & 0o777;
