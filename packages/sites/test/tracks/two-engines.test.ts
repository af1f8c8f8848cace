// runtimes: bun
// One process may open several engines.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadConfig } from "../../../millrace/src/config.ts";
import { Testkit } from "../../../millrace/src/testing.ts";
import { kindsOfAll, startAll } from "../../../millrace/src/workload/compose.ts";
import { TrackStore } from "../../src/tracks/track-store.ts";
import { sites } from "../../src/workload.ts";

test("two engines in one process have tracks of their own", async (t) => {
  const open = async () => {
    const loaded = loadConfig({}, { workloads: [sites] });
    assert.ok(loaded.ok);
    const kinds = await kindsOfAll([sites], loaded.config);
    const kit = await Testkit.open({ kinds });
    t.after(() => kit.stop());
    await startAll([sites], loaded.config, { engine: kit.millrace, log: undefined as never });
    return { kit, look: kinds.find(({ name }) => name === "site-track") ?? assert.fail() };
  };
  const [first, second] = [await open(), await open()];
  const store = new TrackStore(first.kit.millrace, "default");
  const createdAt = new Date().toISOString();
  const track = {
    url: "http://example.com/",
    every: "7d",
    promptCount: 10,
    maxPages: 10,
    samples: 3,
    webSearch: false,
  };
  await store.put("bread", { ...track, createdAt });
  await store.keep("bread", { createdAt, lastStartedAt: createdAt, trend: [], changes: [] });
  assert.deepEqual(await first.kit.run(first.look, { name: "bread" }), { outcome: "not-due" });
  assert.deepEqual(await second.kit.run(second.look, { name: "bread" }), { outcome: "deleted" });
});
