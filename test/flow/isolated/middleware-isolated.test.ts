// runtimes: bun, node

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineKind, LeaseLost, moduleOf } from "../../../packages/millrace/src/index.ts";
import { codeOf } from "../../../packages/millrace/src/job/report/error-account.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import type * as wrapped from "../modules/wrapped.ts";
import { history, withEngine } from "../support/engine.ts";

const module = moduleOf<typeof wrapped>(new URL("../modules/wrapped.ts", import.meta.url));

test("middleware around an isolated stage runs here and sees how the child ended; the module's own runs there", async () => {
  const seen = new Map<string, string>();
  const signals: unknown[] = [];
  const kind = defineKind({
    name: "wrapped",
    payload: z.custom<wrapped.Order>(),
    isolation: "process",
    module,
    processors: 2,
    maxCrashes: 1,
    use: [
      async (ctx, next) => {
        ctx.log.info("from the parent");
        ctx.signal.addEventListener("abort", () => signals.push(ctx.signal.reason));
        const key = `${ctx.payload} ${process.pid}`;
        await next().then(
          (result) => seen.set(key, JSON.stringify(result)),
          (error: Error) => {
            seen.set(key, codeOf(error) ?? error.name);
            throw new Error("of the middleware's own", { cause: error });
          },
        );
      },
    ],
  });
  await withEngine({ kinds: [kind], maxAttempts: 1 }, async ({ millrace }) => {
    const end = async (order: wrapped.Order) => {
      const job = await millrace.submit(kind, order);
      const ended = await job.wait({ timeoutMs: scaled(20_000) }).catch((error: Error) => error);
      return { job, ended, saw: seen.get(`${order} ${process.pid}`) };
    };
    const { ended: result, saw, job } = await end("complete");
    assert.ok(!(result instanceof Error), String(result));
    assert.notEqual(result.pid, undefined, "the module's middleware made the context");
    assert.notEqual(result.pid, process.pid);
    assert.deepEqual(JSON.parse(saw ?? ""), result);
    const lines = (await millrace.logs(job.id)).map(({ message }) => message).sort();
    assert.deepEqual(lines, ["from the child", "from the parent"]);

    const failed = await end("fail");
    assert.equal(failed.saw, "too-bad");
    assert.match(String(failed.ended), /of the middleware's own/);

    const deferred = await millrace.submit(kind, "defer");
    await until("it is put off", async () => (await history(millrace, deferred.id))[0] === "running#1 deferred");

    const crashed = await end("die");
    assert.deepEqual(await history(millrace, crashed.job.id), ["running#1 crashed"], "no error hides a crash");

    const waiting = await millrace.submit(kind, "wait");
    await until("it runs", async () => (await waiting.view())?.state === "running");
    await waiting.cancel();
    const [reason] = await until("the middleware's signal is aborted", () => signals.length > 0 && signals);
    assert.ok(reason instanceof LeaseLost && reason.reason === "cancelled");
    assert.equal((await waiting.view())?.state, "cancelled");
  });
});
