import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind } from "../job/kind/define-kind.ts";
import { fires, nextFire, prepareSchedule } from "./schedule.ts";

const kind = defineKind({
  name: "k",
  payload: z.object({ a: z.number() }),
  uniqueKey: ({ a }) => `u${a}`,
  run: () => 1,
});
const at = (text: string) => Date.parse(text);
const utc = (moments: number[]) => moments.map((moment) => new Date(moment).toISOString().slice(0, 16));

describe("when a schedule fires", () => {
  test("the first tick after a moment, never the moment itself", () => {
    assert.equal(nextFire("0 3 * * *", "UTC", at("2026-01-01T02:59:59Z")), at("2026-01-01T03:00:00Z"));
    assert.equal(nextFire("0 3 * * *", "UTC", at("2026-01-01T03:00:00Z")), at("2026-01-02T03:00:00Z"));
  });

  test("a time zone's own hours, summer and winter", () => {
    assert.deepEqual(utc(fires("30 6 * * *", "Europe/Berlin", at("2026-01-10T00:00:00Z"), 1)), ["2026-01-10T05:30"]);
    assert.deepEqual(utc(fires("30 6 * * *", "Europe/Berlin", at("2026-07-10T00:00:00Z"), 1)), ["2026-07-10T04:30"]);
  });

  test("when the clocks go forward, a time that does not exist fires once, at the next one that does", () => {
    // On 29 March 2026 in Berlin 02:00 becomes 03:00.
    const list = fires("30 2 * * *", "Europe/Berlin", at("2026-03-28T00:00:00Z"), 3);
    assert.equal(list.length, 3);
    const [before, day, after] = utc(list);
    assert.equal(before, "2026-03-28T01:30");
    assert.equal(day, "2026-03-29T01:00");
    assert.equal(after, "2026-03-30T00:30");
  });

  test("when the clocks go back, a time that comes twice fires once", () => {
    // On 25 October 2026 in Berlin 03:00 becomes 02:00: 02:30 is at 00:30 and at 01:30 UTC.
    const list = utc(fires("30 2 * * *", "Europe/Berlin", at("2026-10-24T12:00:00Z"), 2));
    assert.equal(list[0], "2026-10-25T00:30");
    assert.equal(list[1], "2026-10-26T01:30");
  });

  test("every hour is every hour, on both days", () => {
    for (const day of ["2026-03-28T23:00:00Z", "2026-10-24T22:00:00Z"]) {
      const list = fires("0 * * * *", "Europe/Berlin", at(day), 6);
      const steps = list.slice(1).map((moment, i) => moment - (list[i] as number));
      assert.ok(
        steps.every((step) => step >= 3_600_000 && step <= 7_200_000),
        utc(list).join(" "),
      );
      assert.equal(new Set(list).size, 6);
    }
  });

  test("six fields have seconds first", () => {
    assert.equal(nextFire("*/10 * * * * *", "UTC", at("2026-01-01T00:00:01Z")), at("2026-01-01T00:00:10Z"));
  });

  test("what is no schedule, no zone or never comes is refused with a sentence", () => {
    for (const [cron, zone, message] of [
      ["nonsense", "UTC", /^Invalid cron expression "nonsense": it needs five fields/],
      ["61 * * * *", "UTC", /^Invalid cron expression "61 \* \* \* \*": Invalid value for minute: 61$/],
      ["* * *", "UTC", /five fields/],
      ["* * * * *", "Mars/Olympus", /^Unknown time zone "Mars\/Olympus"\.$/],
      ["0 0 30 2 *", "UTC", /never fires again/],
    ] as const) {
      assert.throws(() => nextFire(cron, zone, 0), { code: "invalid-request", message }, `${cron} ${zone}`);
    }
  });
});

describe("preparing a schedule", () => {
  test("its payload is checked as any submission's is; the rest has defaults", async () => {
    const now = at("2026-01-01T00:00:00Z");
    assert.deepEqual(await prepareSchedule(kind, { name: "n", cron: "0 3 * * *", payload: { a: 1 } }, now), {
      name: "n",
      cron: "0 3 * * *",
      timeZone: "UTC",
      kind: "k",
      tenant: "default",
      payload: '{"a":1}',
      uniqueKey: "u1",
      overlap: "skip",
      missed: "once",
      paused: false,
      nextAt: at("2026-01-01T03:00:00Z"),
    });
    await assert.rejects(prepareSchedule(kind, { name: "n", cron: "0 3 * * *", payload: {} }, now), {
      code: "invalid-request",
    });
    await assert.rejects(prepareSchedule(kind, { name: "", cron: "0 3 * * *", payload: { a: 1 } }, now), {
      code: "invalid-request",
    });
    await assert.rejects(prepareSchedule(kind, { name: "n", cron: "x", payload: { a: 1 } }, now), {
      code: "invalid-request",
    });
  });
});
