// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessRoutes } from "../../packages/millrace/src/api/access.ts";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { scaled } from "../support/slowness.ts";
import { call, good, refused } from "./support/call.ts";
import { deadLetter, ended, running, submitted, until } from "./support/jobs.ts";
import { sharedServer } from "./support/server.ts";

const LATER = { delayMs: 3_600_000 };
const server = await sharedServer();

describe("POST /jobs", () => {
  test("answers 201 with the job and where it is", async () => {
    const { status, body, headers } = await call(server, jobRoutes.submit, {
      body: { kind: "quick", payload: { a: 1 }, priority: -3, tags: ["x", "y"], maxRetries: 7, ...LATER },
    });
    assert.equal(status, 201);
    assert.ok("jobId" in body);
    assert.equal(headers.get("location"), `/jobs/${body.jobId}`);
    assert.partialDeepStrictEqual(body, {
      kind: "quick",
      tenant: "default",
      status: "pending",
      state: "pending",
      inProgress: false,
      payload: { a: 1 },
      priority: -3,
      tags: ["x", "y"],
      attempt: 0,
      maxAttempts: 7,
    });
    const stored = await good(server, jobRoutes.get, { params: { jobId: body.jobId } });
    assert.deepEqual({ ...stored, accepted: "new", replayed: false }, body, "what is answered is what is stored");
  });

  test("takes an array in one transaction, all or none", async () => {
    const body = Array.from({ length: 1_000 }, (_, n) => ({ kind: "quick", payload: n, ...LATER }));
    const answer = await good(server, jobRoutes.submit, { body });
    assert.ok("jobs" in answer);
    assert.deepEqual(
      answer.jobs.map(({ payload }) => payload),
      body.map(({ payload }) => payload),
    );
    const more = [...body, body[0]];
    await refused(server, jobRoutes.submit, { body: more }, "invalid-request");
    const oneBad = [
      { kind: "quick", payload: 1 },
      { kind: "strict", payload: { name: 5 } },
    ];
    const { error } = await refused(server, jobRoutes.submit, { body: oneBad }, "invalid-request");
    assert.match(error.error, /The job at index 1: /);
    const { jobs } = await good(server, jobRoutes.list, { query: { limit: 500, kind: "strict" } });
    assert.deepEqual(jobs, []);
    await refused(server, jobRoutes.submit, { body: [] }, "invalid-request");
  });

  test("names the path of what does not fit", async () => {
    const cases: [unknown, string][] = [
      [{ kind: "quick" }, "payload"],
      [{ kind: "quick", payload: 1, surprise: 1 }, "surprise"],
      [{ kind: 5, payload: 1 }, "kind"],
      [{ kind: "quick", payload: 1, priority: 1e300 }, "priority"],
      [{ kind: "quick", payload: 1, priority: 0.5 }, "priority"],
      [{ kind: "quick", payload: 1, delayMs: -1 }, "delayMs"],
      [{ kind: "quick", payload: 1, maxRetries: 0 }, "maxRetries"],
      [{ kind: "quick", payload: 1, timeoutMs: 9e15 }, "timeoutMs"],
      [{ kind: "quick", payload: 1, runAt: "tomorrow" }, "runAt"],
      [{ kind: "quick", payload: 1, runAt: "0000-01-01T00:00:00+23:59" }, "runAt"],
      [{ kind: "quick", payload: 1, runAt: "9999-12-31T23:59:59-23:59" }, "runAt"],
      [{ kind: "quick", payload: 1, runAt: "2026-01-01T00:00:00Z", delayMs: 1 }, "delayMs"],
      [{ kind: "quick", payload: 1, tags: [""] }, "tags.0"],
      [{ kind: "quick", payload: 1, tags: ["\ud800"] }, "tags.0"],
      [{ kind: "quick", payload: 1, tenant: "other" }, "tenant"],
      [{ kind: "quick", payload: 1, state: "completed" }, "state"],
      [
        [
          { kind: "quick", payload: 1 },
          { kind: "quick", payload: 1, attempt: 4 },
        ],
        "1.attempt",
      ],
    ];
    for (const [body, path] of cases) {
      const { error } = await refused(server, jobRoutes.submit, { body }, "invalid-request");
      const paths = error.issues?.map((issue) => issue.path) ?? [];
      assert.ok(paths.includes(path), `${JSON.stringify(body)} names ${paths}`);
    }
    await refused(server, jobRoutes.submit, { body: { kind: "nobody", payload: 1 } }, "kind-unknown");
    for (const payload of ["\0", "\ud800"]) {
      await refused(server, jobRoutes.submit, { body: { kind: "quick", payload } }, "invalid-request");
    }
  });

  test("refuses unique work that is waiting or running, with the job in the way", async () => {
    const body = { kind: "unique", payload: { site: "a" } };
    const later = await submitted(server, { ...body, ...LATER });
    const { error } = await refused(server, jobRoutes.submit, { body }, "already-queued");
    assert.equal(error.jobId, later.jobId);
    const busy = await submitted(server, { kind: "unique", payload: { site: "b" } });
    await until(server, busy.jobId, (job) => job.inProgress);
    const second = await refused(
      server,
      jobRoutes.submit,
      { body: { kind: "unique", payload: { site: "b" } } },
      "already-processing",
    );
    assert.equal(second.error.jobId, busy.jobId);
  });
});

describe("GET /jobs/:id", () => {
  test("shows success, failure, retries and stages", async () => {
    const done = await ended(server, { kind: "quick", payload: [1] });
    assert.partialDeepStrictEqual(done, { status: "completed", result: { echo: [1] }, attempt: 1, retries: 0 });
    assert.ok(done.completedAt && done.startedAt && !done.leasedAt && !done.error);
    const dead = await deadLetter(server, { code: "odd", message: "Odd." });
    assert.partialDeepStrictEqual(dead, {
      status: "failed",
      error: "Odd.",
      lastError: "Odd.",
      failure: { code: "odd", message: "Odd.", permanent: true },
    });
    const tried = await ended(server, { kind: "flaky", payload: 1 });
    assert.partialDeepStrictEqual(tried, { status: "failed", retries: 2, retriesTotal: 2, maxAttempts: 2 });
    const formed = await ended(server, { kind: "piped", payload: {} });
    assert.partialDeepStrictEqual(formed, { status: "completed", stage: "form", result: { formed: true } });
    const busy = await running(server, "worded");
    assert.partialDeepStrictEqual(busy, { status: "rendering", state: "running", inProgress: true, attempt: 1 });
    assert.ok(busy.leasedAt && busy.processor);
  });

  test("with wait answers as soon as the job ends, and after that time if it does not", async () => {
    const { jobId } = await running(server);
    const waiting = good(server, jobRoutes.get, { params: { jobId }, query: { wait: 30 } });
    await good(server, jobRoutes.cancel, { params: { jobId } });
    assert.equal((await waiting).status, "cancelled");
    const other = await running(server);
    const startedAt = performance.now();
    const still = await good(server, jobRoutes.get, { params: { jobId: other.jobId }, query: { wait: 1 } });
    assert.equal(still.state, "running");
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs >= 990 && tookMs < scaled(10_000), `${tookMs} ms`);
    for (const wait of ["31", "-1", "1.5", "x"])
      await refused(server, jobRoutes.get, { params: { jobId }, query: { wait } }, "invalid-request");
  });

  test("is 404 for an id that is none, whatever it looks like", async () => {
    const { error } = await refused(server, jobRoutes.get, { params: { jobId: "job_00000000" } }, "job-not-found");
    assert.equal(error.error, "Job not found");
    for (const jobId of ["job_", "1", "job_0000000!", "../keys", "%00", "job_000000000"])
      await refused(server, jobRoutes.get, { params: { jobId } }, "job-not-found");
  });
});

describe("acts on one job", () => {
  test("cancel answers 200 once and 409 when it has ended", async () => {
    for (const job of [await running(server), await submitted(server, { kind: "quick", payload: 1, ...LATER })]) {
      const params = { jobId: job.jobId };
      const cancelled = await good(server, jobRoutes.cancel, { params, body: { reason: "enough" } });
      assert.equal(cancelled.status, "cancelled");
      await refused(server, jobRoutes.cancel, { params }, "conflict");
    }
    await refused(server, jobRoutes.cancel, { params: { jobId: "job_00000000" } }, "job-not-found");
  });

  test("retry makes a new job, linked both ways, once", async () => {
    const dead = await deadLetter(server, { message: "Once." });
    const params = { jobId: dead.jobId };
    const answer = await call(server, jobRoutes.retry, { params, body: { payload: { message: "Twice." } } });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get("location"), `/jobs/${answer.body.jobId}`);
    assert.partialDeepStrictEqual(answer.body, { retryOf: dead.jobId, payload: { message: "Twice." } });
    const second = await refused(server, jobRoutes.retry, { params }, "conflict");
    assert.equal(second.error.jobId, answer.body.jobId);
    assert.equal((await good(server, jobRoutes.get, { params })).retriedAs, answer.body.jobId);
    const done = await ended(server, { kind: "quick", payload: 1 });
    await refused(server, jobRoutes.retry, { params: { jobId: done.jobId } }, "conflict");
  });

  test("retry starts at the stage that failed, or at the first", async () => {
    const dead = () => ended(server, { kind: "piped", payload: { fail: true } });
    const again = async (body?: object) => {
      const asked = { params: { jobId: (await dead()).jobId }, ...(body && { body }) };
      const { jobId } = await good(server, jobRoutes.retry, asked);
      await good(server, jobRoutes.get, { params: { jobId }, query: { wait: 20 } });
      const { attempts } = await good(server, jobRoutes.attempts, { params: { jobId } });
      return attempts.map(({ stage }) => stage);
    };
    assert.deepEqual(await again(), ["form"]);
    assert.deepEqual(await again({ from: "start" }), ["fetch", "form"]);
  });

  test("delete forgets what has ended and refuses what has not", async () => {
    const { jobId } = await ended(server, { kind: "quick", payload: 1 });
    await good(server, jobRoutes.forget, { params: { jobId } });
    await refused(server, jobRoutes.forget, { params: { jobId } }, "job-not-found");
    await refused(server, jobRoutes.forget, { params: { jobId: (await running(server)).jobId } }, "conflict");
  });

  test("release puts a held job back", async () => {
    const { jobId } = await submitted(server, { kind: "holds", payload: 1 });
    const heldJob = await until(server, jobId, (job) => job.heldFor !== undefined);
    assert.equal(heldJob.heldFor, "needs review");
    await good(server, jobRoutes.release, { params: { jobId } });
    const { jobId: other } = await submitted(server, { kind: "quick", payload: 1, ...LATER });
    await refused(server, jobRoutes.release, { params: { jobId: other } }, "conflict");
  });
});

describe("PATCH /jobs/{jobId}", () => {
  test("changes a pending job, and the audit says what", async () => {
    const { jobId } = await submitted(server, { kind: "quick", payload: { a: 1 }, ...LATER });
    const runAt = new Date(Date.now() + 7_200_000).toISOString();
    const body = { payload: { a: 2 }, runAt, priority: -3, tags: ["changed"] };
    const job = await good(server, jobRoutes.update, { params: { jobId }, body });
    assert.partialDeepStrictEqual(job, { jobId, state: "pending", ...body });
    assert.deepEqual(await good(server, jobRoutes.get, { params: { jobId } }), job);
    const { entries } = await good(server, accessRoutes.audit, { query: { limit: 1 } });
    assert.deepEqual([entries[0]?.what, entries[0]?.target], ["job changed: payload, priority, runAt, tags", jobId]);
  });

  test("refuses another key, a payload that does not fit, nothing, and jobs that do not wait", async () => {
    const refuse = (jobId: string, body: object, code: string) =>
      refused(server, jobRoutes.update, { params: { jobId }, body }, code);
    const { jobId } = await submitted(server, { kind: "unique", payload: { site: "kept" }, ...LATER });
    await refuse(jobId, { payload: { site: "other" } }, "key-changed");
    for (const body of [{}, { priority: "high" }, { runAt: "soon" }, { tags: [""] }, { state: "completed" }]) {
      await refuse(jobId, body, "invalid-request");
    }
    const strict = await submitted(server, { kind: "strict", payload: { name: "a" }, ...LATER });
    await refuse(strict.jobId, { payload: { name: 5 } }, "invalid-request");
    const { jobId: works } = await running(server, "waits");
    await refuse(works, { priority: 1 }, "conflict");
    await good(server, jobRoutes.cancel, { params: { jobId: works } });
    await refuse(works, { priority: 1 }, "conflict");
    await refuse("job_00000000", { priority: 1 }, "job-not-found");
  });
});

test("explain says why a job does not run, the reason that decides first", async () => {
  const delayed = await submitted(server, { kind: "quick", payload: 1, ...LATER });
  const { reasons } = await good(server, jobRoutes.explain, { params: { jobId: delayed.jobId } });
  assert.deepEqual(
    reasons.map(({ code, until }) => [code, until]),
    [["delayed", delayed.runAt]],
  );
  const { jobId } = await submitted(server, { kind: "holds", payload: 1 });
  await until(server, jobId, (job) => job.heldFor !== undefined);
  assert.deepEqual(await good(server, jobRoutes.explain, { params: { jobId } }), {
    jobId,
    state: "pending",
    reasons: [{ code: "held", message: "The job is held: needs review." }],
    next: `Release the job: millrace jobs release ${jobId}`,
  });
  await refused(server, jobRoutes.explain, { params: { jobId: "job_00000000" } }, "job-not-found");
});

test("attempts, logs and steps tell what happened", async () => {
  const tried = await ended(server, { kind: "flaky", payload: 1 });
  const { attempts } = await good(server, jobRoutes.attempts, { params: { jobId: tried.jobId } });
  assert.deepEqual(
    attempts.map(({ attempt, outcome, failure }) => [attempt, outcome, failure?.code]),
    [
      [1, "failed", "flaky"],
      [2, "failed", "flaky"],
    ],
  );
  const errors = [{ name: "TypeError", message: "inner" }];
  const cause = { name: "AggregateError", message: "both failed", errors };
  assert.partialDeepStrictEqual([attempts[1]?.failure, tried.failure], [{ cause }, { cause }]);
  const { jobId } = await ended(server, { kind: "notes", payload: 1 });
  const { logs } = await good(server, jobRoutes.logs, { params: { jobId } });
  assert.partialDeepStrictEqual(logs, [{ level: "info", message: "a line", data: { stepped: { counted: 3 } } }]);
  const after = { after: logs[0]?.id as number, limit: 1 };
  assert.deepEqual((await good(server, jobRoutes.logs, { params: { jobId }, query: after })).logs, []);
  const { steps } = await good(server, jobRoutes.steps, { params: { jobId } });
  assert.partialDeepStrictEqual(steps, [{ name: "count", value: { counted: 3 }, stage: "running" }]);
  for (const spec of [jobRoutes.attempts, jobRoutes.logs, jobRoutes.steps])
    await refused(server, spec as typeof jobRoutes.logs, { params: { jobId: "job_00000000" } }, "job-not-found");
});
