// runtimes: bun
import assert from "node:assert/strict";
import test from "node:test";
import { systemClock } from "../lib/clock.ts";
import { silentLog } from "../telemetry/log.ts";
import { Claimer } from "./claimer.ts";
import { Quarantine } from "./quarantine.ts";

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

/** Its store finds nothing, and says so when told to. */
function makeClaimer({ size, atOnce }: { size: number; atOnce: number }) {
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const claimer = new Claimer({
    pool: "mail/running",
    slots: Array.from({ length: size }, (_, slot) => slot),
    inline: true,
    atOnce,
    quarantine: new Quarantine(),
    clock: systemClock(),
    log: silentLog,
    mayClaim: () => true,
    ask: (slots) => {
      asked.push(slots.length);
      return new Promise((resolve) => answers.push(() => resolve({ jobs: [] })));
    },
    claimed() {},
    rested() {},
  });
  const answer = () => {
    answers.shift()?.();
    return turn();
  };
  return { claimer, asked, answer };
}

function poke(claimer: Claimer): Promise<unknown> {
  claimer.poke();
  return turn();
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
