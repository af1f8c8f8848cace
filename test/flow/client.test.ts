// runtimes: bun, node or node22

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createClient, type LiveEvent, MillraceError } from "../../packages/millrace/src/client/index.ts";
import { freePort, kindsFile, serving } from "../support/cli.ts";
import { temporaryFolder } from "../support/program.ts";
import { scaled } from "../support/slowness.ts";

describe("the client against a server", () => {
  test("submits, waits, lists, reads, retries, deletes", async (t) => {
    const folder = temporaryFolder(t);
    const { url } = await serving(t, { RETRY_BASE_MS: "1" }, ["--load", kindsFile(folder)], folder);
    const client = createClient({ baseUrl: url });

    const job = await client.submit("quick", { n: 1 }, { tags: ["a"], traceId: "trace-1" });
    assert.deepEqual(await client.result(job), { got: { n: 1 } });
    assert.partialDeepStrictEqual(await client.get(job), { traceId: "trace-1", tags: ["a"], state: "completed" });
    assert.equal((await client.attempts(job)).length, 1);
    assert.equal((await client.logs(job))[0]?.message, "at work");
    assert.equal((await client.steps(job))[0]?.name, "copy");

    const many = await client.submitMany([1, 2, 3].map((payload) => ({ kind: "pipeline", payload })));
    for (const each of many) assert.equal(await client.result<number>(each.jobId), 2);
    const ids: string[] = [];
    for await (const { jobId } of client.jobs({ kind: "pipeline", limit: 2 })) ids.push(jobId);
    assert.deepEqual(ids, many.map(({ jobId }) => jobId).reverse());

    const failing = await client.submit("failing", 1, { maxRetries: 1 });
    const error = await client.result(failing).catch((thrown) => thrown);
    assert.ok(error instanceof MillraceError && error.code === "job-failed" && error.job?.state === "failed");
    assert.equal((await client.deadLetters.list()).items[0]?.jobId, failing.jobId);
    const again = await client.retry(failing);
    await client.wait(again);
    assert.deepEqual(await client.deadLetters.discard({ kind: "failing", dryRun: true }).then((a) => a.matched), 1);
    const conflict = await client.retry(failing).catch((thrown) => thrown);
    assert.deepEqual([conflict.status, conflict.jobId], [409, again.jobId]);

    await client.forget(job);
    assert.equal(await client.find(job), undefined);
    assert.match(await client.prometheus(), /^# /);
    assert.equal((await client.health()).status, "ok");
  });

  test("an idempotency key gives the first job again; another body is refused", async (t) => {
    const { url } = await serving(t);
    const client = createClient({ baseUrl: url });
    const options = { idempotencyKey: "k", delayMs: 3_600_000 };
    const [a, b] = await Promise.all([client.submit("text", 1, options), client.submit("text", 1, options)]);
    assert.equal(a.jobId, b.jobId);
    await assert.rejects(client.submit("text", 2, options), { code: "idempotency-conflict", status: 422 });
  });

  test("errors say which field is wrong, and how long to wait", async (t) => {
    const { url } = await serving(t, { MAX_NEW_JOBS_PER_MINUTE: "1" });
    const client = createClient({ baseUrl: url, retries: 0 });
    const wrong = await client.submit("text", 1, { priority: 0.5 }).catch((thrown) => thrown);
    assert.deepEqual([wrong.code, wrong.issues[0].path], ["invalid-request", "priority"]);
    await client.submit("text", 1, { delayMs: 3_600_000 });
    const limited = await client.submit("text", 1).catch((thrown) => thrown);
    assert.deepEqual([limited.code, limited.retryAfterMs > 0], ["rate-limited", true]);
  });

  test("wait outlives a server that is killed and started again", async (t) => {
    const folder = temporaryFolder(t);
    const args = ["--load", kindsFile(folder)];
    const PORT = String(await freePort());
    const first = await serving(t, { PORT }, args, folder);
    const client = createClient({ baseUrl: first.url });
    const { jobId } = await client.submit("quick", "late", { delayMs: 2_000 });
    const waiting = client.result(jobId, { timeoutMs: scaled(60_000) });
    first.program.child.kill("SIGKILL");
    await first.program.ended();
    await serving(t, { PORT }, args, folder);
    assert.deepEqual(await waiting, { got: "late" });
  });

  test("live tells of jobs that move, resumes after a cut, and tells of a reset", async (t) => {
    const folder = temporaryFolder(t);
    const args = ["--load", kindsFile(folder)];
    const PORT = String(await freePort());
    const first = await serving(t, { PORT }, args, folder);
    const client = createClient({ baseUrl: first.url });
    const end = new AbortController();
    const events: LiveEvent[] = [];
    const waiters: (() => void)[] = [];
    const heard = async (match: (event: LiveEvent) => boolean, from = 0) => {
      while (!events.slice(from).some(match)) await new Promise<void>((resolve) => waiters.push(resolve));
    };
    const live = client.live(
      (event) => {
        events.push(event);
        for (const wake of waiters.splice(0)) wake();
      },
      { signal: end.signal },
    );
    await heard(({ type }) => type === "reset");
    const { jobId } = await client.submit("quick", 1);
    await heard(({ data }) => (data as { jobId?: string; state?: string }).jobId === jobId);
    const before = events.length;
    first.program.child.kill("SIGKILL");
    await first.program.ended();
    await serving(t, { PORT }, args, folder);
    await heard(({ type }) => type === "reset", before);
    end.abort();
    await live;
  });
});
