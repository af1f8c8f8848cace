import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind } from "../index.ts";
import type { SimulationPlan } from "./plan.ts";
import { simulate } from "./simulate.ts";

const SEND = { mail: { stages: { send: { processors: 1, runMs: 1_000 } } } };

/** Jobs that come evenly need no luck: every figure follows by hand. */
function plan(more: Partial<SimulationPlan> = {}): SimulationPlan {
  return {
    duration: { seconds: 10 },
    kinds: SEND,
    load: [{ kind: "mail", perSecond: 0.5, arrivals: "steady" }],
    ...more,
  };
}

describe("a simulation", () => {
  test("runs each job for its time, on the processors of its stage", async () => {
    const { stages, tenants, ...report } = await simulate(plan());
    // Jobs come after 2, 4, 6 and 8 s, and run for a second each.
    assert.deepEqual(report, {
      durationMs: 10_000,
      submitted: 4,
      refused: {},
      completed: 4,
      failed: 0,
      unfinished: 0,
      advice: [],
    });
    const waitMs = { mean: 0, p50: 0, p95: 0, p99: 0, max: 0 };
    const counts = { attempts: 4, failures: 0, longestQueue: 1, queueAtEnd: 0 };
    assert.deepEqual(stages, [
      { kind: "mail", stage: "send", processors: 1, busy: 0.4, perSecond: 0.4, waitMs, ...counts },
    ]);
    assert.deepEqual(tenants, [{ tenant: "default", submitted: 4, completed: 4, waitMs }]);
  });

  test("lets jobs wait for a processor, and says so when a stage does not keep up", async () => {
    const { stages, unfinished, advice } = await simulate(plan({ load: [{ kind: "mail", jobs: 20 }] }));
    const [send] = stages;
    assert.equal(send?.busy, 1);
    assert.deepEqual([send?.attempts, send?.queueAtEnd, unfinished], [9, 10, 11], "the tenth runs at the end");
    assert.deepEqual([send?.waitMs.p50, send?.waitMs.max], [4_000, 9_000]);
    assert.match(advice.join(), /mail\/send does not keep up: 10 jobs waited at the end.* Use \d+ processors\./);
  });

  test("repeats itself with the same seed, and differs with another", async () => {
    const random = plan({
      duration: { minutes: 2 },
      kinds: { mail: { stages: { send: { processors: 2, runMs: { median: 300, p95: 900 }, failureRate: 0.1 } } } },
      load: [{ kind: "mail", perSecond: 3, tenants: 3 }],
    });
    const [first, again, other] = [
      await simulate(random),
      await simulate(random),
      await simulate({ ...random, seed: 2 }),
    ];
    assert.deepEqual(first, again);
    assert.notDeepEqual(first, other);
  });

  test("retries as the engine does, until a job is a dead letter", async () => {
    const stages = { send: { runMs: 10, failureRate: 1, maxAttempts: 3, retryBaseMs: 100 } };
    const report = await simulate(plan({ kinds: { mail: { stages } }, load: [{ kind: "mail", jobs: 5 }] }));
    assert.deepEqual([report.failed, report.completed, report.stages[0]?.failures], [5, 0, 15]);
  });

  test("fails attempts that take longer than their time limit", async () => {
    const stages = { send: { runMs: 500, timeoutMs: 200, maxAttempts: 1 } };
    const report = await simulate(plan({ kinds: { mail: { stages } }, load: [{ kind: "mail", jobs: 1 }] }));
    assert.equal(report.failed, 1);
    assert.equal(report.stages[0]?.busy, 200 / (10 * 10_000));
  });

  test("moves jobs through their stages, and keeps the pace of a stage", async () => {
    const stages = { fetch: { runMs: 100 }, store: { runMs: 100, pace: { count: 1, perMs: 2_000 } } };
    const report = await simulate(plan({ kinds: { mail: { stages } }, load: [{ kind: "mail", jobs: 10 }] }));
    const [fetch, store] = report.stages;
    // They start after 0.1, 2.1, 4.1, 6.1 and 8.1 s.
    assert.deepEqual([fetch?.attempts, store?.attempts, report.completed], [10, 5, 5]);
  });

  test("gives tenants turns, within their limits", async () => {
    const load = [
      { kind: "mail", tenant: "loud", jobs: 100 },
      { kind: "mail", tenant: "quiet", jobs: 2 },
    ];
    const kinds = { mail: { stages: { send: { processors: 4, runMs: 1_000 } } } };
    const byTenant = async (more: Partial<SimulationPlan>) => {
      const { tenants } = await simulate(plan({ kinds, load, ...more }));
      return tenants.map(({ completed, waitMs }) => [completed, waitMs.max]);
    };
    // Each round of four has one turn for each tenant first.
    assert.deepEqual(await byTenant({}), [
      [34, 9_000],
      [2, 0],
    ]);
    assert.deepEqual(await byTenant({ tenants: { loud: { concurrency: 1, overflow: "queue" } } }), [
      [9, 9_000],
      [2, 0],
    ]);
  });

  test("counts refused submissions by their code", async () => {
    const report = await simulate(plan({ load: [{ kind: "mail", jobs: 20 }], limits: { queueMax: 5 } }));
    assert.deepEqual([report.submitted, report.refused], [5, { backpressure: 15 }]);
    assert.match(report.advice.join(), /15 submissions were refused with backpressure/);
  });

  test("keeps limits by key and limits that kinds share", async () => {
    const runMs = 1_000;
    const kinds = (concurrency: object) => ({ mail: { stages: { send: { runMs } }, concurrency } });
    const one = await simulate(plan({ kinds: kinds({ perKey: 1 }), load: [{ kind: "mail", jobs: 40, keys: 1 }] }));
    assert.equal(one.stages[0]?.attempts, 9);
    assert.match(one.advice.join(), /because limits keep its processors idle/);
    const shared = { kinds: kinds({ limits: ["gpu"] }), sharedLimits: { gpu: { total: 3 } } };
    const three = await simulate(plan({ ...shared, load: [{ kind: "mail", jobs: 100 }] }));
    assert.equal(three.stages[0]?.attempts, 27);
  });

  test("takes from the code of a kind what the plan leaves out", async () => {
    const mail = defineKind({ name: "mail", payload: z.null() }).stage("send", {
      processors: 2,
      maxAttempts: 1,
      timeoutMs: 50,
      run: () => null,
    });
    const stages = { send: { runMs: 100 } };
    const report = await simulate(plan({ kinds: { mail: { stages } } }), { kinds: [mail] });
    assert.deepEqual([report.stages[0]?.processors, report.failed], [2, 4]);
    const other = plan({ kinds: { mail: { stages: { post: { runMs: 100 } } } } });
    await assert.rejects(simulate(other, { kinds: [mail] }), {
      code: "simulation-invalid",
      message: 'The stages of "mail" are send in the code, but post in the plan.',
    });
  });

  test("refuses a plan that it cannot play, with the name of the field", async () => {
    const refused: [unknown, RegExp][] = [
      [{}, /The plan is invalid at "duration"/],
      [plan({ load: [{ kind: "post", jobs: 1 }] }), /names the kind "post", which kinds does not have/],
      [plan({ load: [{ kind: "mail" }] }), /at "load\.0": A load has perSecond or jobs/],
      [plan({ kinds: { mail: { stages: { send: { runMs: { median: 3, p95: 1 } } } } } }), /runMs/],
      [plan({ kinds: { mail: { ...SEND.mail, concurrency: { ordered: true } } } }), /needs keys/],
      [plan({ kinds: { mail: { ...SEND.mail, concurrency: { limits: ["gpu"] } } } }), /"gpu", which sharedLimits/],
      [plan({ tenants: { loud: { weight: -1 } } }), /weight/],
    ];
    for (const [wrong, message] of refused) await assert.rejects(simulate(wrong as SimulationPlan), { message });
  });

  test("ends when its signal says so", async () => {
    const signal = AbortSignal.abort(new Error("Enough."));
    await assert.rejects(simulate(plan(), { signal }), { message: "Enough." });
  });
});
