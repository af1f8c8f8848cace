import assert from "node:assert/strict";
import { test } from "node:test";
import { ProcessMetrics } from "./metrics.ts";
import { countsSoFar, type MinuteFigures, minuteBetween } from "./minutes.ts";
import { StoredPoints } from "./stored-points.ts";

const MINUTE = 60_000;
const at = (minute: number) => Date.parse("2026-11-15T10:00:00.000Z") + minute * MINUTE;

function metrics(): ProcessMetrics {
  return new ProcessMetrics({ monotonic: () => 0 });
}

function completed(into: ProcessMetrics, tenant: string, stage = "running"): void {
  into.settled({
    ...{ kind: "mail", stage, job: { tenant }, outcome: { type: "completed" }, waitMs: 5, runMs: 7 },
    settled: { written: "settled", standing: "completed" } as never,
  });
}

test("a minute holds what happened in it, and nothing where nothing happened", () => {
  const own = metrics();
  const before = countsSoFar(own);
  assert.equal(minuteBetween(before, countsSoFar(own)), undefined);
  own.submitted("acme", 3);
  completed(own, "acme");
  const first = countsSoFar(own);
  assert.deepEqual(minuteBetween(before, first)?.jobs, [3, 1, 0, 0, 0, 0]);
  completed(own, "zeta", "sending");
  const minute = minuteBetween(first, countsSoFar(own)) as MinuteFigures;
  assert.deepEqual(minute.tenants, { zeta: [0, 1, 0, 0] });
  assert.deepEqual(Object.keys(minute.stages), ["mail/sending"]);
  assert.deepEqual(minute.stages["mail/sending"]?.slice(0, 3), [1, 0, 0]);
  assert.ok((minute.stages["mail/sending"]?.[6] ?? 0) >= 7);
});

test("the fifty busiest tenants keep their names, and the rest adds up", () => {
  const own = metrics();
  for (let i = 0; i < 90; i++) own.submitted(`t${i}`, i + 1);
  const { tenants } = minuteBetween(undefined, countsSoFar(own)) as MinuteFigures;
  assert.equal(Object.keys(tenants).length, 51);
  assert.deepEqual(tenants["t89"], [90, 0, 0, 0]);
  assert.equal(tenants["t39"], undefined);
  const sum = Object.values(tenants).reduce((total, [submitted]) => total + submitted, 0);
  assert.equal(sum, (90 * 91) / 2);
});

test("minutes of several processes add up, and counters grow from point to point", () => {
  const minute = (count: number): MinuteFigures => ({
    jobs: [count, count, 0, 0, 0, 0],
    stages: { "mail/running": [count, 0, 0, 1, count * 10, 1, 2] },
    tenants: { acme: [count, count, 0, 0] },
  });
  const points = new StoredPoints(2 * MINUTE);
  points.add(at(1), { counts: minute(1) });
  points.add(at(1), { counts: minute(2) });
  points.add(at(1), { gauges: { jobs: [9, 1, 4], stages: { "mail/running": [9, 0, 1, 0] } } });
  points.add(at(2), { counts: minute(3) });
  points.add(at(3), { counts: minute(4) });
  const [first, second] = points.end();
  assert.equal(first?.at, new Date(at(2)).toISOString());
  assert.equal(second?.at, new Date(at(3)).toISOString(), "a stretch that has only begun ends with its last minute");
  assert.deepEqual([first?.completed, second?.completed], [6, 10]);
  assert.deepEqual([first?.pending, first?.dlq, first?.perStage["mail/running"]?.queueSize], [9, 4, 9]);
  assert.deepEqual([first?.perStage["mail/running"]?.waitP95, second?.perStage["mail/running"]?.waitP95], [30, 40]);
  assert.deepEqual(second?.perTenant["acme"], { submitted: 10, completed: 10, failed: 0, refused: 0 });
});

test("over a range with more tenants than a chart names, the rest adds up", () => {
  const points = new StoredPoints(MINUTE);
  for (let i = 0; i < 60; i++) {
    points.add(at(i), { counts: { jobs: [1, 0, 0, 0, 0, 0], stages: {}, tenants: { [`t${i}`]: [i + 1, 0, 0, 0] } } });
  }
  const last = points.end().at(-1);
  const names = Object.keys(last?.perTenant ?? {});
  assert.equal(names.length, 51);
  assert.ok(names.includes("t59") && !names.includes("t0"));
  assert.equal(last?.perTenant["other"]?.submitted, 55);
});
