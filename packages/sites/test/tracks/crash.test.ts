// runtimes: bun
// A track's jobs in bad times: one dies after it wrote to the store, and before its step was kept.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import { defineKind, type Millrace } from "../../../millrace/src/index.ts";
import { Testkit } from "../../../millrace/src/testing.ts";
import type { Engine } from "../../../millrace/src/workload/index.ts";
import { changeKind, trackKind } from "../../src/tracks/track-kind.ts";
import { TrackStore } from "../../src/tracks/track-store.ts";

const TRACK = {
  url: "http://example.com/",
  every: "0 6 * * 1",
  createdAt: "2026-11-02T06:00:00.000Z",
  promptCount: 10,
  maxPages: 10,
  samples: 3,
  webSearch: false,
};

/** A site that is run without its web: each run leaves a report in which everything is measured. */
function siteOf(runs: string[]) {
  return defineKind({
    name: "site",
    payload: z.looseObject({}),
    run: async (ctx) => {
      runs.push(ctx.jobId);
      const kpis = [{ id: "mention-rate", label: "Mention rate", k: 1, n: 4, low: 0.1, high: 0.6 }];
      const report = { jobId: ctx.jobId, createdAt: "2026-11-02T06:05:00.000Z", mode: "models", kpis, byModel: [] };
      const bytes = new TextEncoder().encode(JSON.stringify({ ...report, prompts: { prompts: [] } }));
      await ctx.artifact("report.json", bytes, "application/json");
      return {};
    },
  });
}

interface Crash {
  readonly call: "submitted" | "kept";
  /** Which of these calls is the last thing that its attempt does. */
  readonly at: number;
}

async function tracked(t: TestContext, { call, at }: Crash) {
  const runs: string[] = [];
  const engines: { opened?: Millrace } = {};
  let calls = 0;
  const died = () => {
    calls++;
    if (calls === at) throw new Error("The process died.");
  };
  const dying = (): Engine =>
    new Proxy(engines.opened as Millrace, {
      get: (engine, name) => {
        const value: unknown = Reflect.get(engine, name, engine);
        if (typeof value !== "function") return value;
        if (call === "submitted" && name === "submitRequests")
          return async (...given: unknown[]) => {
            const answer: unknown = await Reflect.apply(value, engine, given);
            died();
            return answer;
          };
        if (call === "kept" && name === "records")
          return (space: string) => {
            const records = engine.records(space);
            if (space !== "site-track-history") return records;
            const put: typeof records.put = async (...given) => {
              const answer = await records.put(...given);
              died();
              return answer;
            };
            return { get: records.get.bind(records), list: records.list.bind(records), put };
          };
        return value.bind(engine);
      },
    }) as unknown as Engine;
  const dependencies = { settings: { policy: { ports: [80], allow: [] } as never }, engine: dying };
  const look = trackKind(dependencies);
  const change = changeKind(dependencies);
  const kit = await Testkit.open({ kinds: [siteOf(runs), look, change] });
  t.after(() => kit.stop());
  engines.opened = kit.millrace;
  const store = new TrackStore(kit.millrace, "default");
  await store.put("bread", TRACK);
  return { kit, look, change, store, runs };
}

test("a track whose job dies after it submitted a run pays one run", async (t) => {
  const { kit, look, runs } = await tracked(t, { call: "submitted", at: 1 });
  const result = await kit.run(look, { name: "bread" });
  assert.deepEqual(result, { outcome: "ran", jobId: runs[0], changed: false });
  assert.equal(runs.length, 1);
});

test("a track whose job dies after it kept a run adds it once", async (t) => {
  const { kit, look, store, runs } = await tracked(t, { call: "kept", at: 2 });
  assert.deepEqual(await kit.run(look, { name: "bread" }), { outcome: "ran", jobId: runs[0], changed: false });
  const { trend } = await store.history("bread", TRACK);
  assert.deepEqual(
    trend.map(({ jobId }) => jobId),
    [runs[0]],
  );
});

test("a change is told for the tenant of its job, and one without figures is refused", async (t) => {
  const { kit, change } = await tracked(t, { call: "kept", at: 0 });
  const note = { track: "bread", url: "http://example.com/", at: "2026-11-02T06:05:00.000Z", jobId: "job_aaaaaaa1" };
  const forged = { ...note, since: "job_aaaaaaa2", changes: [], versions: [], tenant: "somebody-else" };
  assert.equal((await kit.run(change, { change: forged })).tenant, "default");
  for (const wrong of [null, undefined, { ...note }, "a change"]) {
    const submitted = kit.millrace.submitRequests({
      tenant: "default",
      requests: [{ kind: "site-change", payload: { change: wrong }, options: {} }],
    });
    await assert.rejects(submitted, { code: "invalid-request" });
  }
});
