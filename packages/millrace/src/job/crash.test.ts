import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deathOf, judge, judgeOwnCrash, largestGroup, standingWhenDue, suspectShare } from "./crash.ts";
import { afterDeath } from "./lifecycle.ts";

const BOUNDS = { maxCrashes: 3 };
const PLAN = { name: "s", maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 60_000 } };
const NOTHING = { savedStep: false, loneDeaths: [] };
const held = (...crashes: number[]) => crashes.map((count, i) => ({ id: `job_${i}`, crashes: count }));
const [JOB, NEIGHBOUR] = ["job_0", "job_1"];

describe("who is to blame when a process dies", () => {
  test("only a job with two crashes is a suspect", () => {
    assert.deepEqual(
      [0, 1, 2, 9].map((crashes) => standingWhenDue({ crashes })),
      ["ready", "ready", "suspect", "suspect"],
    );
  });

  test("a first death costs nothing but a retry, at once and in its old place", () => {
    const job = { id: JOB as string, failures: 1, failuresTotal: 2, crashes: 0 };
    const change = afterDeath(job, PLAN, deathOf(held(0, 0), { draining: false }), NOTHING);
    assert.deepEqual([change.standing, change.crashes, change.failures, change.runAt], ["ready", 1, 1, undefined]);
  });

  test("a death while the process was stopping is nobody's fault", () => {
    const [job] = held(5);
    const death = deathOf(held(5), { draining: true });
    assert.deepEqual(judge(job as never, BOUNDS, death, { savedStep: false, loneDeaths: [[]] }), {
      crashes: 5,
      guilty: false,
    });
  });

  test("an attempt that stored a step before its process died has no crash from it", () => {
    const [job] = held(5);
    const death = deathOf(held(5), { draining: false });
    const verdict = judge(job as never, BOUNDS, death, { savedStep: true, loneDeaths: [[], []] });
    assert.deepEqual(verdict, { crashes: 5, guilty: false });
  });

  test("a death is a lone one for a suspect that was the only one, whatever else ran beside it", () => {
    const lone = deathOf(held(2, 1, 0), { draining: false });
    assert.deepEqual(judge({ id: JOB as string, crashes: 2 }, BOUNDS, lone, NOTHING).beside, ["job_1", "job_2"]);
    assert.equal(judge({ id: NEIGHBOUR as string, crashes: 1 }, BOUNDS, lone, NOTHING).beside, undefined);
    const two = deathOf(held(2, 2), { draining: false });
    assert.equal(judge({ id: JOB as string, crashes: 2 }, BOUNDS, two, NOTHING).beside, undefined);
  });

  test("two lone deaths prove guilt, unless one job ran beside it both times", () => {
    const third = deathOf(held(3, 0), { draining: false });
    const job = { id: JOB as string, crashes: 3 };
    const judged = (...loneDeaths: string[][]) => judge(job, BOUNDS, third, { savedStep: false, loneDeaths }).guilty;
    assert.equal(judged(), false, "one lone death");
    assert.equal(judged([NEIGHBOUR as string]), false, "the same neighbour");
    assert.equal(judged(["job_7"]), true);
    assert.equal(judged([]), true);
    assert.equal(judged([NEIGHBOUR as string], ["job_7"]), true, "any two of three");
  });

  test("lone deaths prove nothing before maxCrashes crashes", () => {
    const death = deathOf(held(2), { draining: false });
    const past = { savedStep: false, loneDeaths: [[]] };
    assert.equal(judge({ id: JOB as string, crashes: 2 }, { maxCrashes: 4 }, death, past).guilty, false);
    assert.equal(judge({ id: JOB as string, crashes: 2 }, { maxCrashes: 3 }, death, past).guilty, true);
  });

  test("twice maxCrashes crashes make a dead letter in any case", () => {
    const crowd = deathOf(held(5, 5, 5), { draining: false });
    assert.equal(judge({ id: JOB as string, crashes: 4 }, BOUNDS, crowd, NOTHING).guilty, false);
    assert.equal(judge({ id: JOB as string, crashes: 5 }, BOUNDS, crowd, NOTHING).guilty, true);
  });

  test("the message names the jobs that ran beside it, ten at most", () => {
    const job = { id: JOB as string, failures: 0, failuresTotal: 0, crashes: 5 };
    const messageOf = (neighbours: number) => {
      const death = deathOf(held(5, ...Array(neighbours).fill(0)), { draining: false });
      return afterDeath(job, PLAN, death, NOTHING).failure?.message;
    };
    assert.equal(messageOf(0), "6 processes crashed while they ran this job. The last one ran no other job.");
    assert.match(messageOf(2) ?? "", /The last one also ran: job_1, job_2\.$/);
    assert.match(messageOf(12) ?? "", /job_1, .*job_10 and 2 more\.$/);
  });

  test("a job's own child is its own fault, and deaths of the whole process are not counted with it", () => {
    assert.equal(judgeOwnCrash({ crashes: 2, loneDeaths: [[], []] }, BOUNDS).guilty, true);
    assert.equal(judgeOwnCrash({ crashes: 2 }, BOUNDS).guilty, false, "two of three were deaths of the whole process");
    assert.equal(judgeOwnCrash({ crashes: 0 }, { maxCrashes: 1 }).guilty, true);
  });

  test("the fewer crashes a job has left, the fewer suspects run beside it", () => {
    assert.deepEqual(
      [2, 3, 4, 5, 6].map((crashes) => largestGroup({ crashes }, BOUNDS)),
      [512, 64, 8, 1, 1],
    );
    assert.equal(largestGroup({ crashes: 2 }, { maxCrashes: 100_000 }), 1_048_576);
  });

  test("suspects and others share the free processors, and take turns at the odd one", () => {
    assert.deepEqual([suspectShare(5, {}), suspectShare(5, { suspectsFirst: false })], [3, 2]);
    assert.deepEqual([suspectShare(1, {}), suspectShare(1, { suspectsFirst: false })], [1, 0]);
  });
});
