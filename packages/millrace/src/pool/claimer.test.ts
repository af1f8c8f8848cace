// runtimes: bun
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../test/support/until.ts";
import type { ClaimedJob } from "../job/lease.ts";
import { ManualClock } from "../lib/clock.ts";
import type { ClaimAnswer } from "../store/verbs/attempts.ts";
import { silentLog } from "../telemetry/log/log.ts";
import { Activity } from "./activity.ts";
import { Claimer, type SuspectAsk } from "./claimer.ts";
import { SuspectGroup } from "./suspect-group.ts";

test("a large pool asks in parts of the size its store does best with", async () => {
  const { claimer, asked, answer } = makeClaimer({ size: 2_500, atOnce: 1_000 });
  await poke(claimer);
  assert.deepEqual(asked, [1_000, 1_000]);
  await answer();
  await poke(claimer);
  assert.deepEqual(asked, [1_000, 1_000, 1_000], "of 1,500 that are free a full part");
  await answer();
  await answer();
  claimer.stop();
});

test("a small pool has one claim under way at a time", async () => {
  const { claimer, asked, answer } = makeClaimer({ size: 40, atOnce: 250 });
  await poke(claimer);
  claimer.add(40);
  await poke(claimer);
  assert.deepEqual(asked, [40]);
  await answer();
  await poke(claimer);
  assert.deepEqual(asked, [40, 41]);
});

test("what a store fails to give is asked for in smaller parts, one at a time, and in larger ones where it succeeds", async () => {
  const { claimer, clock, asked, answer, fail } = makeClaimer({ size: 80, atOnce: 80 });
  const again = () => {
    clock.advance(10_000);
    return poke(claimer);
  };
  await poke(claimer);
  for (let i = 0; i < 3; i++) {
    await fail();
    await again();
  }
  assert.deepEqual(asked, [80, 40, 25, 25]);
  await answer(25);
  assert.deepEqual(asked.slice(4), [32]);
  await answer(20);
  assert.deepEqual(asked.slice(5), [35], "it was not all it was asked for, and there may be more: all that are free");
  await answer(0);
  assert.equal(asked.length, 6, "there is no more");
  claimer.stop();
});

test("a small claim that fails makes later ones no smaller", async () => {
  const { claimer, clock, asked, fail } = makeClaimer({ size: 20, atOnce: 80 });
  await poke(claimer);
  await fail();
  clock.advance(10_000);
  await poke(claimer);
  assert.deepEqual(asked, [20, 20]);
  claimer.stop();
});

test("word of work that comes while a claim is under way is not lost, though that claim finds nothing", async () => {
  const { claimer, asked, answer } = makeClaimer({ size: 4, atOnce: 80 });
  await poke(claimer);
  await poke(claimer);
  assert.deepEqual(asked, [4]);
  await answer();
  await until("it has asked again", () => asked.length === 2, 10_000);
  claimer.stop();
});

test("a claim that may have missed work is asked again at once, and then after a pause", async () => {
  const { claimer, asked, answer } = makeClaimer({ size: 4, atOnce: 80 });
  await poke(claimer);
  await poke(claimer);
  await answer();
  assert.deepEqual(asked, [4, 4], "a signal to a job that was suspended a moment ago waits for no timer");
  await poke(claimer);
  await answer();
  assert.deepEqual(asked, [4, 4], "while word comes all the time, the store is not asked all the time");
  await until("it has asked again", () => asked.length === 3, 10_000);
  claimer.stop();
});

test("suspects and others take turns at a single processor, and a whole group ends before the next begins", async () => {
  const { claimer, room, answerWith } = makeClaimer({ size: 1, atOnce: 80 });
  const none = { jobs: [], suspectsWait: true, lastDeathAt: 5 } as const;
  claimer.poke();
  assert.deepEqual(await room(1), { suspects: 0 }, "nobody asks for suspects before the store tells of them");
  answerWith({ ...none, jobs: [] });
  assert.deepEqual(await room(2), { suspects: 1, suspectsFirst: true, group: { running: 0 } });
  answerWith({ ...none, jobs: [] });
  await poke(claimer);
  const known = { running: 0, lastDeathAt: 5 };
  assert.deepEqual(await room(3), { suspects: 1, suspectsFirst: false, group: known });
  answerWith({ ...none, jobs: [{ lease: { slot: 0 }, crashes: 2 } as ClaimedJob] });
  await turn();
  claimer.free(0);
  assert.deepEqual(await room(4), { suspects: 0 }, "the group is whole until its member ends");
  claimer.stop();
});

test("a claim that was refused suspects for a death it had not heard of asks again, for one", async () => {
  const { claimer, room, answerWith, suspects } = makeClaimer({ size: 4, atOnce: 80 });
  claimer.poke();
  await room(1);
  answerWith({ jobs: [], suspectsWait: true, lastDeathAt: 5 });
  await room(2);
  answerWith({ jobs: [{ lease: { slot: 0 }, crashes: 2 } as ClaimedJob], suspectsWait: true, lastDeathAt: 5 });
  await turn();
  suspects.leave();
  assert.equal((await room(3)).suspects, 2);
  answerWith({ jobs: [], suspectsWait: true, lastDeathAt: 9 });
  assert.deepEqual(await room(4), { suspects: 1, suspectsFirst: true, group: { running: 0, lastDeathAt: 9 } });
  claimer.stop();
});

/** Its store finds nothing, or so many, or fails, when told to. */
function makeClaimer({ size, atOnce }: { size: number; atOnce: number }) {
  const asked: number[] = [];
  const asks: { slots: number[]; resolve(claimed: ClaimAnswer): void; reject(error: Error): void }[] = [];
  const rooms: SuspectAsk[] = [];
  const suspects = new SuspectGroup();
  const clock = new ManualClock();
  const claimer = new Claimer({
    pool: "mail/running",
    request: () => ({ kind: "mail", stage: "running" }),
    size,
    inline: true,
    atOnce,
    suspects,
    maxCrashes: 3,
    clock,
    log: silentLog,
    mayClaim: () => true,
    store: {
      claim: ({ slots, kind: _kind, stage: _stage, ...room }) => {
        asked.push(slots.length);
        rooms.push(room);
        return new Promise((resolve, reject) => asks.push({ slots, resolve, reject }));
      },
    },
    activity: new Activity(),
  });
  const answer = (count = 0) => {
    const ask = asks.shift();
    ask?.resolve({ jobs: ask.slots.slice(0, count).map((slot) => ({ lease: { slot } }) as ClaimedJob) });
    return turn();
  };
  const fail = () => {
    asks.shift()?.reject(new Error("canceling statement due to statement timeout"));
    return turn();
  };
  const answerWith = (claimed: ClaimAnswer) => asks.shift()?.resolve(claimed);
  /** What it asked for the nth time. */
  const room = async (nth: number) => {
    await until(`it has asked ${nth} times`, () => rooms.length >= nth, 10_000);
    return rooms[nth - 1] as SuspectAsk;
  };
  return { claimer, clock, asked, room, suspects, answer, answerWith, fail };
}

function poke(claimer: Claimer): Promise<unknown> {
  claimer.poke();
  return turn();
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
