import assert from "node:assert/strict";
import { test } from "node:test";
import { healthOf, readinessOf } from "./health.ts";
import type { RunningEngine } from "./running-engine.ts";

const SLOW = "The processors of picture/draw start slowly.";

test("processors that start slowly leave health degraded, which is not an error, and make the process not ready", async () => {
  const engine = engineWith({ delays: [SLOW] });
  assert.deepEqual(await healthOf(engine), { status: "degraded", problems: [SLOW], unserved: [], unservedStages: [] });
  assert.deepEqual(await readinessOf(engine), { ready: false, reasons: [SLOW] });
});

test("a pool that cannot work is an error, and the process is not ready", async () => {
  const engine = engineWith({ problems: ["All processors of picture/draw hang."] });
  assert.equal((await healthOf(engine)).status, "error");
  assert.equal((await readinessOf(engine)).ready, false);
  assert.deepEqual(await readinessOf(engineWith({})), { ready: true, reasons: [] });
});

function engineWith({ problems = [], delays = [] }: { problems?: string[]; delays?: string[] }): RunningEngine {
  const pools = { problems: () => problems, delays: () => delays };
  const nothing = {
    deployments: { unserved: async () => [] },
    outboxes: { problems: () => [] },
    limits: { shared: { warnings: async () => [] } },
  };
  const parts = { conditions: { now: [] }, pools, ...nothing, store: { outboxes: async () => [] } };
  return { parts, fatal: undefined, isStopping: false } as unknown as RunningEngine;
}
