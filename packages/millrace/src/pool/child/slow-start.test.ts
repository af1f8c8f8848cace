// runtimes: both

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../../../../../test/support/program.ts";
import { scaled } from "../../../../../test/support/slowness.ts";
import { until } from "../../../../../test/support/until.ts";
import type { Kind } from "../../job/kind/kind.ts";
import { ManualClock } from "../../lib/clock.ts";
import { silentLog } from "../../telemetry/log/log.ts";
import { Pool, type PoolOptions } from "../pool.ts";
import type { AttemptRunner } from "../runner.ts";
import { ChildRunner } from "./runner.ts";

test("a child that is not ready in time starts slowly; one whose module fails is broken", async (t) => {
  const slow = runnerOf(t, "await new Promise((resolve) => setTimeout(resolve, 3_600_000));", 300);
  await until("its time is over", () => ticked(slow).startsSlowly);
  assert.match(slow.broken ?? "", /did not start within 300 ms/);
  const broken = runnerOf(t, "throw new Error('It is broken.');", 60_000);
  await until("it has failed", () => ticked(broken).broken !== undefined);
  assert.equal(broken.startsSlowly, false);
});

test("a process that needs longer than its time to start gets twice as long at the next try, until it starts", async (t) => {
  const firstMs = scaled(400);
  const module = `await new Promise((resolve) => setTimeout(resolve, ${firstMs * 1.5})); export default () => {};`;
  const slow = runnerOf(t, module, firstMs);
  await until("it has been given up", () => ticked(slow).startsSlowly);
  await until("it has started", () => ticked(slow).broken === undefined, 60_000);
  assert.ok(slow.startMs >= firstMs * 2, `it had ${slow.startMs} ms`);
});

test("a pool whose processors start slowly has no problem, however long it claims nothing; a broken one has", () => {
  const clock = new ManualClock();
  const stage = { name: "running", work: { in: "process" } };
  const poolWith = (startsSlowly: boolean) => {
    const runner = { broken: "It does not start.", startsSlowly } as AttemptRunner;
    const kind = { name: "slow" } as Kind;
    return new Pool({ kind, stage, size: 1, runner, clock, store: {}, log: silentLog } as unknown as PoolOptions);
  };
  const [slow, broken] = [poolWith(true), poolWith(false)];
  clock.advance(120_000);
  assert.deepEqual([slow.problem, slow.delay], [undefined, "The processors of slow/running start slowly."]);
  assert.deepEqual([broken.problem, broken.delay], ["slow/running: It does not start.", undefined]);
});

/** Children are started by the pool's tick. */
function ticked(runner: ChildRunner): ChildRunner {
  runner.tick();
  return runner;
}

function runnerOf(t: TestContext, code: string, startMs: number): ChildRunner {
  const file = join(temporaryFolder(t), "module.mjs");
  writeFileSync(file, code);
  const stage = { name: "running" } as Kind["stages"][number];
  const kind = { name: "slow", stages: [stage] } as unknown as Kind;
  const options = {
    kind,
    stage,
    module: pathToFileURL(file),
    store: {} as never,
    log: silentLog,
    output() {},
    use: [],
    isWaitedFor: true,
    onNote() {},
    onWritten() {},
    onMended() {},
  };
  const runner = new ChildRunner({ ...options, startMs });
  t.after(() => runner.stop());
  return runner;
}
