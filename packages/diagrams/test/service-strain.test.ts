// runtimes: bun
// time-limit: 300 s
// The render service when things go wrong: diagrams that take too long, clients that leave, servers that die.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { scaled } from "../../../test/support/slowness.ts";
import { sampled } from "../../../test/support/torture.ts";
import { until } from "../../../test/support/until.ts";
import { HOSTILE, NORMAL } from "./support/hostile-sources.ts";
import { DiagramServer, endless, flowchart, sharedServer } from "./support/server.ts";

const LONG_MS = 180_000;

describe("a diagram that takes too long", () => {
  const deadlineMs = scaled(4_000);
  const server = sharedServer({
    RENDER_TIMEOUT_MS: String(deadlineMs),
    // The answer says how the drawing ended, so the request waits for its end.
    SYNC_WAIT_MS: String(8 * deadlineMs),
    RENDER_CONCURRENCY: "2",
    MAX_RETRIES: "3",
  });

  test("sync: 504 render-timeout; async: failed once, with the sentence, and no dead letter", async () => {
    const sync = await server().render(endless(1), "sync");
    assert.partialDeepStrictEqual(sync, {
      status: 504,
      body: { code: "render-timeout", error: `Render timed out after ${deadlineMs} ms` },
    });
    const job = (await server().ask(`/jobs/${sync.body.jobId}`)).body;
    assert.partialDeepStrictEqual(job, {
      status: "failed",
      attempt: 1,
      error: `Render timed out after ${deadlineMs} ms`,
    });
    assert.equal(job.failure.permanent, true);
    assert.equal((await server().ask("/dlq?kind=render")).body.items.length, 0);
  });

  test("and all else that is meant to stop a renderer: each ends by its deadline, and the others are drawn", {
    timeout: LONG_MS,
  }, async () => {
    const hostile = await Promise.all(
      sampled(Object.entries(HOSTILE)).map(async ([name, diagram]) => [
        name,
        (await server().render(diagram)).body.jobId,
      ]),
    );
    const normal = await Promise.all(NORMAL.map(async (diagram) => (await server().render(diagram)).body.jobId));
    for (const [i, jobId] of normal.entries())
      assert.equal((await server().finished(jobId)).status, "completed", `normal ${i}`);
    for (const [name, jobId] of hostile) {
      const { state, failure, crashes, retries } = await server().finished(jobId);
      const end = state === "completed" ? "drawn" : failure?.code;
      assert.ok(["drawn", "render-failed", "timed-out"].includes(end), `${name}: ${JSON.stringify(failure)}`);
      // More of them are endless than there are places: put off, and no attempt is burned by it.
      assert.deepEqual([crashes, retries], [0, state === "completed" ? 0 : 1], name);
    }
  });
});

describe("a diagram that takes for ever", () => {
  const server = sharedServer({ RENDER_TIMEOUT_MS: "600000", RENDER_CONCURRENCY: "2" });

  test("holds up nobody: beside as many as there are children, every other is drawn before they end", {
    timeout: LONG_MS,
  }, async () => {
    const word = HOSTILE["a word of 40,000 letters, as an SVG label"];
    const endlessOnes = [word, endless(1)];
    const hostile = await Promise.all(endlessOnes.map(async (diagram) => (await server().render(diagram)).body.jobId));
    for (const jobId of hostile) await server().until(jobId, "rendering");
    for (const [i, diagram] of NORMAL.entries()) {
      const { jobId } = (await server().render(diagram)).body;
      assert.equal((await server().finished(jobId)).status, "completed", `normal ${i}`);
    }
    for (const jobId of hostile) {
      assert.equal((await server().ask(`/jobs/${jobId}`)).body.state, "running");
      await server().ask(`/jobs/${jobId}/cancel`, { method: "POST" });
      await server().finished(jobId);
    }
  });

  test("whose synchronous client goes away is cancelled", async () => {
    const jobId = await leave(server(), endless(12));
    const job = await server().finished(jobId);
    assert.deepEqual(
      [job.state, job.lastError],
      ["cancelled", "The client disconnected before the drawing was finished."],
    );
  });

  test("whose synchronous client goes away is drawn for another who asked for the same", async () => {
    const diagram = endless(13);
    let second = "";
    const first = await leave(server(), diagram, async () => {
      second = (await server().render(diagram)).body.jobId;
    });
    assert.notEqual(second, first);
    assert.equal((await server().finished(first)).state, "cancelled");
    await server().until(second, "rendering");
    await server().ask(`/jobs/${second}/cancel`, { method: "POST" });
  });

  test("asked for with an Idempotency-Key is kept: its client means to come back", async () => {
    const headers = { "idempotency-key": "back-soon" };
    const jobId = await leave(server(), endless(15), async () => {}, headers);
    await leave(server(), endless(16)).then((id) => server().finished(id));
    assert.equal((await server().ask(`/jobs/${jobId}`)).body.state, "running");
    await server().ask(`/jobs/${jobId}/cancel`, { method: "POST" });
  });
});

describe("a server with little room", () => {
  const server = sharedServer({
    QUEUE_MAX: "2",
    RENDER_CONCURRENCY: "1",
    RENDER_SPARES: "2",
    RENDER_TIMEOUT_MS: String(scaled(60_000)),
  });

  test("whose queue is full: 429 backpressure with Retry-After in both modes, while what is kept is still given out", async () => {
    const kept = await server().render(flowchart("kept"), "sync");
    await server().ask("/kinds/render/pause", { method: "POST" });
    const waiting = await Promise.all([1, 2].map((n) => server().render(flowchart(`waits${n}`))));
    for (const { status } of waiting) assert.equal(status, 202);
    for (const mode of ["async", "sync"]) {
      const refused = await server().render(flowchart("late"), mode);
      assert.partialDeepStrictEqual(refused, { status: 429, body: { code: "backpressure", limit: "queue" } });
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
    }
    assert.equal(
      (await server().render(flowchart("waits1"))).status,
      202,
      "a job that follows another takes no room yet",
    );
    assert.equal((await server().render(flowchart("kept"), "sync")).body.shortlink, kept.body.shortlink);
    const { body } = await server().render(flowchart("kept"));
    assert.equal((await server().finished(body.jobId)).status, "completed");
    await server().ask("/kinds/render/resume", { method: "POST" });
    // Their places are free when they are drawn.
    for (const { body } of waiting) await server().finished(body.jobId);
    assert.equal((await server().render(flowchart("late"), "sync")).status, 200);
  });

  test("a diagram that does not get its turn in time fails with backpressure", async () => {
    await server().ask("/kinds/render/pause", { method: "POST" });
    const { status, body } = await server().render({ ...flowchart("expires"), expiresInMs: 300 }, "sync");
    await server().ask("/kinds/render/resume", { method: "POST" });
    assert.deepEqual([status, body.code], [429, "backpressure"]);
    assert.equal((await server().ask(`/jobs/${body.jobId}`)).body.status, "failed");
    assert.equal((await server().ask("/dlq?kind=render")).body.items.length, 0, "nobody would revive it");
  });

  test("its renderers cannot see the server's environment, network or files to write", {
    skip: process.platform !== "linux",
  }, async () => {
    for (const pid of await calmRenderers(server().program.child.pid as number)) {
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

  test("a renderer killed in mid-render is replaced, and its diagram drawn at the second try", {
    timeout: LONG_MS,
  }, async () => {
    const killedWhile = async (diagram: ReturnType<typeof endless>) => {
      const renderers = await calmRenderers(server().program.child.pid as number);
      const before = renderers.map(ticksOf);
      const { jobId } = (await server().render({ ...diagram, options: { layout: "dagre" } })).body;
      const isOver = async () => ["completed", "failed"].includes((await server().ask(`/jobs/${jobId}`)).body.state);
      const busy = await until(
        "a renderer is busy, or its job has ended before anyone looked",
        async () => haveWorked(renderers, before)[0] ?? ((await isOver()) && "none"),
        60_000,
      );
      if (busy !== "none") process.kill(busy, "SIGKILL");
      return server().finished(jobId);
    };
    let job = await killedWhile(endless(31));
    // On a starved machine a renderer that stands by may still be loading, and be the busy one: then another one drew.
    for (let n = 32; job.crashes === 0 && n < 36; n++) job = await killedWhile(endless(n));
    assert.deepEqual([job.status, job.crashes, job.retries], ["completed", 1, 0], JSON.stringify(job.failure));
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

/** The renderers themselves: what confines them may stand between them and the server, or be about to start them. */
function renderersOf(pid: number): number[] {
  const isRenderer = (child: number) =>
    /^[^\0]+\0(?:--[^\0]*\0)*[^\0]*pool\/child\/main/.test(readFileSync(`/proc/${child}/cmdline`, "utf8"));
  return childrenOf(pid).flatMap((child) => (isRenderer(child) ? [child] : renderersOf(child)));
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}

/** Those that stand by, once none of them is still loading something. */
function calmRenderers(parent: number): Promise<number[]> {
  const look = async () => {
    const children = renderersOf(parent);
    return children.length > 1 && (await busyOf(children)).length === 0 && children;
  };
  return until("two renderers stand by", look, 60_000);
}

/** Those that use the processor now, or have ended. */
async function busyOf(pids: readonly number[]): Promise<number[]> {
  const before = pids.map(ticksOf);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return haveWorked(pids, before);
}

/** Those that have used the processor for more than 50 ms since then, however long a busy machine took over it, or have ended. */
function haveWorked(pids: readonly number[], since: readonly number[]): number[] {
  return pids.filter((pid, i) => !(ticksOf(pid) - (since[i] ?? 0) <= 5));
}

/** The processor time of a process, in hundredths of a second. */
function ticksOf(pid: number): number {
  if (!existsSync(`/proc/${pid}`)) return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
