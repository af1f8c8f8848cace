// runtimes: bun or node
// Replace, extend, debounce and throttle through the engine: kinds, handles, schedules, explanations and changes by hand.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { type AppError, defineKind } from "../../packages/millrace/src/index.ts";
import { Testkit } from "../../packages/millrace/src/testing.ts";

const payload = z.object({ page: z.string(), n: z.number() });
const pageOf = ({ page }: { page: string }) => page;
const run = (_ctx: unknown, { n }: { n: number }) => n;

const publish = defineKind({ name: "publish", payload, uniqueKey: pageOf, ifUnique: "replace", run });
const remind = defineKind({ name: "remind", payload, uniqueKey: pageOf, ifUnique: "extend", run });
const approve = defineKind({
  name: "approve",
  payload,
  uniqueKey: pageOf,
  ifUnique: "replace",
  run: async (ctx, { n }) => {
    if (n === 1) await ctx.hold("look");
    return n;
  },
});
const reindex = defineKind({
  name: "reindex",
  payload,
  debounce: { key: pageOf, waitMs: 100, maxWaitMs: 250 },
  run,
});
const warn = defineKind({
  name: "warn",
  payload,
  throttle: { key: ({ page }) => (page === "" ? undefined : page), perMs: 1_000 },
  run,
});

describe("a submission of a key that is taken", () => {
  test("is the key that the submission names, before the one that the kind computes", async (t) => {
    const plain = defineKind({ name: "plain", payload, run });
    const kit = await Testkit.open({ kinds: [publish, plain] });
    t.after(() => kit.stop());
    const { millrace } = kit;
    const first = await millrace.submit(publish, { page: "a", n: 1 });
    const own = await millrace.submit(publish, { page: "a", n: 2 }, { uniqueKey: "b", delayMs: 50 });
    const again = await millrace.submit(publish, { page: "b", n: 3 });
    assert.deepEqual([first.accepted, own.accepted, again.accepted], ["new", "new", "replaced"]);
    assert.equal(again.id, own.id);
    // A kind without a rule of its own refuses.
    const { id } = await millrace.submit(plain, { page: "a", n: 1 }, { uniqueKey: "k", delayMs: 50 });
    await assert.rejects(millrace.submit(plain, { page: "b", n: 2 }, { uniqueKey: "k" }), {
      code: "already-queued",
      details: { jobId: id },
    });
    await millrace.signal(plain, { uniqueKey: "k" }, "hello");
    await millrace.cancel(id);
    assert.equal((await millrace.submit(plain, { page: "b", n: 2 }, { uniqueKey: "k" })).accepted, "new");
  });

  test("replaces or extends the job that waits, and its handle says so", async (t) => {
    const kit = await Testkit.open({ kinds: [publish, remind] });
    t.after(() => kit.stop());
    const { millrace } = kit;
    const handles = await millrace.submitMany(publish, [
      { page: "a", n: 1 },
      { page: "b", n: 2 },
      { page: "a", n: 3 },
    ]);
    assert.deepEqual(
      handles.map(({ accepted }) => accepted),
      ["new", "new", "replaced"],
    );
    assert.equal(handles[0]?.id, handles[2]?.id);
    const first = await millrace.submit(remind, { page: "a", n: 1 }, { delayMs: 50 });
    const second = await millrace.submit(remind, { page: "a", n: 2 }, { delayMs: 100 });
    assert.deepEqual([second.id, second.accepted, second.replayed], [first.id, "extended", false]);
    await kit.runUntilIdle();
    assert.equal(await handles[0]?.wait(), 3);
    await kit.advance(100);
    assert.equal(await first.wait(), 1);
  });

  test("repeats the first answer for a repeated idempotency key", async (t) => {
    const kit = await Testkit.open({ kinds: [publish], work: false });
    t.after(() => kit.stop());
    await kit.millrace.submit(publish, { page: "a", n: 1 });
    const submit = () => kit.millrace.submit(publish, { page: "a", n: 2 }, { idempotencyKey: "k" });
    const [first, again] = [await submit(), await submit()];
    assert.deepEqual([first.accepted, first.replayed], ["replaced", false]);
    assert.deepEqual([again.id, again.accepted, again.replayed], [first.id, "replaced", true]);
  });

  test("follows a held job, which explain names, and starts when that is cancelled", async (t) => {
    const kit = await Testkit.open({ kinds: [approve] });
    t.after(() => kit.stop());
    const leader = await kit.millrace.submit(approve, { page: "a", n: 1 });
    await kit.runUntilIdle();
    const follower = await kit.millrace.submit(approve, { page: "a", n: 2 });
    assert.equal(follower.accepted, "follows");
    const view = await follower.view();
    assert.deepEqual([view?.state, view?.waitsFor?.map(({ type }) => type)], ["pending", ["leader"]]);
    assert.equal(await kit.millrace.count({ waitsFor: "leader" }), 1);
    const { reasons } = (await kit.millrace.explain(follower.id)) ?? { reasons: [] };
    assert.match(reasons[0]?.message ?? "", /waiting since .* for the end of the live job with the same unique key/);
    await leader.cancel();
    await kit.runUntilIdle();
    assert.equal(await follower.wait(), 2);
  });

  test("cannot be revived while its follower lives", async (t) => {
    const kit = await Testkit.open({ kinds: [publish], work: false });
    t.after(() => kit.stop());
    const leader = await kit.millrace.submit(publish, { page: "a", n: 1 });
    await leader.cancel();
    await kit.millrace.submit(publish, { page: "a", n: 2 });
    await assert.rejects(kit.millrace.revive(leader.id), (error: AppError) => error.code === "already-queued");
  });
});

describe("a debounced kind", () => {
  test("runs the last submission when no other has come, or its longest time is over", async (t) => {
    const kit = await Testkit.open({ kinds: [reindex] });
    t.after(() => kit.stop());
    const submit = (n: number) => kit.millrace.submit(reindex, { page: "a", n });
    const first = await submit(1);
    for (const n of [2, 3]) {
      await kit.advance(90);
      assert.equal((await submit(n)).id, first.id);
    }
    await kit.advance(69);
    assert.equal((await first.view())?.state, "pending");
    await kit.advance(1);
    assert.equal(await first.wait(), 3);
    assert.equal((await submit(4)).accepted, "new");
  });

  test("takes no time of its own, and none is needed of a schedule", async (t) => {
    const kit = await Testkit.open({ kinds: [reindex] });
    t.after(() => kit.stop());
    for (const options of [{ delayMs: 5 }, { runAt: new Date() }]) {
      await assert.rejects(
        kit.millrace.submit(reindex, { page: "a", n: 1 }, options),
        (error: AppError) => error.code === "invalid-request" && /is debounced/.test(error.message),
      );
    }
    await kit.millrace.schedules.put(reindex, { name: "each", cron: "* * * * * *", payload: { page: "a", n: 9 } });
    const [schedule] = await kit.millrace.schedules.list();
    assert.ok(schedule !== undefined && !("keyRule" in schedule));
    const manual = await kit.millrace.submit(reindex, { page: "a", n: 1 });
    await kit.advance(1_000);
    await kit.advance(250);
    assert.equal(await manual.wait(), 1, "it ran before the schedule fired");
    assert.equal(await kit.millrace.count({ kind: "reindex", status: "completed" }), 2);
  });
});

describe("a throttled kind", () => {
  test("runs the first submission, whose id the others get until its time is over", async (t) => {
    const kit = await Testkit.open({ kinds: [warn] });
    t.after(() => kit.stop());
    const submit = (page: string, n: number) => kit.millrace.submit(warn, { page, n });
    const first = await submit("a", 1);
    await kit.runUntilIdle();
    assert.equal(await first.wait(), 1);
    const joined = await submit("a", 2);
    assert.deepEqual([joined.id, joined.accepted, await joined.wait()], [first.id, "joined", 1]);
    assert.equal((await submit("", 3)).accepted, "new", "without a key it runs in any case");
    assert.equal((await submit("", 4)).accepted, "new");
    await kit.advance(1_000);
    assert.equal((await submit("a", 5)).accepted, "new");
  });
});

describe("the rules of a kind", () => {
  const cases: [object, RegExp][] = [
    [{ uniqueKey: pageOf, debounce: { key: pageOf, waitMs: 1 } }, /Pass uniqueKey or debounce, not both/],
    [
      { debounce: { key: pageOf, waitMs: 1 }, throttle: { key: pageOf, perMs: 1 } },
      /Pass debounce or throttle, not both/,
    ],
    [{ ifUnique: "replace" }, /ifUnique needs a uniqueKey/],
    [{ uniqueKey: pageOf, ifUnique: "last" }, /ifUnique must be "refuse", "join", "replace", "extend" or "follow"/],
    [{ debounce: { waitMs: 1 } }, /debounce\.key must be a function/],
    [{ debounce: { key: pageOf } }, /debounce\.waitMs must be a whole number above 0/],
    [{ debounce: { key: pageOf, waitMs: 5, maxWaitMs: 4 } }, /maxWaitMs must not be less than debounce\.waitMs/],
    [{ throttle: { key: pageOf } }, /throttle\.perMs must be/],
    [{ throttle: { key: pageOf, perMs: 0 } }, /throttle\.perMs must be a whole number from 1/],
    [{ debounce: { key: pageOf, waitMs: 1, wait: 2 } }, /wait/],
  ];
  for (const [options, says] of cases) {
    test(`refuse ${JSON.stringify(options)}`, () => {
      assert.throws(
        () => defineKind({ name: "wrong", payload, run, ...options } as never),
        (error: AppError) => error.code === "kind-invalid" && says.test(error.message),
      );
    });
  }
});

describe("millrace.update", () => {
  test("changes a pending job, whose kind checks the payload", async (t) => {
    const kit = await Testkit.open({ kinds: [publish, reindex] });
    t.after(() => kit.stop());
    const { millrace } = kit;
    const job = await millrace.submit(publish, { page: "a", n: 1 }, { delayMs: 60_000, tags: ["x"] });
    const view = await millrace.update(job.id, { payload: { page: "a", n: 7 }, priority: -2, tags: ["y"] });
    assert.deepEqual([view.payload, view.priority, view.tags], [{ page: "a", n: 7 }, -2, ["y"]]);
    await assert.rejects(
      millrace.update(job.id, { payload: { page: "a" } }),
      (error: AppError) => error.code === "invalid-request",
    );
    await assert.rejects(
      millrace.update(job.id, { payload: { page: "b", n: 1 } }),
      (error: AppError) => error.code === "key-changed",
    );
    await assert.rejects(millrace.update(job.id, {}), (error: AppError) => /Nothing to change/.test(error.message));
    await assert.rejects(millrace.update(job.id, { other: 1 } as never), (error: AppError) =>
      /Unknown option "other"/.test(error.message),
    );
    await assert.rejects(
      millrace.update("job_00000000", { priority: 1 }),
      (error: AppError) => error.code === "job-not-found",
    );
    await millrace.update(job.id, { runAt: new Date(kit.clock.now()) });
    await kit.runUntilIdle();
    assert.equal(await job.wait(), 7);
    await assert.rejects(millrace.update(job.id, { priority: 1 }), (error: AppError) => error.code === "conflict");
    const debounced = await millrace.submit(reindex, { page: "a", n: 1 });
    await millrace.update(debounced.id, { payload: { page: "a", n: 2 } });
    await assert.rejects(
      millrace.update(debounced.id, { payload: { page: "b", n: 2 } }),
      (error: AppError) => error.code === "key-changed",
    );
  });
});
