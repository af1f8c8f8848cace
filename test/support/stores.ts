// Every store there is, opened fresh with time by hand, for tests that hold to the contract alone.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext } from "node:test";
import type { Failure } from "../../src/job/failure.ts";
import type { ClaimedJob } from "../../src/job/lease.ts";
import type { KindPlan } from "../../src/job/plan.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import type { NewJob, Store, StoreEvents } from "../../src/store/store.ts";

export interface Fresh {
  store: Store;
  clock: ManualClock;
  /** Submits one job and gives its id. */
  submit(job?: Partial<NewJob> & { tenant?: string }): Promise<string>;
  /** Submits and claims. */
  running(job?: Partial<NewJob> & { tenant?: string }): Promise<ClaimedJob>;
  /** Submits, claims and fails for good. */
  dead(job?: Partial<NewJob> & { tenant?: string }, failure?: Partial<Failure>): Promise<string>;
}

type Open = (t: TestContext) => Promise<Fresh>;

/** Describes the same promises for each store. */
export function forEachStore(what: string, promises: (open: Open) => void): void {
  for (const [name, openStore] of STORES) {
    describe(`${what} in the ${name} store`, () => promises((t) => fresh(t, openStore)));
  }
}

const STORES: [string, (folder: string, clock: ManualClock) => Store][] = [
  [
    "sqlite",
    (folder, clock) =>
      new SqliteStore({
        path: join(folder, "jobs.db"),
        durability: "normal",
        inline: { clock, random: () => 0.5 },
      }),
  ],
];

async function fresh(t: TestContext, openStore: (folder: string, clock: ManualClock) => Store): Promise<Fresh> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  const clock = new ManualClock();
  const store = openStore(folder, clock);
  await store.open(QUIET);
  await store.register([MAIL, REPORT]);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const submit: Fresh["submit"] = async ({ tenant = "default", ...job } = {}) => {
    const [answer] = await store.submit([{ tenant, jobs: [{ kind: "mail", payload: "{}", ...job }] }]);
    assert.ok(answer?.type === "accepted", JSON.stringify(answer));
    return answer.jobIds[0] as string;
  };
  const running: Fresh["running"] = async (job = {}) => {
    const jobId = await submit({ priority: -1, ...job });
    const stage = (job.kind ?? "mail") === "mail" ? "running" : "fetch";
    const { jobs } = await store.claim({ kind: job.kind ?? "mail", stage, slots: [0], suspects: 0 });
    assert.equal(jobs[0]?.lease.jobId, jobId);
    return jobs[0] as ClaimedJob;
  };
  const dead: Fresh["dead"] = async (job, failure) => {
    const { lease } = await running(job);
    await store.settle(lease, {
      type: "failed",
      failure: { code: "broken", message: "It broke.", permanent: true, ...failure },
    });
    return lease.jobId;
  };
  return { store, clock, submit, running, dead };
}

const MAIL = plan("mail", ["running"]);
const REPORT = plan("report", ["fetch", "form"]);

function plan(name: string, stages: string[]): KindPlan {
  const each = { maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 300_000 } };
  return {
    name,
    stages: stages.map((stage) => ({ name: stage, ...each })),
    retention: { finishedMs: 3_600_000, deadLetterMs: 7 * 24 * 3_600_000 },
  };
}

const QUIET: StoreEvents = {
  wake() {},
  lost() {},
  expired() {},
  fatal(error) {
    throw error;
  },
  trouble(message) {
    throw new Error(message);
  },
};
