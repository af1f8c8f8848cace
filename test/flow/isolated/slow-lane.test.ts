// runtimes: bun
// Short attempts do not wait behind long ones: `slow` gives those further places.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, moduleOf } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import type * as work from "../modules/work.ts";
import { history, withEngine } from "../support/engine.ts";

const AFTER_MS = 200;

const kind = defineKind({
  name: "isolated",
  payload: z.custom<work.Order>(),
  isolation: "process",
  module: moduleOf<typeof work>(new URL("../modules/work.ts", import.meta.url)),
  processors: 1,
  slow: { afterMs: AFTER_MS, processors: 1 },
});

describe("a stage with places for long attempts", () => {
  test("a long one goes on in such a place, and a short one is done meanwhile", async () => {
    await withEngine({ kinds: [kind] }, async ({ millrace }) => {
      const long = await millrace.submit(kind, { do: "nap", n: 60_000 });
      await until("it runs", async () => (await long.view())?.state === "running");
      const short = await millrace.submit(kind, { do: "double", n: 4 });
      await short.wait({ timeoutMs: scaled(30_000) });
      assert.equal((await long.view())?.state, "running");
      const states = millrace.pools()[0]?.processors.map(({ state }) => state);
      assert.ok(states?.includes("busy"), String(states));
      await long.cancel();
    });
  });

  test("when those places are taken a long one is put off, and no attempt is burned by it", async () => {
    await withEngine({ kinds: [kind] }, async ({ millrace }) => {
      const first = await millrace.submit(kind, { do: "nap", n: 60_000 });
      await until("it runs", async () => (await first.view())?.state === "running");
      const second = await millrace.submit(kind, { do: "nap", n: 20 * AFTER_MS });
      await until("the second is put off", async () =>
        (await history(millrace, second.id)).includes("running#1 deferred"),
      );
      const short = await millrace.submit(kind, { do: "double", n: 4 });
      await short.wait({ timeoutMs: scaled(30_000) });
      await first.cancel();
      assert.equal(await second.wait({ timeoutMs: scaled(60_000) }), "rested");
      const view = await second.view();
      assert.deepEqual([view?.attempt, view?.retries, view?.crashes], [1, 0, 0]);
    });
  });
});
