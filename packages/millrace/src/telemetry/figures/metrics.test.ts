import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { z } from "zod";
import { Metrics as MetricsShape } from "../../api/metrics.ts";
import { JobFailure } from "../../job/failure.ts";
import { defineKind } from "../../job/kind/define-kind.ts";
import { ManualClock } from "../../lib/clock.ts";
import { Testkit, type TestkitOptions } from "../../testing.ts";
import { ProcessMetrics } from "./metrics.ts";
import type { MetricsView } from "./metrics-view.ts";

describe("the figures of an engine", () => {
  test("have the shape that the API promises, also before anything happened", async (t) => {
    const kit = await open(t);
    const view = MetricsShape.parse(await kit.millrace.metrics());
    assert.equal(view.perStage["mail/running"]?.successRate, null);
    // The wire shape and ours are the same type, both ways.
    const wire: z.infer<typeof MetricsShape> = await kit.millrace.metrics();
    const ours: MetricsView = wire;
    assert.equal(ours.jobsSubmitted, 0);
  });

  test("tell what became of jobs, attempts and tenants", async (t) => {
    const kit = await open(t);
    await kit.run(mail, { to: "fine" }, { tenant: "acme" });
    await assert.rejects(kit.run(mail, { to: "once" }, { tenant: "acme" }));
    await assert.rejects(kit.run(mail, { to: "wrong" }));
    const waiting = await kit.millrace.submit(mail, { to: "fine" }, { delayMs: 60_000 });
    await waiting.cancel();
    assert.deepEqual(await kit.millrace.cancelMany([waiting.id]), [], "no job is counted as cancelled twice");
    const view = await kit.millrace.metrics();
    assert.partialDeepStrictEqual(view, {
      jobsSubmitted: 4,
      jobsCompleted: 1,
      jobsFailed: 2,
      jobsCancelled: 1,
      attemptsFailed: 3,
      done: 1,
      failed: 2,
      dlq: 1,
      pending: 0,
      perTenant: {
        acme: { submitted: 2, completed: 1, failed: 1, refused: 0 },
        default: { submitted: 2, completed: 0, failed: 1, refused: 0 },
      },
    });
    assert.partialDeepStrictEqual(view.perStage["mail/running"], {
      queueSize: 0,
      processors: { idle: 10, busy: 0, error: 0 },
      successRate: 0.25,
      retries: 1,
      completed: 1,
      failed: 2,
    });
  });

  test("count a submission that was refused by its tenant and code", async (t) => {
    const kit = await open(t, { queueMax: 1, work: false });
    await kit.millrace.submit(mail, { to: "fine" });
    await assert.rejects(kit.millrace.submit(mail, { to: "fine" }, { tenant: "acme" }), { code: "backpressure" });
    const view = await kit.millrace.metrics();
    assert.partialDeepStrictEqual(view, { jobsSubmitted: 1, submissionsRefused: 1, pending: 1 });
    assert.equal(view.perTenant["acme"]?.refused, 1);
    assert.equal(view.perStage["mail/running"]?.queueSize, 1);
    assert.deepEqual(view.unserved, ["mail/running"]);
  });

  test("tell how long jobs waited, of the last minutes alone", async (t) => {
    const kit = await open(t);
    await kit.millrace.pause("mail");
    await kit.millrace.submit(mail, { to: "fine" });
    kit.clock.advance(2_000);
    await kit.millrace.resume("mail");
    await kit.runUntilIdle();
    const waited = async () => (await kit.millrace.metrics()).perStage["mail/running"]?.waitMs.p50 ?? -1;
    assert.ok(Math.abs((await waited()) - 2_000) < 200);
    for (let i = 0; i < 2; i++) await kit.advance(300_001);
    assert.equal(await waited(), 0);
  });

  test("count a revived job and one that a schedule submitted", async (t) => {
    const kit = await open(t);
    const handle = await kit.millrace.submit(mail, { to: "once" });
    await assert.rejects(kit.finish(handle));
    await kit.millrace.revive(handle.id);
    await kit.millrace.schedules.put(mail, { name: "s", cron: "* * * * *", payload: { to: "fine" }, tenant: "acme" });
    await kit.advance(60_000);
    const view = await kit.millrace.metrics();
    assert.equal(view.jobsSubmitted, 3);
    assert.equal(view.perTenant["acme"]?.submitted, 1);
  });
});

test("leases that expired are counted, those that made a dead letter as failed", () => {
  const metrics = new ProcessMetrics(new ManualClock());
  metrics.expired(3, 1);
  assert.deepEqual([metrics.leasesExpired, metrics.jobsFailed], [3, 1]);
});

test("an attempt whose lease was lost is no success and no failure", () => {
  const metrics = new ProcessMetrics(new ManualClock());
  metrics.settled({
    kind: "mail",
    stage: "running",
    job: { tenant: "acme" },
    outcome: { type: "completed" },
    settled: { written: "lease-lost" },
    waitMs: 1,
    runMs: 1,
  });
  metrics.lost("mail", "running");
  const stage = metrics.stage("mail", "running");
  assert.deepEqual([stage.attempts["lost"], stage.attempts["completed"], stage.successRate], [2, 0, null]);
  assert.equal(metrics.jobsCompleted, 0);
});

test("a blocked event loop shows in its delay", async () => {
  const metrics = new ProcessMetrics({ monotonic: () => performance.now() });
  metrics.start();
  const ticked = () => metrics.loopDelay.cumulative().count > 0;
  const until = performance.now() + 250;
  while (performance.now() < until);
  while (!ticked()) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.ok(metrics.loopDelay.percentiles().p99 >= 50, JSON.stringify(metrics.loopDelay.percentiles()));
  metrics.stop();
});

const mail = defineKind({
  name: "mail",
  payload: z.object({ to: z.string() }),
  maxAttempts: 2,
  run: async (_ctx, { to }) => {
    if (to === "wrong") throw new JobFailure("Wrong address.", { input: true });
    if (to !== "fine") throw new Error("No answer.");
    return "sent";
  },
});

async function open(t: TestContext, options: Partial<TestkitOptions> = {}): Promise<Testkit> {
  const kit = await Testkit.open({ kinds: [mail], ...options });
  t.after(() => kit.stop());
  return kit;
}
