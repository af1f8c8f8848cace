import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { OFF_LOOP_TIMEOUT, OffLoop } from "../../packages/sites/src/off-loop/off-loop.ts";
import type { VERBS } from "../support/spin-thread.ts";

const offLoop = (limitMs: number) =>
  new OffLoop<typeof VERBS>(() => new URL("../support/spin-thread.ts", import.meta.url), { limitMs, memoryMb: 64 });

describe("functions off the main loop", () => {
  test("one that never returns ends at its limit, the loop turns meanwhile, and the next call is answered", async () => {
    const thread = offLoop(1_000);
    let turns = 0;
    let isOver = false;
    const spinning = assert.rejects(thread.call("spin", []), { code: OFF_LOOP_TIMEOUT }).finally(() => {
      isOver = true;
    });
    const queued = thread.call("double", [21]);
    for (; !isOver; turns++) await nextTurn();
    await spinning;
    assert.ok(turns > 100, `the loop turned ${turns} times`);
    assert.equal(await queued, 42);
  });

  test("an aborted call ends at once, running or waiting, and those behind it go on", async () => {
    const thread = offLoop(60_000);
    const [running, waiting] = [new AbortController(), new AbortController()];
    const calls = [
      assert.rejects(thread.call("spin", [], running.signal), /gone/),
      assert.rejects(thread.call("double", [1], waiting.signal), /gone/),
      thread.call("double", [2]),
    ];
    waiting.abort(new Error("gone"));
    running.abort(new Error("gone"));
    assert.deepEqual((await Promise.all(calls)).at(-1), 4);
    await assert.rejects(thread.call("double", [1], AbortSignal.abort(new Error("gone"))), /gone/);
  });

  test("what a function throws comes back, and a thread that dies is replaced", async () => {
    const thread = offLoop(60_000);
    await assert.rejects(thread.call("fail", []), /It broke\./);
    await assert.rejects(thread.call("exit", []), /thread ended/);
    // Functions cannot cross to a thread.
    await assert.rejects(thread.call("double", [(() => 1) as unknown as number]));
    assert.equal(await thread.call("double", [3]), 6);
  });
});
