import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewWait } from "../../job/wait.ts";
import { ContextCalls } from "./calls.ts";

const PAID: NewWait = { type: "signal", name: "paid" };
const LIMIT: NewWait = { type: "sleep", name: "limit", timeoutMs: 5 };

function watched(): { calls: ContextCalls; outcome: { waits?: NewWait[] } } {
  const outcome: { waits?: NewWait[] } = {};
  const calls = new ContextCalls((waits) => {
    outcome.waits = waits;
  });
  return { calls, outcome };
}

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await nextTurn();
}

test("an attempt with nothing but waits is suspended for all of them", async () => {
  const { calls, outcome } = watched();
  void calls.wait(PAID);
  void calls.wait(LIMIT);
  await turns(3);
  assert.deepEqual(outcome.waits, [PAID, LIMIT]);
});

test("work beside a wait keeps the attempt going until it ends", async () => {
  const { calls, outcome } = watched();
  const { promise, resolve } = Promise.withResolvers<void>();
  void calls.track("ctx.step()", promise);
  void calls.wait(PAID);
  await turns(5);
  assert.equal(outcome.waits, undefined);
  resolve();
  await turns(3);
  assert.deepEqual(outcome.waits, [PAID]);
});

test("work that fails beside a wait ends as well", async () => {
  const { calls, outcome } = watched();
  calls.track("ctx.step()", Promise.reject(new Error("no"))).catch(() => {});
  void calls.wait(PAID);
  await turns(3);
  assert.deepEqual(outcome.waits, [PAID]);
});

test("a call that is made right after an answer comes before the suspension", async () => {
  const { calls, outcome } = watched();
  void calls.wait(PAID);
  const branch = (async () => {
    for (let n = 0; n < 20; n++) await calls.track("ctx.step()", Promise.resolve());
    await calls.track("ctx.step()", nextTurn());
    return "done";
  })();
  assert.equal(await branch, "done");
  assert.equal(outcome.waits, undefined, "the branch had calls to make all the time");
  await turns(3);
  assert.deepEqual(outcome.waits, [PAID]);
});

test("without an open wait nothing is ever suspended, and a dropped wait counts no more", async () => {
  const { calls, outcome } = watched();
  await calls.track("ctx.step()", Promise.resolve());
  await turns(3);
  assert.equal(outcome.waits, undefined);
  void calls.wait(PAID);
  calls.stopWaiting(["signal paid"]);
  await turns(3);
  assert.equal(outcome.waits, undefined);
});
