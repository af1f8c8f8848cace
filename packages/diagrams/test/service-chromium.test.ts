// runtimes: bun
// time-limit: 200 s
// `engine: "chromium"` through the service, where its settings name a Chromium: a pool of its own, with one warm page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { chromiumSettings } from "../../../test/support/chromium.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { scaled } from "../../../test/support/slowness.ts";
import { until } from "../../../test/support/until.ts";
import { DiagramServer, endless, flowchart, minutesLong } from "./support/server.ts";

const LONG_MS = 180_000;
const options = { engine: "chromium" };
const MARKDOWN = { source: "x: |md\n  # Title\n  Some *words*\n|", format: "d2", outputType: "png" };

describe("a server with a Chromium", () => {
  test("draws with it what asks for it, and outlives what goes wrong there", { timeout: LONG_MS }, async (t) => {
    const server = await DiagramServer.open(t, {
      RENDER_CHROMIUM: "true",
      ...(await chromiumSettings()),
      // For a busy machine; what shall not end has a time of its own.
      RENDER_TIMEOUT_MS: String(scaled(60_000)),
      SYNC_WAIT_MS: String(scaled(70_000)),
      TMPDIR: temporaryFolder(t),
    });
    const submit = async (payload: object, timeoutMs: number): Promise<string> => {
      const body = JSON.stringify({ kind: "render-chromium", payload: { ...payload, options }, timeoutMs });
      const headers = { "content-type": "application/json" };
      return (await server.ask("/jobs", { method: "POST", headers, body })).body.jobId;
    };
    const browsers = () => browsersOf(server.program.child.pid as number);
    assert.deepEqual(browsers(), [], "none is started that nobody asked for");

    await t.test("Mermaid: a drawing under its own link, by a job of its own kind", async () => {
      const plain = await server.render(flowchart("both"), "sync");
      const accepted = await server.render({ ...flowchart("both"), options });
      assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
      const job = await server.finished(accepted.body.jobId);
      assert.deepEqual([job.status, job.kind, job.stage], ["completed", "render-chromium", "rendering"]);
      assert.notEqual(job.result.shortlink, plain.body.shortlink);
      const again = await server.render({ ...flowchart("both"), options }, "sync");
      assert.equal(again.body.shortlink, job.result.shortlink, "it is kept");
      assert.match(
        new TextDecoder().decode((await server.ask(job.result.url)).body),
        /^<svg [\s\S]*aboth[\s\S]*<\/svg>/,
      );
      assert.equal(browsers().length, 1);
    });

    await t.test("D2's Markdown: a picture without a warning", async () => {
      const { status, body } = await server.render({ ...MARKDOWN, options }, "sync");
      assert.deepEqual([status, body.warnings], [200, undefined], JSON.stringify(body));
      assert.equal((await server.ask(body.url)).headers.get("content-type"), "image/png");
    });

    await t.test("a fault is told as everywhere", async () => {
      const { status, body } = await server.render(
        { source: "flowchart LR\n  a --> [b", format: "mermaid", options },
        "sync",
      );
      assert.deepEqual([status, body.code, body.line], [422, "render-failed", 2]);
    });

    await t.test(
      "a browser killed in mid-render is started again: its diagram has a second try, and the next is drawn",
      async () => {
        const jobId = await submit(endless(31), scaled(6_000));
        await server.until(jobId, "rendering");
        const browser = await busyBrowser(server.program.child.pid as number);
        process.kill(browser, "SIGKILL");
        const job = await server.finished(jobId);
        const { attempts } = (await server.ask(`/jobs/${jobId}/attempts`)).body;
        assert.deepEqual([attempts.length, attempts[0].outcome], [2, "failed"], JSON.stringify(attempts));
        assert.match(JSON.stringify(attempts[0]), /Chromium has ended/);
        // On a busy machine its time may be too short for it; that is then said of the second try.
        assert.ok(job.status === "completed" || job.failure.code === "timed-out", JSON.stringify(job.failure));
        assert.ok(!browsers().includes(browser));
        assert.equal((await server.render({ ...flowchart("after"), options }, "sync")).status, 200);
      },
    );

    await t.test("past its time a diagram ends with its browser; the next has another", async () => {
      // Its process may not be the one that drew last, and may start a browser of its own.
      const seen = new Set(browsers());
      const looking = setInterval(() => browsers().forEach((browser) => void seen.add(browser)), 250);
      t.after(() => clearInterval(looking));
      const job = await server.finished(await submit(minutesLong(), scaled(3_000)));
      clearInterval(looking);
      assert.deepEqual([job.status, job.error], ["failed", `Render timed out after ${scaled(3_000)} ms`]);
      assert.equal((await server.render({ ...flowchart("next"), options }, "sync")).status, 200);
      await until("the browser of that diagram has ended", () => {
        const running = browsers();
        return [...seen].some((browser) => !running.includes(browser));
      });
    });

    await t.test("each kind refuses the other's diagrams, however they are submitted", async () => {
      for (const [kind, payload] of [
        ["render", { ...flowchart("x"), options }],
        ["render-chromium", flowchart("x")],
      ]) {
        const body = JSON.stringify({ kind, payload });
        const headers = { "content-type": "application/json" };
        const refused = await server.ask("/jobs", { method: "POST", headers, body });
        assert.equal(refused.status, 422);
        assert.match(JSON.stringify(refused.body.issues), /options\.engine/);
      }
    });

    await t.test("its browser ends with the server", async () => {
      const [browser] = browsers();
      server.program.child.kill("SIGKILL");
      await server.program.ended();
      while (isAlive(browser as number)) await new Promise((resolve) => setTimeout(resolve, 50));
    });
  });
});

/** The browser, once its pages have worked for a second. */
async function busyBrowser(root: number): Promise<number> {
  const worked = () =>
    below(root).reduce((sum, { args, seconds }) => sum + (/--type=renderer/.test(args) ? seconds : 0), 0);
  const before = worked();
  for (;;) {
    const [browser] = browsersOf(root);
    if (browser !== undefined && worked() > before) return browser;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The browsers below a process: a browser's own helpers name their type. */
function browsersOf(root: number): number[] {
  return below(root)
    .filter(({ args }) => args.includes("--remote-debugging-pipe") && !args.includes("--type="))
    .map(({ pid }) => pid);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Of processor time. */
  readonly seconds: number;
  readonly args: string;
}

function below(root: number): Process[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,cputimes=,args="], { encoding: "utf8" }).trim().split("\n");
  const all = lines.map((line): Process => {
    const [, pid, parent, seconds, args = ""] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), parent: Number(parent), seconds: Number(seconds), args };
  });
  const under = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((each) => [each, ...under(each.pid)]);
  return under(root);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
