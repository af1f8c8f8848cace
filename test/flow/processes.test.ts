// runtimes: bun
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { defineKind } from "../../packages/millrace/src/index.ts";
import { scaled } from "../support/slowness.ts";
import { gate, history, untilState, withEngine } from "./support/engine.ts";

const echo = defineKind({ name: "echo", payload: z.number(), run: (_ctx, n) => n });

describe("several processes on one file", () => {
  test("what another process submits is picked up here, and it may be gone by then", async () => {
    await withEngine({ kinds: [echo], pollMs: 60_000 }, async ({ millrace, path }) => {
      const ids = await script<string[]>("submit.ts", path, "25");
      const results = await Promise.all(ids.map((id) => millrace.job(id).wait({ timeoutMs: scaled(10_000) })));
      assert.deepEqual(
        results,
        ids.map((_, n) => n),
      );
    });
  });

  test("two engines share the work: every job is done once", async () => {
    const done = new Map<number, number>();
    const count = (_ctx: unknown, n: number) => done.set(n, (done.get(n) ?? 0) + 1).size;
    const counted = defineKind({ name: "counted", payload: z.number(), run: count });
    await withEngine({ kinds: [counted] }, async ({ millrace, another }) => {
      const other = await another();
      const numbers = Array.from({ length: 200 }, (_, n) => n);
      const jobs = await millrace.submitMany(counted, numbers);
      await Promise.all(jobs.map((job) => other.wait(job.id, { timeoutMs: scaled(20_000) })));
      assert.deepEqual(
        [...done.values()],
        numbers.map(() => 1),
      );
    });
  });

  test("stopping hands back what runs without burning an attempt, and another engine does it", async () => {
    const { opened, open } = gate();
    const reasons: unknown[] = [];
    const slow = defineKind({
      name: "slow",
      payload: z.null(),
      maxAttempts: 1,
      run: async (ctx) => {
        ctx.signal.addEventListener("abort", () => reasons.push(ctx.signal.reason.reason));
        await opened;
        return ctx.attempt;
      },
    });
    await withEngine({ kinds: [slow] }, async ({ millrace, another }) => {
      const job = await millrace.submit(slow, null);
      await untilState(millrace, job.id, "running");
      await millrace.stop({ graceMs: 20 });
      assert.deepEqual(reasons, ["shutting-down"]);
      const other = await another();
      await untilState(other, job.id, "running");
      open();
      assert.equal(await other.job(slow, job.id).wait({ timeoutMs: scaled(10_000) }), 1);
      assert.deepEqual(await history(other, job.id), ["running#1 released", "running#1 completed"]);
    });
  });

  test("stopping waits for what runs, as long as its grace lasts", async () => {
    const { opened, open } = gate();
    const slow = defineKind({ name: "slow", payload: z.null(), run: () => opened.then(() => "in time") });
    await withEngine({ kinds: [slow] }, async ({ millrace, another }) => {
      const job = await millrace.submit(slow, null);
      await untilState(millrace, job.id, "running");
      const stopping = millrace.stop({ graceMs: 20_000 });
      await assert.rejects(millrace.submit(slow, null), { code: "stopping" });
      open();
      await stopping;
      const other = await another({ work: false });
      assert.equal((await other.find(job.id))?.result, "in time");
    });
  });

  test("a second stop that hurries cuts the grace short", async () => {
    const slow = defineKind({ name: "slow", payload: z.null(), run: () => new Promise(() => {}) });
    await withEngine({ kinds: [slow] }, async ({ millrace, another }) => {
      const job = await millrace.submit(slow, null);
      await untilState(millrace, job.id, "running");
      const startedAt = performance.now();
      const stopping = millrace.stop({ graceMs: 60_000 });
      await millrace.stop({ hurry: true });
      await stopping;
      assert.ok(performance.now() - startedAt < scaled(10_000));
      assert.equal((await (await another({ work: false })).find(job.id))?.state, "pending");
    });
  });

  test("work of a kind or stage that no living process serves is named in health, and kept", async () => {
    await withEngine({ kinds: [echo] }, async ({ millrace, another }) => {
      const orphan = defineKind({ name: "orphan", payload: z.null() }).stage("fetch", { run: () => 1 });
      const other = await another({ kinds: [orphan], work: false });
      const job = await other.submit(orphan, null);
      assert.deepEqual(await millrace.health(), {
        status: "degraded",
        problems: [],
        unserved: ["orphan/fetch"],
        unservedStages: [{ kind: "orphan", stage: "fetch", jobs: 1 }],
      });
      const serving = await another({ kinds: [orphan], work: true });
      assert.equal(await serving.job(job.id).wait({ timeoutMs: scaled(10_000) }), 1);
      assert.deepEqual((await millrace.health()).unserved, []);
    });
  });

  test("an engine that cannot open its file leaves nothing running", async () => {
    await withEngine({ kinds: [echo] }, async ({ folder }) => {
      const path = join(folder, "no.db");
      writeFileSync(path, "this is no database, but it is long enough to look at".repeat(50));
      assert.equal(await script("refused.ts", path), "store-cannot-open");
    });
  });

  test("an exception in a timer of one job ends that attempt only", async () => {
    const ended = await script("uncaught.ts", "timer");
    assert.deepEqual(ended, { guilty: "thrown in a timer", fine: "fine", after: "fine" });
  });

  test("a rejection nobody handles ends the attempt it came from", async () => {
    const ended = await script("uncaught.ts", "rejection");
    assert.deepEqual(ended, { guilty: "nobody caught it", after: "fine" });
  });
});

/** Runs a script in a process of its own and gives what it printed. */
async function script<T>(name: string, ...args: string[]): Promise<T> {
  const main = fileURLToPath(new URL(`./scripts/${name}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { timeout: scaled(30_000) });
  return JSON.parse(stdout) as T;
}
