// runtimes: bun
// Every asynchronous submission of a diagram has a job of its own, and identical diagrams are drawn once all the same.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { until } from "../../../test/support/until.ts";
import { JOINED } from "../../millrace/src/store/codes.ts";
import { openReader } from "../../millrace/src/store/sqlite/connection/database.ts";
import { drawnBy, flowchart, minutesLong, sharedServer } from "./support/server.ts";

describe("POST /render?mode=async", () => {
  const server = sharedServer({ RENDER_TIMEOUT_MS: "300000", RENDER_CONCURRENCY: "2" });
  const cancel = (jobId: string) => server().ask(`/jobs/${jobId}/cancel`, { method: "POST" });
  const submit = async (diagram: object) => {
    const { status, body } = await server().render(diagram);
    assert.deepEqual([status, body.status], [202, "pending"]);
    return body.jobId as string;
  };

  test("answers 202, pending and with a job of one's own: for a new, a kept and a running drawing", async () => {
    const first = await submit(flowchart("own"));
    const { result } = await server().finished(first);
    const second = await submit(flowchart("own"));
    assert.notEqual(second, first);
    assert.deepEqual((await server().finished(second)).result, result);
    const running = await submit(minutesLong());
    await server().until(running, "rendering");
    const beside = await submit(minutesLong());
    assert.notEqual(beside, running);
    for (const jobId of [beside, running]) assert.equal((await cancel(jobId)).status, 200);
  });

  test("draws once what 50 clients submit at once, and completes the jobs of all", async () => {
    const jobs = await Promise.all(Array.from({ length: 50 }, () => submit(flowchart("fifty"))));
    assert.equal(new Set(jobs).size, 50);
    const links = await Promise.all(jobs.map(async (jobId) => (await server().finished(jobId)).result.shortlink));
    assert.equal(new Set(links).size, 1);
    assert.equal((await drawnBy(server(), "fifty")).length, 1);
  });

  test("a cancel ends the caller's own job: another with the same diagram goes on", async () => {
    const mine = await submit(minutesLong());
    await server().until(mine, "rendering");
    const theirs = await submit(minutesLong());
    await until("the second job waits for the first", async () => {
      const { attempts } = (await server().ask(`/jobs/${theirs}/attempts`)).body;
      return attempts.some(({ outcome }: { outcome: string }) => outcome === "deferred");
    });
    await cancel(mine);
    assert.equal((await server().finished(mine)).state, "cancelled");
    await server().until(theirs, "rendering");
    await cancel(theirs);
  });

  test("a cancel ends no request of another client that waits for the same diagram", async () => {
    const mine = await submit(minutesLong());
    await server().until(mine, "rendering");
    const gone = new AbortController();
    const waiting = server().render(minutesLong(), "sync", { signal: gone.signal });
    waiting.catch(() => undefined);
    await until("the request has joined the job", () => joinedJobs(server().folder) > 0);
    await cancel(mine);
    const [next] = await until("another job draws", async () => {
      const { jobs } = (await server().ask("/jobs?kind=render&status=rendering")).body;
      return jobs.length > 0 ? jobs : undefined;
    });
    assert.notEqual(next.jobId, mine);
    gone.abort();
    assert.equal((await server().finished(next.jobId)).state, "cancelled");
  });
});

function joinedJobs(folder: string): number {
  const db = openReader(join(folder, "data", "jobs.db"));
  try {
    const { count } = db.prepare(`SELECT count(*) AS count FROM job WHERE flags & ${JOINED}`).get() as {
      count: number;
    };
    return count;
  } finally {
    db.close();
  }
}
