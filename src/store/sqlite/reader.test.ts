import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { SqliteStore } from "./store.ts";

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
  assert.deepEqual(await store.matching({ standings: ["failed"], failureCode: "broken" }, 5), [jobId]);
  await store.addAudit({ who: "me", what: "looked" });
  assert.equal((await store.audit({ limit: 1 }))[0]?.what, "looked");
});

async function open(path: string): Promise<SqliteStore> {
  const store = new SqliteStore({ path, durability: "normal" });
  await store.open({ wake() {}, lost() {}, expired() {}, fatal() {}, trouble() {} });
  const stage = { name: "running", maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1, maxMs: 2 } };
  await store.register([{ name: "mail", stages: [stage], retention: { finishedMs: 1_000, deadLetterMs: 1_000 } }]);
  return store;
}
