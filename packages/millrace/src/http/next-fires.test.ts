import assert from "node:assert/strict";
import { test } from "node:test";
import { NextFires } from "./next-fires.ts";

const RULES = Array.from({ length: 60 }, (_, i) => ({ cron: `${i} * * * *`, timeZone: "UTC" }));

test("other requests get their turn while the fires of many rules are worked out, each of them once", async () => {
  let asked = 0;
  let now = 1_000;
  const slowly = () => {
    asked++;
    for (const until = performance.now() + 2; performance.now() < until; );
    return [new Date(now + 60_000)];
  };
  const nextFires = new NextFires(slowly, () => now);
  let turns = 0;
  const count = setInterval(() => turns++, 1);
  const fires = await nextFires.of(RULES);
  clearInterval(count);
  assert.ok(turns >= 5, `${turns} turns in 120 ms`);
  assert.deepEqual([fires.length, fires[0], asked], [60, ["1970-01-01T00:01:01.000Z"], 60]);
  await nextFires.of(RULES);
  assert.equal(asked, 60, "known until the first of them fires");
  now += 60_000;
  assert.deepEqual((await nextFires.of(RULES.slice(0, 1)))[0], ["1970-01-01T00:02:01.000Z"]);
});
