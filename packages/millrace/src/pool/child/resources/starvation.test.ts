import assert from "node:assert/strict";
import { test } from "node:test";
import { Starvation } from "./starvation.ts";

/** Looks half a second apart: how much of each the process ran, and was ready and did not run. */
function judged(looks: { ran: number; starved: number }[]): boolean[] {
  let at = 0;
  const time = { ranMs: 0, starvedMs: 0 };
  const starvation = new Starvation(
    () => ({ ...time }),
    () => at,
  );
  assert.equal(starvation.isStarved, false);
  return looks.map(({ ran, starved }) => {
    at += 500;
    time.ranMs += 500 * ran;
    time.starvedMs += 500 * starved;
    return starvation.isStarved;
  });
}

const BUSY = { ran: 0.9, starved: 0.05 };
const SHORT_OF_TIME = { ran: 0.5, starved: 0.4 };
const HARDLY_BUSY = { ran: 0.05, starved: 0.3 };
const IDLE = { ran: 0.02, starved: 0.01 };

test("a process that runs when it wants to is not starved, however much it does", () => {
  assert.deepEqual(judged([BUSY, BUSY, IDLE]), [false, false, false]);
});

test("nor is one that has little to do, on a machine that is busy with other things", () => {
  assert.deepEqual(judged([HARDLY_BUSY, HARDLY_BUSY]), [false, false]);
});

test("one that waits for processors is, and stays so while it has much to do: the others have given way", () => {
  assert.deepEqual(judged([SHORT_OF_TIME, BUSY, BUSY, BUSY, BUSY]), [true, true, true, true, true]);
});

test("once it has had little to do for two seconds it is not", () => {
  assert.deepEqual(judged([SHORT_OF_TIME, IDLE, IDLE, IDLE, IDLE]), [true, true, true, true, false]);
});

test("where the system tells nothing, nobody gives way", () => {
  assert.equal(new Starvation(() => undefined).isStarved, false);
});
