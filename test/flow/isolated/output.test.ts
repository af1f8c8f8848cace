// What isolated processors print, in an engine with a log of its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineKind } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import { withEngine } from "../support/engine.ts";

const LINES_PER_SECOND = 500;
const LEFT_OUT = "[further output of this second is left out]";

const floods = defineKind({
  name: "floods",
  payload: z.null(),
  isolation: "process",
  module: new URL("../modules/floods.ts", import.meta.url),
  maxAttempts: 1,
});
const quick = defineKind({ name: "quick", payload: z.number(), run: (_ctx, n) => n + 1 });

test("a child that prints without end is cut short, and the engine goes on with its work", async () => {
  const printed: string[] = [];
  const ignore = () => {};
  const info = (event: string, fields: Record<string, unknown> = {}) => {
    if (event === "processor output") printed.push(`${fields["jobId"]} ${fields["line"]}`);
  };
  const log = { debug: ignore, info, warn: ignore, error: ignore };
  await withEngine({ kinds: [floods, quick], log }, async ({ millrace }) => {
    const startedAt = performance.now();
    const flood = await millrace.submit(floods, null);
    // Not at once: a starved machine takes a while to print this much in one second.
    await until("it is cut short", () => printed.some((line) => line.endsWith(LEFT_OUT)), 30_000);
    for (let n = 0; n < 50; n++)
      assert.equal(await (await millrace.submit(quick, n)).wait({ timeoutMs: scaled(10_000) }), n + 1);
    assert.equal((await flood.view())?.state, "running");
    await flood.cancel();
    await until("it is ended", () => millrace.pools()[0]?.processors.every(({ state }) => state === "idle"));
    const seconds = (performance.now() - startedAt) / 1_000;
    const own = printed.filter((line) => line.startsWith(flood.id));
    assert.equal(own.length, printed.length, "each line has its job");
    assert.ok(own.length <= LINES_PER_SECOND * (seconds + 3), `${own.length} lines in ${seconds} s`);
  });
});
