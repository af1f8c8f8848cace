// runtimes: both

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../../../test/support/program.ts";
import { until } from "../../../../../../test/support/until.ts";
import type { AppError } from "../../../lib/app-error.ts";
import { SqliteStore } from "../store.ts";

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("what is written on the store thread is found by the reader thread as soon as it is answered", async (t) => {
  const store = await open(join(temporaryFolder(t), "jobs.db"));
  t.after(() => store.close());
  await store.submit([{ tenant: "acme", jobs: [{ kind: "mail", payload: '"needle"', traceParent: PARENT }] }]);
  const { jobs } = await store.claim({ kind: "mail", stage: "running", slots: [0], suspects: 0 });
  const [claimed] = jobs;
  assert.ok(claimed);
  assert.partialDeepStrictEqual(claimed, { traceId: PARENT.slice(3, 35), traceParent: PARENT });
  assert.deepEqual(await store.tenants(), [{ tenant: "acme", running: 1, pending: 0 }]);
  const failure = { code: "broken", message: "It broke.", permanent: true };
  await store.settle(claimed.lease, { type: "failed", failure });
  const { jobId } = claimed.lease;
  assert.equal((await store.deadLetters({ search: "needle" }, { limit: 1, offset: 0 })).jobs[0]?.id, jobId);
  assert.equal((await store.deadLetterGroups({ tenant: "acme" }))[0]?.sample, jobId);
  assert.deepEqual(await store.listIds({ standings: ["failed"], failureCode: "broken" }, 5), [jobId]);
  await store.addAudit({ who: "me", what: "looked" });
  assert.equal((await store.audit({ limit: 1 }))[0]?.what, "looked");
});

test("one tenant's searches hold up no other tenant: the others are answered first", async (t) => {
  const store = await open(join(temporaryFolder(t), "jobs.db"));
  t.after(() => store.close());
  await submitMany(store, "noisy", 20_000);
  await submitMany(store, "quiet", 10);
  await store.list({ search: "both threads are started", limit: 1 });
  await store.list({ limit: 1 });
  const answered: string[] = [];
  const note = (name: string) => (jobs: unknown[]) => void answered.push(`${name} ${jobs.length}`);
  const searches = Array.from({ length: 40 }, () =>
    store.list({ tenant: "noisy", search: "in no job" }).then(note("noisy")),
  );
  const others = [
    store.list({ tenant: "quiet", search: "needle" }).then(note("quiet search")),
    store.list({ tenant: "quiet" }).then(note("quiet list")),
    store.deadLetters({ tenant: "quiet", search: "x" }, { limit: 1, offset: 0 }).then(() => note("quiet dead")([])),
    store.list({ search: "needle", limit: 5 }).then(note("administrator")),
  ];
  await Promise.all(others);
  const before = answered.filter((name) => name.startsWith("noisy")).length;
  assert.ok(before <= 10, `the others came after ${before} of 40: ${answered.join(", ")}`);
  await Promise.all(searches);
  assert.deepEqual(
    new Set(answered),
    new Set([...["noisy 0", "quiet search 10", "quiet list 10"], "quiet dead 0", "administrator 5"]),
  );
});

test("a search that takes longer than the limit fails with a clear answer, and the reader goes on", async (t) => {
  const store = await open(join(temporaryFolder(t), "jobs.db"), { queryMs: 2 });
  t.after(() => store.close());
  await submitMany(store, "acme", 20_000);
  await assert.rejects(store.count({ search: "in no job" }), (error: AppError) => {
    assert.equal(error.code, "query-timeout");
    assert.match(error.message, /did not finish within 2 ms/);
    assert.match(error.hint ?? "", /Narrow the filter by tenant, kind, status or time/);
    return true;
  });
  await until("short reads are answered", () =>
    store.list({ limit: 1 }).then(
      ([job]) => job,
      () => undefined,
    ),
  );
});

async function submitMany(store: SqliteStore, tenant: string, count: number): Promise<void> {
  const payload = JSON.stringify(`needle ${"hay ".repeat(200)}`);
  for (let n = 0; n < count; n += 1_000) {
    const jobs = Array.from({ length: Math.min(1_000, count - n) }, () => ({ kind: "mail", payload }));
    await store.submit([{ tenant, jobs }]);
  }
}

async function open(path: string, limits: { queryMs?: number } = {}): Promise<SqliteStore> {
  const store = new SqliteStore({ path, durability: "normal", limits });
  await store.open({ wake() {}, lost() {}, expired() {}, fatal() {}, trouble() {} });
  const stage = { name: "running", maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1, maxMs: 2 } };
  await store.register([{ name: "mail", stages: [stage], retention: { finishedMs: 1_000, deadLetterMs: 1_000 } }]);
  return store;
}
