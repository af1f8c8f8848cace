// runtimes: bun
// time-limit: 200 s
// The render service when things go wrong: diagrams that take too long, clients that leave, servers that die.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "../support/program.ts";
import { DiagramServer, endless, flowchart, sharedServer } from "./support/server.ts";

describe("a diagram that takes too long", () => {
  const server = sharedServer({ RENDER_TIMEOUT_MS: "1500", RENDER_CONCURRENCY: "1", MAX_RETRIES: "3" });

  test("sync: 504 render-timeout; async: failed once, with the sentence, and a dead letter", async () => {
    const sync = await server().render(endless(1), "sync");
    assert.partialDeepStrictEqual(sync, {
      status: 504,
      body: { code: "render-timeout", error: "Render timed out after 1500 ms" },
    });
    const job = (await server().ask(`/jobs/${sync.body.jobId}`)).body;
    assert.partialDeepStrictEqual(job, { status: "failed", attempt: 1, error: "Render timed out after 1500 ms" });
    assert.equal(job.failure.permanent, true);
    assert.equal((await server().ask("/dlq?kind=render")).body.items.length, 1);
  });

  test("holds up nobody: with one processor, and one endless diagram in hand, others are drawn meanwhile", async () => {
    const hostile = await server().render(endless(2));
    await server().until(hostile.body.jobId, "rendering");
    for (const n of [1, 2, 3]) assert.equal((await server().render(flowchart(`beside${n}`), "sync")).status, 200);
    const job = (await server().ask(`/jobs/${hostile.body.jobId}`)).body;
    assert.ok(["rendering", "failed"].includes(job.status), job.status);
    assert.equal((await server().finished(hostile.body.jobId)).error, "Render timed out after 1500 ms");
  });

  test("more endless diagrams than places for them: put off without burning an attempt, each ends by its deadline", async () => {
    const hostile = await Promise.all([3, 4, 5].map((seed) => server().render(endless(seed))));
    assert.equal((await server().render(flowchart("among"), "sync")).status, 200);
    for (const { body } of hostile) {
      const job = await server().finished(body.jobId);
      assert.deepEqual([job.error, job.retries], ["Render timed out after 1500 ms", 1]);
    }
  });
});

describe("a synchronous request that waits no longer", () => {
  const server = sharedServer({ SYNC_WAIT_MS: "300", RENDER_TIMEOUT_MS: "60000" });

  test("gets 504 still-running with its job, which goes on", async () => {
    const { status, body } = await server().render(endless(11), "sync");
    assert.deepEqual([status, body.code], [504, "still-running"]);
    assert.equal(body.statusUrl, `/jobs/${body.jobId}`);
    assert.equal((await server().ask(body.statusUrl)).body.state, "running");
  });
});

describe("a synchronous request", () => {
  const server = sharedServer({ RENDER_TIMEOUT_MS: "60000", RENDER_CONCURRENCY: "2" });

  test("whose client goes away takes its job along", async () => {
    const jobId = await leave(server(), endless(12));
    const job = await server().finished(jobId);
    assert.deepEqual([job.state, job.lastError], ["cancelled", "The client that waited for it went away."]);
  });

  test("whose client goes away leaves its job to another who asked for the same", async () => {
    const diagram = endless(13);
    let joined = "";
    const jobId = await leave(server(), diagram, async () => {
      joined = (await server().render(diagram)).body.jobId;
    });
    assert.equal(joined, jobId, "the second joined the first");
    // What comes after it in the same process shows that the leaving was heard.
    await leave(server(), endless(14)).then((id) => server().finished(id));
    assert.equal((await server().ask(`/jobs/${jobId}`)).body.state, "running");
    await server().ask(`/jobs/${jobId}/cancel`, { method: "POST" });
  });

  test("with an Idempotency-Key keeps its job: its client means to come back", async () => {
    const headers = { "idempotency-key": "back-soon" };
    const jobId = await leave(server(), endless(15), async () => {}, headers);
    await leave(server(), endless(16)).then((id) => server().finished(id));
    assert.equal((await server().ask(`/jobs/${jobId}`)).body.state, "running");
    await server().ask(`/jobs/${jobId}/cancel`, { method: "POST" });
  });
});

describe("a full queue", () => {
  const server = sharedServer({ QUEUE_MAX: "2", RENDER_CONCURRENCY: "1", RENDER_TIMEOUT_MS: "60000" });

  test("429 backpressure with Retry-After in both modes, while what is kept is still given out", async () => {
    const kept = await server().render(flowchart("kept"), "sync");
    await server().ask("/kinds/render/pause", { method: "POST" });
    for (const n of [1, 2]) assert.equal((await server().render(flowchart(`waits${n}`))).status, 202);
    for (const mode of ["async", "sync"]) {
      const refused = await server().render(flowchart("late"), mode);
      assert.partialDeepStrictEqual(refused, { status: 429, body: { code: "backpressure", limit: "queue" } });
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
    }
    assert.equal((await server().render(flowchart("waits1"))).status, 202, "joining takes no room");
    assert.equal((await server().render(flowchart("kept"), "sync")).body.shortlink, kept.body.shortlink);
    assert.equal((await server().render(flowchart("kept"))).body.status, "completed");
    await server().ask("/kinds/render/resume", { method: "POST" });
    assert.equal((await server().render(flowchart("late"), "sync")).status, 200);
  });

  test("a diagram that does not get its turn in time fails with backpressure", async () => {
    await server().ask("/kinds/render/pause", { method: "POST" });
    const { status, body } = await server().render({ ...flowchart("expires"), expiresInMs: 300 }, "sync");
    await server().ask("/kinds/render/resume", { method: "POST" });
    assert.deepEqual([status, body.code], [429, "backpressure"]);
  });
});

describe("over a restart", () => {
  test("a diagram in hand when the server is killed is drawn by the next, and links still lead to the same bytes", async (t) => {
    const folder = temporaryFolder(t);
    const env = { RENDER_CONCURRENCY: "1", LEASE_TIMEOUT_SEC: "1" };
    const first = await DiagramServer.open(t, env, folder);
    const kept = (await first.render(flowchart("before"), "sync")).body;
    const bytes = (await first.ask(kept.url)).body;
    const { jobId } = (await first.render({ ...endless(21), options: { layout: "dagre" } })).body;
    await first.until(jobId, "rendering");
    first.program.child.kill("SIGKILL");
    await first.program.ended();
    const second = await DiagramServer.open(t, env, folder);
    assert.deepEqual((await second.ask(kept.url)).body, bytes);
    assert.equal((await second.render(flowchart("before"), "sync")).body.shortlink, kept.shortlink);
    const job = await second.finished(jobId);
    assert.ok(job.status === "completed" || /timed out/.test(job.error), JSON.stringify(job));
    assert.ok(job.crashes >= 1);
  });
});

describe("a renderer", () => {
  test("killed in mid-render is replaced, and its diagram drawn at the second try", async (t) => {
    const server = await DiagramServer.open(t, { RENDER_CONCURRENCY: "1", RENDER_TIMEOUT_MS: "60000" });
    assert.equal((await server.render(flowchart("first"), "sync")).status, 200);
    const { jobId } = (await server.render({ ...endless(31), options: { layout: "dagre" } })).body;
    await server.until(jobId, "rendering");
    const pid = await busiestChild(server.program.child.pid as number);
    process.kill(pid, "SIGKILL");
    const job = await server.finished(jobId);
    assert.deepEqual([job.status, job.crashes, job.retries], ["completed", 1, 0], JSON.stringify(job.failure));
  });

  test("cannot see the server's environment, network or files to write", {
    skip: process.platform !== "linux",
  }, async (t) => {
    const server = await DiagramServer.open(t, { RENDER_CONCURRENCY: "1" });
    assert.equal((await server.render(flowchart("env"), "sync")).status, 200);
    for (const pid of childrenOf(server.program.child.pid as number)) {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
      const names = environment.map((pair) => pair.split("=")[0]);
      assert.ok(names.includes("TZ") && !names.includes("PATH") && !names.includes("HOME"), names.join(" "));
      assert.match(readFileSync(`/proc/${pid}/limits`, "utf8"), /Max file size +0 +0/);
      const devices = readFileSync(`/proc/${pid}/net/dev`, "utf8").split("\n").slice(2).filter(Boolean);
      assert.deepEqual(
        devices.map((line) => line.trim().split(":")[0]),
        ["lo"],
      );
    }
  });
});

describe("what is kept", () => {
  test("goes when nobody reads it and no kept job names it; its link is then 404, and the diagram drawn anew", async (t) => {
    const folder = temporaryFolder(t);
    const server = await DiagramServer.open(
      t,
      { JOB_RETENTION_MS: "300", JOB_CLEANUP_INTERVAL_MS: "100", CACHE_TTL_MS: "1", LOG_LEVEL: "info" },
      folder,
    );
    const { body } = await server.render(flowchart("expires"), "sync");
    let answer = await server.ask(body.url);
    while (answer.status === 200) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await server.ask(body.url);
    }
    assert.equal(answer.status, 404);
    const again = await server.render(flowchart("expires"), "sync");
    assert.notEqual(again.body.shortlink, body.shortlink);
    assert.match(readFileSync(join(folder, "data/jobs.db")).subarray(0, 15).toString(), /SQLite/);
  });
});

/** Asks for a drawing and goes away once it is being drawn; the job's id. */
async function leave(
  server: DiagramServer,
  diagram: { source: string },
  beforeLeaving: () => Promise<void> = async () => {},
  headers: Record<string, string> = {},
): Promise<string> {
  const client = new AbortController();
  const [, needle = ""] = /(n\d+ --> n\d+)\n/.exec(diagram.source) ?? [];
  const asked = server.render(diagram, "sync", { signal: client.signal, headers }).then(
    () => assert.fail("it was answered"),
    () => {},
  );
  for (;;) {
    const { jobs } = (await server.ask(`/jobs?kind=render&status=rendering&q=${encodeURIComponent(needle)}`)).body;
    const job = jobs.find(({ payload }: { payload: { source: string } }) => payload.source === diagram.source);
    if (job) {
      await beforeLeaving();
      client.abort();
      await asked;
      return job.jobId;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}

/** The child that goes on using processor time: the spare stops when it has started. */
async function busiestChild(parent: number): Promise<number> {
  const ticks = (pid: number) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  for (;;) {
    const before = new Map(childrenOf(parent).map((pid) => [pid, ticks(pid)]));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const busy = [...before].filter(([pid, used]) => ticks(pid) - used > 5);
    if (busy.length === 1 && before.size > 1) return busy[0]?.[0] ?? assert.fail();
  }
}
