// runtimes: bun or node
// What a program passes to the embedded engine is checked as what comes over HTTP is: refused by name, never ignored.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { defineKind, Millrace, type MillraceOptions, sqlite } from "../../packages/millrace/src/index.ts";

const echo = defineKind({ name: "echo", payload: z.unknown(), run: (_ctx, payload) => payload });
const site = defineKind({ name: "site", payload: z.unknown() })
  .stage("fetch", { run: () => 1 })
  .stage("judge", { run: () => 2 });

const open = (options: object) =>
  Millrace.open({ store: sqlite(":memory:"), kinds: [echo, site], ...options } as MillraceOptions);

describe("what is asked of an open engine", () => {
  let millrace: Millrace;
  before(async () => {
    millrace = await open({ work: false });
  });
  after(() => millrace.stop());

  /** Each is refused with a sentence that names what is wrong. */
  async function refused(calls: [what: string, call: () => unknown, message: RegExp][]): Promise<void> {
    for (const [what, call, message] of calls) {
      await assert.rejects(async () => await call(), { code: "invalid-request", message }, what);
    }
  }

  const filters: [object, RegExp][] = [
    [{ limit: -1 }, /^limit must be a whole number from 1 to 10000/],
    [{ limit: 0 }, /^limit/],
    [{ limit: 1.5 }, /^limit/],
    [{ limit: "5" }, /^limit/],
    [{ limit: Number.NaN }, /^limit/],
    [{ offset: -1 }, /^offset/],
    [{ offset: Number.POSITIVE_INFINITY }, /^offset/],
    [{ status: "runing" }, /Unknown status "runing"/],
    [{ status: 5 }, /^status must be a string/],
    [{ standings: ["redy"] }, /Unknown standing "redy"/],
    [{ standings: "ready" }, /^standings must be an array/],
    [{ kind: 5 }, /^kind must be a string/],
    [{ tenant: "" }, /^tenant must be a string/],
    [{ search: "\0" }, /^search must be a string/],
    [{ ids: "job_1" }, /^ids must be an array/],
    [{ sinceAt: "2026-11-15" }, /^sinceAt must be a whole number/],
    [{ untilAt: new Date() }, /^untilAt/],
    [{ inProgress: "yes" }, /^inProgress must be true or false/],
    [{ state: "failed" }, /Unknown option "state" for a job filter\. Did you mean "status"/],
    [[] as object, /options for a job filter must be an object/],
  ];

  test("filters: bad pages, unknown words, other types and unknown fields", async () => {
    for (const [filter, message] of filters) {
      await refused([
        [`list ${JSON.stringify(filter)}`, () => millrace.list(filter as never), message],
        [`count ${JSON.stringify(filter)}`, () => millrace.count(filter as never), message],
        [`matching ${JSON.stringify(filter)}`, () => millrace.admin.matching(filter as never, 10), message],
      ]);
    }
    await refused([
      ["matching", () => millrace.admin.matching({}, -1), /^limit/],
      ["dead letters", () => millrace.admin.deadLetters({}, { limit: -1, offset: 0 }), /^limit/],
      ["dead letters", () => millrace.admin.deadLetters({ status: "x" }, { limit: 1, offset: 0 }), /Unknown status/],
      ["groups", () => millrace.admin.deadLetterGroups({ tag: 5 } as never), /^tag/],
    ]);
  });

  test("filters that make sense are taken: every shown word, a stage's own, the largest page", async () => {
    const words = ["pending", "not-started", "running", "completed", "done", "failed", "cancelled"];
    for (const status of [...words, "scheduled", "retrying", "held", "fetch", "judge"]) {
      assert.deepEqual(await millrace.list({ status, limit: 10_000, offset: 3 }), []);
    }
    assert.equal(
      await millrace.count({ standings: ["ready", "suspect"], ids: ["job_00000000"], inProgress: false }),
      0,
    );
  });

  test("schedules: unknown words, seven fields of cron, other types and unknown fields", async () => {
    const rule = { name: "n", cron: "* * * * *", payload: 1 };
    const wrong: [object, RegExp][] = [
      [{ overlap: "queue" }, /^overlap must be "skip" or "allow"/],
      [{ missed: "all" }, /^missed must be "once" or "skip"/],
      [{ paused: "no" }, /^paused must be true or false/],
      [{ cron: "0 0 12 * * 1 2027" }, /five fields, or six/],
      [{ cron: "* * * *" }, /five fields, or six/],
      [{ cron: "@daily" }, /five fields, or six/],
      [{ cron: 5 }, /^cron must be a string/],
      [{ cron: new Date() }, /^cron must be a string/],
      [{ timeZone: 1 }, /^timeZone must be a string/],
      [{ timezone: "UTC" }, /Unknown option "timezone" for a schedule\. Did you mean "timeZone"/],
      [{ name: "" }, /name of a schedule/],
      [{ priority: "high" }, /^priority/],
      [{ tags: "a" }, /^tags must be an array/],
    ];
    for (const [change, message] of wrong) {
      await refused([[JSON.stringify(change), () => millrace.schedules.put(echo, { ...rule, ...change }), message]]);
    }
    await refused([
      ["preview", () => millrace.schedules.preview({ cron: "* * * * *" }, -1), /^count/],
      ["preview", () => millrace.schedules.preview({ cron: "0 0 12 * * 1 2027" }), /five fields, or six/],
      ["remove", () => millrace.schedules.remove(5 as never), /name of a schedule/],
    ]);
    assert.deepEqual(await millrace.schedules.list(), []);
  });

  test("submissions: a traceId that is no text, and unknown fields", async () => {
    await refused([
      ["number", () => millrace.submit(echo, 1, { traceId: 5 as never }), /^traceId must be/],
      ["object", () => millrace.submit(echo, 1, { traceId: {} as never }), /^traceId must be/],
      ["empty", () => millrace.submit(echo, 1, { traceId: "" }), /^traceId must be/],
      ["line break", () => millrace.submit(echo, 1, { traceId: "a\nb" }), /^traceId must be/],
      ["long", () => millrace.submit(echo, 1, { traceId: "x".repeat(129) }), /^traceId must be/],
      ["traceParent", () => millrace.submit(echo, 1, { traceParent: 5 as never }), /^traceParent/],
      [
        "unknown",
        () => millrace.submit(echo, 1, { delay: 5 } as never),
        /Unknown option "delay" for a submission\. Did you mean "delayMs"/,
      ],
      ["no list", () => millrace.submitMany(echo, "abc" as never), /payloads must be an array/],
    ]);
    assert.equal(await millrace.count(), 0);
  });

  test("single jobs: ids, waits, logs, cancel and revival", async () => {
    const { id } = await millrace.submit(echo, 1, { traceId: "a.b:c/d-e_1" });
    await refused([
      ["find", () => millrace.find(5 as never), /id must be a string/],
      ["attempts", () => millrace.attempts(null as never), /id must be a string/],
      ["steps", () => millrace.steps({} as never), /id must be a string/],
      ["artifact", () => millrace.artifact(id, 5 as never), /name of an artifact must be a string/],
      ["wait", () => millrace.wait(5 as never, { timeoutMs: 1 }), /id must be a string/],
      ["wait", () => millrace.wait(id, { timeoutMs: -1 }), /timeoutMs must be a number/],
      [
        "wait",
        () => millrace.wait(id, { timeout: 1 } as never),
        /Unknown option "timeout" for wait\. Did you mean "timeoutMs"/,
      ],
      ["logs", () => millrace.logs(id, { limit: -1 }), /^limit/],
      ["logs", () => millrace.logs(id, { afterId: -1 }), /^afterId/],
      [
        "logs",
        () => millrace.logs(id, { after: 1 } as never),
        /Unknown option "after" for logs\. Did you mean "afterId"/,
      ],
      ["cancel", () => millrace.cancel(5 as never), /id must be a string/],
      ["cancel", () => millrace.cancel(id, 5 as never), /^reason must be a string/],
      ["cancelMany", () => millrace.cancelMany(id as never), /ids must be an array/],
      ["forgetMany", () => millrace.forgetMany([5] as never), /ids must be an array/],
      ["release", () => millrace.release(5 as never), /id must be a string/],
      ["revive", () => millrace.revive(id, { from: "here" as never }), /^from must be "failed-stage" or "start"/],
      ["revive", () => millrace.revive(id, { delayMs: -1 }), /^delayMs/],
      ["revive", () => millrace.revive(id, { fresh: true } as never), /Unknown option "fresh" for revive/],
      ["pause", () => millrace.pause(5 as never), /name of a kind must be a string/],
      ["stop", () => millrace.stop({ graceMs: -1 }), /^graceMs/],
      ["stop", () => millrace.stop({ grace: 1 } as never), /Unknown option "grace" for stop\. Did you mean "graceMs"/],
    ]);
    assert.equal((await millrace.find(id))?.state, "pending");
  });
});

describe("what an engine is opened with", () => {
  const wrong: [object, RegExp][] = [
    [
      { pools: { "echo/runing": { size: 3 } } },
      /Unknown stage "echo\/runing" in pools\. Known stages: echo\/running, site\/fetch, site\/judge/,
    ],
    [{ pools: { site: { size: 3 } } }, /Unknown stage "site" in pools/],
    [{ pools: { "other/running": { size: 3 } } }, /Unknown stage "other\/running" in pools/],
    [{ pools: { "echo/running": { size: 0 } } }, /size of pool "echo\/running" must be a whole number from 1/],
    [{ pools: { "echo/running": { timeoutMs: "1" } } }, /timeoutMs of pool "echo\/running"/],
    [{ pools: { "echo/running": { pace: { count: 0, perMs: 5 } } } }, /pace of pool "echo\/running"/],
    [{ pools: { "echo/running": { processors: 5 } } }, /Unknown option "processors" for pool "echo\/running"/],
    [{ pools: [] }, /pools must be an object/],
    [{ kinds: [], pools: { "echo/running": { size: 3 } } }, /Known stages: none/],
    [{ kinds: echo }, /kinds must be an array/],
    [{ kinds: [{ name: "x" }] }, /kinds must be an array/],
    [{ store: "./jobs.db" }, /store must be a store/],
    [{ work: "no" }, /work must be true or false/],
    [{ timers: 1 }, /timers must be true or false/],
    [{ onFatal: "exit" }, /onFatal must be a function/],
    [{ limiters: { openai: { count: 0, perMs: 5 } } }, /limiter "openai"/],
    [{ limiters: { openai: null } }, /limiter "openai"/],
    [{ queueMx: 5 }, /Unknown option "queueMx" for Millrace\.open\(\)\. Did you mean "queueMax"/],
    [{ leaseMs: 5 }, /leaseMs must be a whole number from 100/],
  ];

  for (const [options, message] of wrong) {
    test(`${JSON.stringify(options).slice(0, 70)} is refused`, async () => {
      await assert.rejects(open(options), (error: Error & { code: string }) => {
        assert.match(error.code, /^(options|kind)-invalid$/);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  test("pools that name stages are taken, and everything wrong is said at once", async () => {
    const millrace = await open({
      pools: { "echo/running": { size: 3 }, "site/judge": { pace: { count: 1, perMs: 5 } } },
    });
    assert.equal(millrace.pools().find(({ pool }) => pool === "echo/running")?.size, 3);
    await millrace.stop();
    await assert.rejects(open({ leaseMs: 1, pools: { a: {} }, work: 5 }), /leaseMs .*\. Unknown stage "a".*\. work/);
  });
});
