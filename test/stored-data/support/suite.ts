// What an earlier engine stored, today's engine shows as it was and works off to its end.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { root } from "../../support/program.ts";
import { until } from "../../support/until.ts";
import { type Location, openEngine, type StoredEngine } from "./engine.ts";
import { type FixtureData, readFixture } from "./fixture.ts";
import { readAll } from "./read.ts";

export interface StoredDataOptions<Store extends keyof FixtureData> {
  readonly store: Store;
  /** Makes a copy of the data that the test may change. */
  copy(data: FixtureData[Store], t: TestContext): Promise<Location>;
  /** What is out of true in the store, in words. */
  inspect(location: Location): Promise<string[]>;
}

interface JobAnswer {
  readonly jobId: string;
  readonly kind: string;
  readonly state: string;
  readonly result?: unknown;
}

/** By kind, the results of the jobs that had not ended. */
const RESULTS = {
  exact: [{ done: true }],
  flaky: [{ attempt: 2 }],
  letter: [{ to: "dora" }, { to: "emil" }],
  report: [
    { drawn: true, answer: "yes", sent: true },
    { drawn: true, checked: true, answer: "yes", sent: true },
  ],
  slow: [{ begun: "later" }, { begun: "later" }, { begun: "while it was made" }],
};

export function describeStoredData<Store extends keyof FixtureData>(options: StoredDataOptions<Store>): void {
  const { store, copy, inspect } = options;
  const { data, secrets, madeAt, expected } = readFixture(store);

  test(`${store}: the API shows stored data as the engine that made it did`, async (t) => {
    const location = await copy(data, t);
    const engine = await openStored(t, location, { work: false });
    const shown = await readAll(engine, secrets, madeAt);
    assert.deepEqual(Object.keys(shown), Object.keys(expected));
    for (const [request, answer] of Object.entries(expected))
      assert.deepEqual(comparable(shown[request]), comparable(answer), request);
    await keysHold(engine);
    await engine.stop();
    assert.deepEqual(await inspect(location), []);
  });

  test(`${store}: stored jobs that had not ended run to their end`, async (t) => {
    const location = await copy(data, t);
    const engine = await openStored(t, location, { work: true });
    const before = Object.entries(expected)
      .filter(isJob)
      .map(([, job]) => job as JobAnswer)
      .filter(isUnfinished);
    await letRun(engine, before);
    const left = async () => (await engine.millrace.list({ limit: 100 })).filter(isUnfinished);
    await until("all jobs have ended", async () => (await left()).length === 0);
    const ended = await Promise.all(before.map(({ jobId }) => engine.millrace.find(jobId)));
    assert.deepEqual(resultsOf(ended as JobAnswer[]), RESULTS);
    assert.deepEqual(
      ended.filter((job) => job?.state !== "completed").map((job) => [job?.state, job?.payload]),
      [["cancelled", { to: "the future" }]],
    );
    await engine.stop();
    assert.deepEqual(await inspect(location), []);
  });
}

async function openStored(t: TestContext, location: Location, { work }: { work: boolean }): Promise<StoredEngine> {
  const engine = await openEngine(location, { checkout: root, version: "2", making: false, work });
  t.after(() => engine.stop());
  return engine;
}

/** The engine that opens the data takes back the lease of the killed process, in the words of its own version. */
function comparable(answer: unknown): unknown {
  const words = /The process that [\w ]+ stopped renewing its lease\./g;
  const text = JSON.stringify(answer).replace(words, "lease expired");
  return JSON.parse(text, (field, value) => (ADDED_FIELDS.has(field) ? undefined : value));
}

/** What answers show today and did not show when the data was made. */
const ADDED_FIELDS: ReadonlySet<string> = new Set(["waitsFor"]);

const isJob = ([request]: [string, unknown]) => /^\/jobs\/\w+$/.test(request);
const isUnfinished = ({ state }: JobAnswer) => state === "pending" || state === "running";

/** The unique key of a pending job and the idempotency key of a completed one. */
async function keysHold({ millrace, request }: StoredEngine): Promise<void> {
  const [pending] = await millrace.list({ kind: "slow", search: '"once":"b"' });
  const taken = (await request("POST", "/jobs", {
    body: { kind: "slow", payload: { once: "b" } },
    raw: true,
  })) as Response;
  assert.partialDeepStrictEqual(await taken.json(), { code: "already-queued", jobId: pending?.jobId });
  const [sent] = await millrace.list({ kind: "mail", tenant: "default" });
  const mail = { kind: "mail", payload: { to: "ada" }, priority: -3, tags: ["blue", "fast"] };
  const first = { idempotencyKey: "order-1", raw: true } as const;
  const replayed = (await request("POST", "/jobs", { ...first, body: mail })) as Response;
  assert.partialDeepStrictEqual(await replayed.json(), { jobId: sent?.jobId });
  const other = (await request("POST", "/jobs", { ...first, body: { ...mail, priority: 1 } })) as Response;
  assert.partialDeepStrictEqual(await other.json(), { code: "idempotency-conflict" });
}

/** Ends what keeps the jobs from running: a pause, a pin, a hold, a date. */
async function letRun({ millrace, request }: StoredEngine, jobs: readonly JobAnswer[]): Promise<void> {
  for (const [name, tenant] of [
    ["new-year", "default"],
    ["paused", "acme"],
  ] as const)
    await request("DELETE", `/schedules/${name}`, { tenant });
  for (const { jobId, kind } of jobs) if (kind === "report") await millrace.release(jobId, { answer: "yes" });
  await request("POST", "/deployments/v1/unpin");
  const [far] = await millrace.list({ status: "scheduled", kind: "letter" });
  await millrace.cancel(far?.jobId as string);
  for (const kind of ["letter", "exact"]) await request("POST", `/kinds/${kind}/resume`);
}

function resultsOf(jobs: readonly JobAnswer[]): Record<string, unknown[]> {
  const results: Record<string, unknown[]> = {};
  for (const { kind, result } of jobs) if (result !== undefined) results[kind] = [...(results[kind] ?? []), result];
  for (const all of Object.values(results)) all.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  return Object.fromEntries(Object.entries(results).sort(([a], [b]) => a.localeCompare(b)));
}
