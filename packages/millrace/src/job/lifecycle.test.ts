import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { afterAttempt, afterDeadlineUnstarted, type Outcome, type Standpoint } from "./lifecycle.ts";

const plan = { name: "s", maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 60_000 }, last: true };
const moment = { now: 1_000_000, random: () => 0.5 };
const fresh = { failures: 0, failuresTotal: 0, crashes: 0 };
const failed = (more = {}): Outcome => ({
  type: "failed",
  failure: { code: "c", message: "m", permanent: false, ...more },
});
const crashed: Outcome = { type: "crashed", failure: { code: "crashed", message: "m", permanent: false } };

describe("what comes after an attempt", () => {
  test("completed in the last stage is completed; before it, the next stage may run now with nothing behind it", () => {
    const job = { failures: 2, failuresTotal: 4, crashes: 1 };
    const result = "1";
    const done = afterAttempt(job, { type: "completed", result }, plan, moment);
    assert.deepEqual(done, { ...job, outcome: "completed", standing: "completed", result });
    const next = afterAttempt(job, { type: "completed", result }, { ...plan, last: false }, moment);
    const counts = { failures: 0, failuresTotal: 4, crashes: 0 };
    assert.deepEqual(next, {
      ...counts,
      outcome: "completed",
      standing: "ready",
      runAt: moment.now,
      result,
      advance: true,
    });
  });

  test("a failure is retried with growing pauses until the attempts are used up", () => {
    const first = afterAttempt(fresh, failed(), plan, moment);
    assert.deepEqual([first.standing, first.runAt, first.failures], ["scheduled", moment.now + 500, 1]);
    const second = afterAttempt(first, failed(), plan, moment);
    assert.deepEqual([second.standing, second.runAt, second.failures], ["scheduled", moment.now + 1_000, 2]);
    const third = afterAttempt(second, failed(), plan, moment);
    assert.deepEqual([third.standing, third.runAt, third.failures], ["failed", undefined, 3]);
  });

  test("the job's own bound goes before the plan's, upwards and downwards", () => {
    assert.equal(afterAttempt({ ...fresh, maxAttempts: 1 }, failed(), plan, moment).standing, "failed");
    assert.equal(afterAttempt({ ...fresh, failures: 3, maxAttempts: 9 }, failed(), plan, moment).standing, "scheduled");
  });

  test("permanent means no retry; a fault of the input is no dead letter", () => {
    assert.equal(afterAttempt(fresh, failed({ permanent: true }), plan, moment).standing, "failed");
    assert.equal(afterAttempt(fresh, failed({ permanent: true, input: true }), plan, moment).standing, "rejected");
  });

  test("deferred, held and handed back burn nothing", () => {
    const job = { failures: 1, failuresTotal: 2, crashes: 0 };
    for (const outcome of [
      { type: "deferred", delayMs: 7 },
      { type: "held", reason: "r" },
      { type: "released" },
    ] as const) {
      const { failures, failuresTotal, crashes } = afterAttempt(job, outcome, plan, moment);
      assert.deepEqual({ failures, failuresTotal, crashes }, job);
    }
    assert.equal(afterAttempt(job, { type: "deferred", delayMs: 700 }, plan, moment).runAt, moment.now + 700);
    const runAt = moment.now + 900;
    assert.equal(afterAttempt(job, { type: "deferred", runAt }, plan, moment).runAt, runAt);
    const released = afterAttempt({ ...job, crashes: 2 }, { type: "released" }, plan, moment);
    assert.deepEqual([released.standing, released.runAt], ["suspect", undefined], "it keeps its place in the queue");
  });

  test("a deferral is never over at once, so that a processor that always defers does not spin", () => {
    for (const when of [{ delayMs: 0 }, { delayMs: 7 }, { delayMs: -9 }, { runAt: 5 }, { runAt: moment.now }]) {
      assert.equal(afterAttempt(fresh, { type: "deferred", ...when }, plan, moment).runAt, moment.now + 50);
    }
  });

  test("a moment to come back is a whole millisecond, never before now and within reach", () => {
    for (const [delayMs, expected] of [
      [0.5, 1],
      [-9, 0],
      [1e300, 3_660 * 24 * 3_600_000],
    ] as const) {
      const deferred = afterAttempt(fresh, { type: "deferred", delayMs }, plan, moment);
      assert.equal(deferred.runAt, moment.now + Math.max(50, expected));
      assert.equal(
        afterAttempt(fresh, { ...failed(), retryAfterMs: delayMs } as Outcome, plan, moment).runAt,
        moment.now + expected,
      );
    }
  });

  test("a job whose child died runs again at once, then after growing pauses, until its crashes are used up", () => {
    const first = afterAttempt(fresh, crashed, plan, moment);
    assert.deepEqual([first.standing, first.crashes, first.failures, first.runAt], ["ready", 1, 0, undefined]);
    const second = afterAttempt({ ...first, loneDeaths: [[]] }, crashed, plan, moment);
    assert.deepEqual([second.standing, second.runAt], ["scheduled", moment.now + 500]);
    const third = afterAttempt({ ...second, loneDeaths: [[], []] }, crashed, plan, moment);
    assert.deepEqual([third.standing, third.failure?.code, third.failure?.permanent], ["failed", "crashed", true]);
    assert.equal(afterAttempt(fresh, crashed, { ...plan, maxCrashes: 1 }, moment).standing, "failed");
  });

  test("a job that was not started in time fails as back-pressure", () => {
    const change = afterDeadlineUnstarted(fresh, 1_234);
    assert.equal(change.standing, "failed");
    assert.equal(change.failure?.code, "backpressure");
    assert.match(change.failure?.message ?? "", /1234 ms/);
  });

  test("whatever happens, a job is finished after attempts and crashes are used up, and never comes back early", () => {
    const outcomes = fc.array(fc.constantFrom(failed(), crashed), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(outcomes, fc.double({ min: 0, max: 0.999, noNaN: true }), (list, chance) => {
        let job: Standpoint = fresh;
        let finished = 0;
        for (const outcome of list) {
          const change = afterAttempt(job, outcome, plan, { now: 0, random: () => chance });
          assert.ok(change.failures <= 3 && change.crashes <= 3);
          if (change.standing === "failed") {
            finished++;
            break;
          }
          assert.ok((change.runAt ?? 0) >= 0 && (change.runAt ?? 0) <= plan.retry.maxMs);
          job = { ...change, loneDeaths: Array.from({ length: change.crashes }, () => []) };
        }
        assert.equal(finished, 1);
      }),
    );
  });
});
