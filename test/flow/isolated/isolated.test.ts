// runtimes: bun, node or node22

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { defineKind, JobFailure, moduleOf, type StageOptions } from "../../../packages/millrace/src/index.ts";
import { codeOf } from "../../../packages/millrace/src/job/report/error-account.ts";
import { isGone, processIdentity } from "../../../packages/millrace/src/lib/runtime/process-identity.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import type * as work from "../modules/work.ts";
import { type Engine, history, withEngine } from "../support/engine.ts";

const module = moduleOf<typeof work>(new URL("../modules/work.ts", import.meta.url));

function isolatedKind(more: StageOptions = {}) {
  return defineKind({
    name: "isolated",
    payload: z.custom<work.Order>(),
    isolation: "process",
    module,
    processors: 2,
    ...more,
  });
}

describe("an isolated stage", () => {
  test("runs in a child process, kept warm, and gives its result", async () => {
    await withIsolated({ processors: 1 }, async ({ millrace }, kind) => {
      const first = (await (
        await millrace.submit(kind, { do: "double", n: 4 })
      ).wait({ timeoutMs: scaled(20_000) })) as {
        n: number;
        pid: number;
      };
      const second = (await (
        await millrace.submit(kind, { do: "double", n: 5 })
      ).wait({ timeoutMs: scaled(20_000) })) as {
        n: number;
        pid: number;
      };
      assert.deepEqual([first.n, second.n], [8, 10]);
      assert.notEqual(first.pid, process.pid);
      assert.equal(first.pid, second.pid);
      assert.equal(
        ((await (await millrace.submit(kind, { do: "big" })).wait({ timeoutMs: scaled(20_000) })) as string).length,
        900_000,
      );
    });
  });

  test("its errors keep their name, code and causes, on the attempt and at wait()", async () => {
    await withIsolated({ maxAttempts: 1 }, async ({ millrace }, kind) => {
      const job = await millrace.submit(kind, { do: "caused" });
      const thrown = await job.wait({ timeoutMs: scaled(20_000) }).catch((error: Error) => error);
      assert.ok(thrown instanceof JobFailure && thrown.cause instanceof Error);
      assert.deepEqual([thrown.message, thrown.cause.message, codeOf(thrown.cause)], ["outer", "inner", "E_INNER"]);
      const [attempt] = await millrace.attempts(job.id);
      assert.partialDeepStrictEqual(attempt?.failure, {
        name: "RangeError",
        cause: { name: "Error", message: "inner", code: "E_INNER" },
      });
    });
  });

  test("its steps, progress, log lines and artifacts reach the store, and a cancel reaches it", async () => {
    await withIsolated({}, async ({ millrace }, kind) => {
      const job = await millrace.submit(kind, { do: "talk" });
      const view = await until("progress is seen", async () => {
        const seen = await job.view();
        return seen?.progress && seen;
      });
      assert.deepEqual(view.progress, { value: 0.5, message: "half" });
      assert.equal((await millrace.logs(job.id))[0]?.message, "from the child");
      assert.deepEqual([...((await millrace.artifact(job.id, "a.bin"))?.bytes ?? [])], [9, 8, 7]);
      await job.cancel();
      await until("its processor is idle", () =>
        millrace.pools()[0]?.processors.every(({ state }) => state === "idle"),
      );
      assert.equal((await job.view())?.state, "cancelled");
    });
  });

  test("a crash is counted apart from failures, the steps are kept and another child goes on", async () => {
    await withIsolated({}, async ({ millrace }, kind) => {
      const job = await millrace.submit(kind, { do: "steps" });
      const result = (await job.wait({ timeoutMs: scaled(20_000) })) as { pid: number; attempt: number };
      assert.equal(result.attempt, 2);
      const view = await job.view();
      assert.deepEqual([view?.crashes, view?.retries], [1, 0]);
      assert.deepEqual(await history(millrace, job.id), ["running#1 crashed", "running#2 completed"]);
    });
  });

  test("a child that a supervisor stops with the service has no crash: its job is handed back and runs again", async () => {
    await withIsolated({ processors: 1 }, async ({ millrace, folder }, kind) => {
      const pids = join(folder, "pids");
      const job = await millrace.submit(kind, { do: "wait", pids });
      // A file that exists may still be empty, and a signal to process 0 would end this test.
      const first = await until("it runs", () => existsSync(pids) && readFileSync(pids, "utf8"));
      process.kill(Number(first), "SIGTERM");
      await until("it runs again", () => ![first, ""].includes(readFileSync(pids, "utf8")));
      assert.equal((await job.view())?.crashes, 0);
      assert.equal((await millrace.attempts(job.id))[0]?.outcome, "released");
      await millrace.cancel(job.id);
    });
  });

  test("a job that kills its processor every time becomes a dead letter, and its neighbours are done", async () => {
    await withIsolated({}, async ({ millrace }, kind) => {
      const poison = await millrace.submit(kind, { do: "die" });
      const innocents = await millrace.submitMany(
        kind,
        Array.from({ length: 4 }, (_, n) => ({ do: "double" as const, n })),
      );
      await assert.rejects(poison.wait({ timeoutMs: scaled(30_000) }), /crashed 3 times/);
      for (const job of innocents) await job.wait({ timeoutMs: scaled(20_000) });
      const view = await poison.view();
      assert.deepEqual([view?.crashes, view?.retries, view?.failure?.code], [3, 0, "crashed"]);
      for (const job of innocents) assert.equal((await job.view())?.crashes, 0);
    });
  });

  test("a processor that calls process.exit ends at once, also in a child that has been up for a while", async () => {
    await withIsolated({ processors: 1 }, async ({ millrace }, kind) => {
      const job = await millrace.submit(kind, { do: "die", n: 500 });
      await assert.rejects(job.wait({ timeoutMs: scaled(20_000) }), /crashed 3 times.* exited with code 7/);
    });
  });

  test("an exception in a timer of the child fails that attempt only", async () => {
    await withIsolated({ maxAttempts: 1 }, async ({ millrace }, kind) => {
      const job = await millrace.submit(kind, { do: "throw" });
      await assert.rejects(job.wait({ timeoutMs: scaled(20_000) }), /thrown in the child's timer/);
      assert.equal((await job.view())?.crashes, 0);
      await (await millrace.submit(kind, { do: "double" })).wait({ timeoutMs: scaled(20_000) });
    });
  });

  for (const [how, order] of Object.entries({ spins: "spin", waits: "wait" } as const)) {
    test(`a cancel ends a child that ${how} and does not listen`, async () => {
      await withIsolated({}, async ({ millrace, folder }, kind) => {
        const pids = join(folder, "pids");
        const job = await millrace.submit(kind, { do: order, pids });
        const [place] = await placesIn(pids, 1);
        await job.cancel();
        assert.equal((await job.view())?.state, "cancelled");
        await until("the child is gone", () => isGone(place as string));
        await (await millrace.submit(kind, { do: "double" })).wait({ timeoutMs: scaled(20_000) });
      });
    });
  }

  test("the deadline kills the child with all it started", async () => {
    await withIsolated({ timeoutMs: 2_000, retryTimeouts: false }, async ({ millrace, folder }, kind) => {
      const pids = join(folder, "pids");
      const job = await millrace.submit(kind, { do: "family", pids });
      const places = await placesIn(pids, 2);
      await assert.rejects(job.wait({ timeoutMs: scaled(20_000) }), /Timed out after 2000 ms/);
      for (const place of places) await until("it is gone", () => isGone(place));
      const view = await job.view();
      assert.deepEqual([view?.failure?.code, view?.retries, view?.crashes], ["timed-out", 1, 0]);
    });
  });

  test("a child that ended a cancelled job in time is not killed under the next one", async () => {
    await withIsolated({ processors: 1 }, async ({ millrace }, kind) => {
      const cancelled = await millrace.submit(kind, { do: "talk" });
      await until("it runs", async () => (await millrace.artifact(cancelled.id, "a.bin")) !== undefined);
      await cancelled.cancel();
      await until("the child is done with it", () =>
        millrace.pools()[0]?.processors.every(({ state }) => state === "idle"),
      );
      const next = await millrace.submit(kind, { do: "nap", n: 3_000 });
      assert.equal(await next.wait({ timeoutMs: scaled(15_000) }), "rested");
      assert.deepEqual(await history(millrace, next.id), ["running#1 completed"]);
    });
  });

  test("what a job leaves running in a child touches no later job", async () => {
    await withIsolated({ processors: 1 }, async ({ millrace }, kind) => {
      await (await millrace.submit(kind, { do: "leave" })).wait({ timeoutMs: scaled(20_000) });
      const next = await millrace.submit(kind, { do: "nap", n: 2_000 });
      assert.equal(await next.wait({ timeoutMs: scaled(20_000) }), "rested");
      assert.deepEqual(await history(millrace, next.id), ["running#1 completed"]);
      assert.deepEqual(await millrace.steps(next.id), []);
      assert.deepEqual(await millrace.logs(next.id), []);
      assert.equal(await millrace.artifact(next.id, "ghost"), undefined);
    });
  });

  test("a job that throws and then returns has one outcome, and the next job its own", async () => {
    await withIsolated({ processors: 1, maxAttempts: 1 }, async ({ millrace }, kind) => {
      const first = await millrace.submit(kind, { do: "throw-late" });
      const next = await millrace.submit(kind, { do: "nap", n: 1_000 });
      await assert.rejects(first.wait({ timeoutMs: scaled(20_000) }), /first word/);
      assert.equal(await next.wait({ timeoutMs: scaled(20_000) }), "rested");
    });
  });

  test("it can defer itself, with no attempt burned", async () => {
    await withIsolated({ maxAttempts: 1 }, async ({ millrace }, kind) => {
      const job = await millrace.submit(kind, { do: "defer" });
      assert.equal(await job.wait({ timeoutMs: scaled(20_000) }), "came back");
      assert.deepEqual(await history(millrace, job.id), ["running#1 deferred", "running#1 completed"]);
    });
  });

  test("a child above its memory cap is ended, and the job counted as a crash", async () => {
    await withIsolated({ memoryMb: 400 }, async ({ millrace }, kind) => {
      const job = await millrace.submit(kind, { do: "grow" });
      await assert.rejects(job.wait({ timeoutMs: scaled(40_000) }), /more than 400 MiB/);
      assert.equal((await job.view())?.crashes, 3);
    });
  });

  test("the memory cap holds while the parent's main loop is blocked", async () => {
    await withIsolated({ memoryMb: 400, processors: 1 }, async ({ millrace, folder }, kind) => {
      const pids = join(folder, "pids");
      const job = await millrace.submit(kind, { do: "grow", n: 20, pids });
      const [place = ""] = await placesIn(pids, 1);
      // Nothing else happens here meanwhile; the child grows by up to 400 MiB a second.
      const sleeper = new Int32Array(new SharedArrayBuffer(4));
      let looks = 0;
      while (!isGone(place) && looks++ < 100) Atomics.wait(sleeper, 0, 0, 100);
      assert.ok(isGone(place), "the child was ended while nobody here could look");
      await until("it is known why", async () => /more than 400 MiB/.test((await job.view())?.lastError ?? ""));
      await job.cancel();
    });
  });

  test("garbage is collected before it counts as memory used", async () => {
    await withIsolated({ memoryMb: 400, processors: 1, maxAttempts: 1 }, async ({ millrace }, kind) => {
      const job = await millrace.submit(kind, { do: "churn", n: 80 });
      assert.equal(await job.wait({ timeoutMs: scaled(60_000) }), "tidy");
      assert.equal((await job.view())?.crashes, 0);
    });
  });

  test("what a child started does not outlive its crash", async () => {
    await withIsolated({ processors: 1 }, async ({ millrace, folder }, kind) => {
      const pids = join(folder, "pids");
      const job = await millrace.submit(kind, { do: "family", n: 300, pids });
      const places = await placesIn(pids, 2);
      await until("it crashed", async () => ((await job.view())?.crashes ?? 0) > 0);
      for (const place of places) await until("it is gone", () => isGone(place));
      await job.cancel();
    });
  });

  for (const order of ["spin", "family"] as const) {
    test(`when the parent is killed, a child and all it started go too (${order})`, async () => {
      await withEngine({ work: false }, async ({ folder }) => {
        const pids = join(folder, "pids");
        const main = fileURLToPath(new URL("../scripts/parent.ts", import.meta.url));
        const parent = spawn(process.execPath, [main, order, pids], { stdio: "ignore" });
        const places = await placesIn(pids, order === "spin" ? 1 : 2);
        parent.kill("SIGKILL");
        for (const place of places) await until("it is gone", () => isGone(place));
      });
    });
  }

  test("stopping ends every child", async () => {
    await withIsolated({}, async ({ millrace, folder }, kind) => {
      const pids = join(folder, "pids");
      await millrace.submit(kind, { do: "spin", pids });
      const [place] = await placesIn(pids, 1);
      await millrace.stop({ graceMs: 0 });
      await until("the child is gone", () => isGone(place as string));
    });
  });
});

async function withIsolated(
  more: StageOptions,
  body: (engine: Engine, kind: ReturnType<typeof isolatedKind>) => Promise<void>,
): Promise<void> {
  const kind = isolatedKind(more);
  await withEngine({ kinds: [kind] }, (engine) => body(engine, kind));
}

/** The processes named in a file, once they are. */
async function placesIn(file: string, count: number): Promise<string[]> {
  const text = await until("the child runs", () => existsSync(file) && readFileSync(file, "utf8"), 20_000);
  const places = text
    .trim()
    .split(" ")
    .map((pid) => processIdentity(Number(pid)));
  assert.equal(places.filter(Boolean).length, count);
  return places as string[];
}
