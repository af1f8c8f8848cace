import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Events } from "../events/events.ts";
import type { Job } from "../job/job.ts";
import type { JobNews } from "../job/report/job-news.ts";
import { ManualClock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";
import { silentLog } from "../telemetry/log/log.ts";
import { reportExpired, reportTimedOut } from "./report-events.ts";

const clock = new ManualClock(new Date(10_000));

function failed(code: string, more: Partial<Job> = {}): Job {
  const failure = { code, message: "No.", permanent: false };
  return { id: "job_1", attempt: 2, standing: "failed", payload: "1", runAt: 0, failure, ...more } as Job;
}

/** The news of one job that the store finds, as `name` and what stands in it. */
async function told(job: Job | undefined, tell: (tools: Parameters<typeof reportExpired>[1]) => Promise<void>) {
  const events = new Events();
  const heard: JobNews[] = [];
  events.read((news) => heard.push(news));
  await tell({ store: { find: async () => [job] } as unknown as Store, events, log: silentLog, clock });
  return heard.map((news) => [news.name, "failure" in news && news.failure.code, "retryAt" in news && news.retryAt]);
}

describe("news of what the store did by itself", () => {
  test("the attempt of a dead process failed, and its job is tried again", async () => {
    const job = failed("lease-expired", { standing: "running" });
    assert.deepEqual(await told(job, (tools) => reportExpired([{ jobId: "job_1", standing: "ready" }], tools)), [
      ["attemptFailed", "lease-expired", 10_000],
    ]);
  });

  test("a job that killed its processes has failed for good", async () => {
    const expired = [{ jobId: "job_1", standing: "failed" as const }];
    assert.deepEqual(await told(failed("crashed"), (tools) => reportExpired(expired, tools)), [
      ["attemptFailed", "crashed", false],
      ["failed", "crashed", false],
    ]);
  });

  test("a job that was not started or released in time has failed without an attempt", async () => {
    const expired = [{ jobId: "job_1", standing: "failed" as const }];
    for (const code of ["backpressure", "hold-expired"]) {
      assert.deepEqual(await told(failed(code), (tools) => reportExpired(expired, tools)), [["failed", code, false]]);
    }
  });

  test("an attempt whose deadline the store kept has failed; other lost leases are told by those who ended them", async () => {
    const lost = (reason: "timed-out" | "cancelled") => [{ jobId: "job_1", token: 1, reason }];
    const job = failed("timed-out", { standing: "scheduled", runAt: 12_000 });
    assert.deepEqual(await told(job, (tools) => reportTimedOut(lost("timed-out"), tools)), [
      ["attemptFailed", "timed-out", 12_000],
    ]);
    assert.deepEqual(await told(job, (tools) => reportTimedOut(lost("cancelled"), tools)), []);
  });

  test("a job that is gone is not told of", async () => {
    const expired = [{ jobId: "job_1", standing: "ready" as const }];
    assert.deepEqual(await told(undefined, (tools) => reportExpired(expired, tools)), []);
  });
});
