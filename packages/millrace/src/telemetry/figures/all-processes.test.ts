import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AllProcesses, figuresToTell, type OtherProcess } from "./all-processes.ts";
import { ProcessMetrics } from "./metrics.ts";
import { metricsView } from "./metrics-view.ts";
import { noneWaiting } from "./waiting.ts";

const clock = { monotonic: () => 0 };

function worked(jobs: number, runMs: number, tenant = "shop"): ProcessMetrics {
  const metrics = new ProcessMetrics(clock);
  for (let i = 0; i < jobs; i++) {
    metrics.settled({
      kind: "text",
      stage: "running",
      job: { tenant },
      outcome: { type: "completed" },
      settled: { written: "yes", standing: "completed" } as never,
      waitMs: 1,
      runMs,
    });
  }
  return metrics;
}

const counts = { scheduled: 0, ready: 0, suspect: 0, held: 0, running: 0, completed: 0, failed: 0, rejected: 0 };
const kinds = [{ kind: "text", paused: false, stages: [{ stage: "running", counts }] }] as never;
const size = { databaseBytes: 0, walBytes: 0 };

function process(id: number, metrics: ProcessMetrics): OtherProcess {
  const processors = [{ state: "busy" as const }, { state: "idle" as const }];
  // As it goes through the store.
  return JSON.parse(
    JSON.stringify({ id, pools: [{ kind: "text", stage: "running", processors }], figures: figuresToTell(metrics) }),
  );
}

describe("figures of all processes", () => {
  test("counts add up, the slowest stands for all, and who is gone stays counted", () => {
    const own = () =>
      metricsView(worked(2, 10, "own"), { kinds, size, unserved: [], pools: [], waiting: noneWaiting() });
    const all = new AllProcesses();
    const [first, second] = [process(1, worked(3, 1_000)), process(2, worked(4, 50))];
    const both = all.added(own(), [first, second]);
    const stage = both.perStage["text/running"];
    assert.deepEqual([both.jobsCompleted, stage?.completed, stage?.processors], [9, 9, { idle: 2, busy: 2, error: 0 }]);
    assert.ok((stage?.runMs.p95 ?? 0) >= 900, "the slowest");
    assert.deepEqual([both.perTenant["own"]?.completed, both.perTenant["shop"]?.completed], [2, 7]);

    const left = all.added(own(), [second]);
    assert.deepEqual([left.jobsCompleted, left.perStage["text/running"]?.completed], [9, 9], "nothing falls");
    assert.equal(left.perStage["text/running"]?.processors.busy, 1, "but its processors are gone");
    assert.ok((left.perStage["text/running"]?.runMs.p95 ?? 0) < 900, "and its times are of no late");
    const again = all.added(own(), [second, process(3, worked(1, 1))]);
    assert.deepEqual([again.jobsCompleted, again.perTenant["shop"]?.completed], [10, 8]);
  });

  test("a process that tells nothing of itself adds its processors alone", () => {
    const own = metricsView(worked(1, 1), { kinds, size, unserved: [], pools: [], waiting: noneWaiting() });
    const other = { ...process(1, worked(5, 1)), figures: undefined };
    const all = new AllProcesses().added(own, [other]);
    assert.deepEqual([all.jobsCompleted, all.perStage["text/running"]?.processors.idle], [1, 1]);
  });
});
