import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { scaled } from "../../../../test/support/slowness.ts";
import { accessRoutes } from "../api/access.ts";
import { dlqRoutes } from "../api/dead-letters.ts";
import { liveRoutes } from "../api/feeds/live.ts";
import { jobRoutes } from "../api/job.ts";
import { limiterRoutes } from "../api/limits/limiters.ts";
import { limitRoutes } from "../api/limits/tenants.ts";
import type { RouteSpec } from "../api/route.ts";
import { systemRoutes } from "../api/system.ts";
import { workloadRoutes } from "../api/workloads.ts";
import { createClient } from "./client.ts";
import { MillraceError, retryAfter } from "./errors.ts";
import type { LiveEvent } from "./live.ts";
import { ask, type Connection } from "./request.ts";
import * as routes from "./routes.ts";
import { EventParser } from "./sse.ts";

// Pauses are anything from nothing to their ceiling: here they are nothing.
Math.random = () => 0;

const JOB = { jobId: "job_00000001", kind: "text", state: "pending" };

describe("routes", () => {
  test("are those of the API", () => {
    const spelt = (specs: Record<string, RouteSpec>) =>
      Object.fromEntries(Object.entries(specs).map(([name, { method, path }]) => [name, `${method} ${path}`]));
    assert.deepEqual(routes.jobs, spelt(jobRoutes as never));
    assert.deepEqual(routes.dlq, spelt(dlqRoutes as never));
    assert.deepEqual(routes.system, spelt(systemRoutes as never));
    assert.deepEqual(routes.access, spelt(accessRoutes as never));
    assert.deepEqual(routes.limiters, spelt(limiterRoutes as never));
    assert.deepEqual(routes.limits, spelt(limitRoutes as never));
    assert.deepEqual(routes.workloads, spelt(workloadRoutes as never));
    assert.equal(routes.live, spelt(liveRoutes as never)["live"]);
  });
});

describe("a request", () => {
  test("carries key, tenant, body and filled-in path", async () => {
    const { client, calls } = fake([answer(200, JOB)], { apiKey: "k", tenant: "acme" });
    await client.cancel("job_00000001", { reason: "enough" });
    const [call] = calls;
    assert.equal(call?.url, "http://server/base/jobs/job_00000001/cancel");
    assert.equal(call?.init.method, "POST");
    assert.equal(call?.init.body, '{"reason":"enough"}');
    assert.partialDeepStrictEqual(call?.headers, { authorization: "Bearer k", "x-tenant-id": "acme" });
  });

  test("carries a user and password of the address as a header, because fetch refuses them in a URL", async () => {
    const { client, calls } = fake([answer(200, JOB)], { baseUrl: "http://ada:s%40cret@server/base" });
    await client.get("job_00000001");
    assert.equal(calls[0]?.url, "http://server/base/jobs/job_00000001");
    assert.equal(calls[0]?.headers["authorization"], `Basic ${btoa("ada:s@cret")}`);
    const keyed = fake([answer(200, JOB)], { baseUrl: "http://ada:x@server", apiKey: "k" });
    await keyed.client.get("job_00000001");
    assert.equal(keyed.calls[0]?.headers["authorization"], "Bearer k", "a key wins");
    assert.throws(() => createClient({ baseUrl: "http://a%zz@server" }), { code: "invalid-options" });
  });

  test("writes numbers and switches of a query as text, and leaves out what is undefined", async () => {
    const { client, calls } = fake([answer(200, { jobs: [], limit: 5, offset: 0 })]);
    await client.list({ limit: 5, inProgress: true, tag: "a&b", kind: undefined });
    assert.equal(calls[0]?.url, "http://server/base/jobs?limit=5&inProgress=true&tag=a%26b");
  });

  test("an id cannot lead it to another route", async () => {
    const { client, calls } = fake([answer(404, { error: "Job not found", code: "job-not-found" })]);
    assert.equal(await client.find("../keys?x="), undefined);
    assert.equal(calls[0]?.url, "http://server/base/jobs/..%2Fkeys%3Fx%3D");
    // A part that a URL drops would leave the list of all jobs.
    for (const id of ["", ".", ".."]) {
      const { code, message } = await failure(client.get(id));
      assert.deepEqual([code, /jobId must be a non-empty string/.test(message)], ["invalid-options", true], id);
    }
    assert.equal(calls.length, 1);
  });

  test("that is refused throws all that the answer says", async () => {
    const body = { error: "Wrong.", code: "invalid-request", hint: "Look.", traceId: "t", issues: [issue] };
    const { client } = fake([answer(422, body)]);
    const error = await failure(client.submit("text", {}));
    assert.deepEqual([error.status, error.code, error.message], [422, "invalid-request", "Wrong."]);
    assert.deepEqual([error.hint, error.traceId, error.issues], ["Look.", "t", [issue]]);
  });

  test("answered by a stranger throws bad-answer", async () => {
    for (const strange of [new Response("<html>", { status: 200 }), new Response("<html>", { status: 404 })]) {
      const { client } = fake([strange]);
      assert.equal((await failure(client.get("job_00000001"))).code, "bad-answer");
    }
  });

  test("that is not answered in time throws request-timeout", async () => {
    const { client } = fake([hang, hang], { timeoutMs: 10, retries: 1 });
    assert.equal((await failure(client.get("job_00000001"))).code, "request-timeout");
  });

  test("ends at once with the caller's own reason", async () => {
    const { client } = fake([hang]);
    const why = new Error("changed my mind");
    const controller = new AbortController();
    const asked = client.get("job_00000001", { signal: controller.signal });
    controller.abort(why);
    await assert.rejects(asked, why);
  });
});

describe("retries", () => {
  test("a submission without an answer is sent again with the same key and body", async () => {
    const { client, calls } = fake([cut, answer(503, { error: "Busy.", code: "store-unavailable" }), answer(201, JOB)]);
    assert.equal((await client.submit("text", { text: "a" })).jobId, JOB.jobId);
    const keys = calls.map(({ headers }) => headers["idempotency-key"]);
    assert.equal(calls.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.match(keys[0] ?? "", /^[0-9a-f-]{36}$/);
  });

  test("a refusal that another try cannot change is not sent again", async () => {
    const missing = () => answer(503, { error: "No browser.", code: "no-browser" });
    const part = (finalCodes: string[]) => (connection: Connection) => ({
      print: () => ask(connection, "GET /print", { finalCodes }),
    });
    const { client, calls } = fake([missing(), missing(), missing()], { retries: 1 });
    assert.equal((await failure(client.with(part(["no-browser"])).print())).code, "no-browser");
    assert.equal(calls.length, 1);
    await failure(client.with(part([])).print());
    assert.equal(calls.length, 3);
  });

  test("two submissions have two keys, and a given key is kept", async () => {
    const { client, calls } = fake([answer(201, JOB), answer(201, JOB), answer(201, JOB)]);
    await client.submit("text", 1);
    await client.submit("text", 1);
    await client.submitMany([{ payload: 1 }], { idempotencyKey: "mine" }).catch(() => {});
    const keys = calls.map(({ headers }) => headers["idempotency-key"]);
    assert.notEqual(keys[0], keys[1]);
    assert.equal(keys[2], "mine");
  });

  test("wait as long as the server asks, and not when it asks for too long", async () => {
    const busy = (after: string) => answer(429, { error: "Full.", code: "backpressure" }, { "retry-after": after });
    const patient = fake([busy("0"), answer(201, JOB)]);
    await patient.client.submit("text", 1);
    const { client, calls } = fake([busy("3600")]);
    const error = await failure(client.submit("text", 1));
    assert.deepEqual([error.status, error.retryAfterMs, calls.length], [429, 3_600_000, 1]);
  });

  test("an act that is not the same twice is not repeated when its answer is lost", async () => {
    for (const act of ["retry", "cancel", "release"] as const) {
      const { client, calls } = fake([cut, answer(200, JOB)]);
      assert.equal((await failure(client[act]("job_00000001"))).code, "unreachable");
      assert.equal(calls.length, 1);
    }
  });

  test("a deletion that was done before its answer was lost is done", async () => {
    const { client } = fake([cut, answer(404, { error: "Job not found", code: "job-not-found" })]);
    await client.forget("job_00000001");
  });

  test("end, with the last error", async () => {
    const { client, calls } = fake([cut, cut, cut], { retries: 2 });
    const error = await failure(client.get("job_00000001"));
    assert.deepEqual([error.status, error.code, calls.length], [0, "unreachable", 3]);
    assert.match(error.message, /http:\/\/server: connection reset\./);
  });

  test("do not follow refusals or faults", async () => {
    for (const status of [400, 401, 403, 404, 409, 422, 500, 507]) {
      const { client, calls } = fake([answer(status, { error: "No.", code: "x" })]);
      await failure(client.get("job_00000001"));
      assert.equal(calls.length, 1);
    }
  });

  test("Retry-After is read as seconds or as a date", () => {
    const now = Date.parse("2026-11-15T10:00:00Z");
    assert.equal(retryAfter("7", now), 7_000);
    assert.equal(retryAfter("Sun, 15 Nov 2026 10:00:30 GMT", now), 30_000);
    assert.equal(retryAfter("Sun, 15 Nov 2026 09:00:00 GMT", now), 0);
    assert.equal(retryAfter("soon", now), undefined);
    assert.equal(retryAfter(null, now), undefined);
  });
});

describe("wait", () => {
  test("polls until the job is finished, through cuts, restarts and proxies", async () => {
    const done = { ...JOB, state: "completed", result: 7 };
    const stopping = answer(503, { error: "Stopping.", code: "stopping" });
    const answers = [answer(200, JOB), cut, cut, cut, cut, cut, stopping, new Response("", { status: 502 })];
    const { client, calls } = fake([...answers, answer(200, done)]);
    assert.equal(await client.result<number>("job_00000001", { timeoutMs: 30_000 }), 7);
    assert.match(calls[0]?.url ?? "", /\?wait=20$/);
  });

  test("cannot hang: a silent connection ends with its time", async () => {
    const { client } = fake([hang]);
    const startedAt = performance.now();
    const error = await failure(client.wait("job_00000001", { timeoutMs: 50 }));
    assert.equal(error.code, "wait-timeout");
    assert.match(error.hint ?? "", /^The server did not answer at the end: /);
    assert.ok(performance.now() - startedAt < scaled(1_000));
  });

  test("does not storm the server in its last second", async () => {
    const { client, calls } = fake(Array.from({ length: 50 }, () => answer(200, JOB)));
    const { code, hint } = await failure(client.wait("job_00000001", { timeoutMs: 300 }));
    assert.equal(code, "wait-timeout");
    assert.match(hint ?? "", /^The job is still pending\. Check that a worker/);
    assert.ok(calls.length <= 6, `${calls.length} requests`);
  });

  test("ends at once when there is no such job", async () => {
    const { client } = fake([answer(404, { error: "Job not found", code: "job-not-found" })]);
    assert.equal((await failure(client.wait("job_00000001"))).code, "job-not-found");
  });

  test("result throws what became of a job that did not complete", async () => {
    const failed = { ...JOB, state: "failed", error: "Text is empty" };
    const { client } = fake([answer(200, failed), answer(200, { ...JOB, state: "cancelled" })]);
    const error = await failure(client.result("job_00000001"));
    assert.deepEqual([error.code, error.job?.state, error.jobId], ["job-failed", "failed", JOB.jobId]);
    assert.match(error.message, /Text is empty/);
    assert.equal((await failure(client.result("job_00000001"))).code, "job-cancelled");
  });
});

describe("iterators", () => {
  test("jobs() walks all pages by cursor", async () => {
    const page = (ids: string[], nextCursor?: string) =>
      answer(200, { jobs: ids.map((jobId) => ({ jobId })), limit: 2, offset: 0, nextCursor });
    const { client, calls } = fake([page(["a", "b"], "c1"), page(["c"], "c2"), page([])]);
    const ids: string[] = [];
    for await (const { jobId } of client.jobs({ kind: "text", limit: 2 })) ids.push(jobId);
    assert.deepEqual(ids, ["a", "b", "c"]);
    assert.match(calls[2]?.url ?? "", /limit=2&kind=text&cursor=c2$/);
  });

  test("followLogs() gives each line once and ends with the job", async () => {
    const line = (id: number) => ({ id, at: "", level: "info", message: `line ${id}` });
    const { client, calls } = fake([
      answer(200, JOB),
      answer(200, { logs: [line(1), line(2)] }),
      answer(200, { ...JOB, state: "completed" }),
      answer(200, { logs: [line(3)] }),
    ]);
    const seen: number[] = [];
    for await (const { id } of client.followLogs("job_00000001")) seen.push(id);
    assert.deepEqual(seen, [1, 2, 3]);
    assert.match(calls[3]?.url ?? "", /after=2/);
  });
});

describe("live", () => {
  test("goes on after a cut from the last event, and tells of a reset", async () => {
    const { client, calls } = fake([
      feed("id: 1\nevent: job\ndata: {", '"jobId":"a"}\n\n'),
      answer(503, { error: "Stopping.", code: "stopping" }),
      feed(": hello\n\nid: 9\nevent: reset\ndata: {}\n\n"),
    ]);
    const end = new AbortController();
    const events: LiveEvent[] = [];
    const cuts: string[] = [];
    await client.live(
      (event) => {
        events.push(event);
        if (event.type === "reset") end.abort();
      },
      { signal: end.signal, onCut: ({ code }) => cuts.push(code) },
    );
    assert.deepEqual(events, [
      { type: "job", id: "1", data: { jobId: "a" } },
      { type: "reset", id: "9", data: {} },
    ]);
    assert.deepEqual(cuts, ["unreachable", "stopping"]);
    assert.equal(calls[2]?.headers["last-event-id"], "1");
  });

  test("rejects when the server refuses it", async () => {
    const { client } = fake([answer(401, { error: "No key.", code: "unauthorized" })]);
    const live = client.live(() => {}, { signal: new AbortController().signal });
    assert.equal((await failure(live)).code, "unauthorized");
  });

  test("takes silence for a dead connection", async () => {
    const end = new AbortController();
    const { client, calls } = fake([hang, hang]);
    const live = client.live(() => {}, {
      signal: end.signal,
      silenceMs: 10,
      onCut: () => calls.length > 1 && end.abort(),
    });
    await live;
    assert.equal(calls.length, 2);
  });

  test("events come whole, whatever the pieces and line ends", () => {
    const stream = ": c\r\nevent: a\r\ndata: 1\r\ndata: 2\r\nid: 7\r\n\r\ndata:x\n\nevent: none\n\n";
    const whole = new EventParser().push(stream);
    assert.deepEqual(whole, [
      { id: "7", event: "a", data: "1\n2" },
      { id: "7", event: "message", data: "x" },
    ]);
    for (let size = 1; size < 9; size++) {
      const parser = new EventParser();
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
        stream.slice(i * size, (i + 1) * size),
      );
      assert.deepEqual(
        pieces.flatMap((piece) => parser.push(piece)),
        whole,
        `pieces of ${size}`,
      );
    }
  });
});

test("health is an answer also when it is bad", async () => {
  const { client } = fake([answer(503, { status: "error", uptime: 1, timestamp: "" })]);
  assert.equal((await client.health()).status, "error");
});

test("an address that is none is refused at once, and so is an option that is none", () => {
  for (const baseUrl of ["localhost:3000", "ftp://x", "http://", undefined as never]) {
    assert.throws(() => createClient({ baseUrl }), { code: "invalid-options" });
  }
  const mistyped = { baseUrl: "http://x", apikey: "k" };
  assert.throws(() => createClient(mistyped), { code: "invalid-options", message: /"apikey"/ });
});

const issue = { path: "payload", message: "is missing" };

type Answer = Response | ((signal: AbortSignal) => Promise<Response>);

function fake(answers: Answer[], options: Partial<Parameters<typeof createClient>[0]> = {}) {
  const calls: { url: string; init: RequestInit; headers: Record<string, string> }[] = [];
  const client = createClient({
    baseUrl: "http://server/base/",
    ...options,
    fetch: async (url, init) => {
      calls.push({ url, init, headers: init.headers as Record<string, string> });
      const next = answers.shift();
      if (!next) throw new Error("no answer is left");
      return next instanceof Response ? next : next(init.signal as AbortSignal);
    },
  });
  return { client, calls };
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

async function cut(): Promise<Response> {
  throw new TypeError("fetch failed", { cause: new Error("connection reset") });
}

function hang(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

function feed(...pieces: string[]): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function failure(promise: Promise<unknown>): Promise<MillraceError> {
  const error = await promise.then(
    () => undefined,
    (thrown) => thrown,
  );
  assert.ok(error instanceof MillraceError, String(error));
  return error;
}
