// runtimes: bun
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SuspectGroup } from "./suspect-group.ts";

const BOUNDS = { maxCrashes: 3 };
const suspects = (count: number, crashes = 2) => Array.from({ length: count }, () => ({ crashes }));

describe("the group of suspects in a process", () => {
  test("starts with one, and doubles each time that all of a group have ended", () => {
    const group = new SuspectGroup();
    for (const size of [1, 2, 4, 8, 16]) {
      assert.equal(take(group), size);
      assert.equal(
        group.reserve(100, () => {}),
        undefined,
        "nobody joins a whole group",
      );
      for (let i = 0; i < size; i++) group.leave();
    }
  });

  test("does not grow before all of it have run", () => {
    const group = new SuspectGroup();
    take(group);
    group.leave();
    assert.equal(take(group, 1), 1);
    group.leave();
    assert.equal(take(group), 1, "one of two has run");
    group.leave();
    assert.equal(take(group), 4);
  });

  test("is one again after a process died, also another one", () => {
    const group = new SuspectGroup();
    for (let size = 1; size <= 4; size *= 2) {
      take(group, size, 100);
      for (let i = 0; i < size; i++) group.leave();
    }
    assert.deepEqual(
      group.reserve(100, () => {}),
      { suspects: 8, group: { running: 0, lastDeathAt: 100 } },
    );
    assert.equal(group.admit([], BOUNDS, 200), true, "it is news, so ask again");
    assert.equal(group.reserve(100, () => {})?.suspects, 1);
  });

  test("is smaller for those who have few crashes left", () => {
    for (const [crashes, largest] of [
      [2, 16],
      [3, 16],
      [4, 8],
      [5, 1],
    ] as const) {
      const group = new SuspectGroup();
      for (const size of [1, 2, 4, 8]) {
        take(group);
        for (let i = 0; i < size; i++) group.leave();
      }
      group.reserve(1, () => {});
      group.admit(suspects(1, crashes), BOUNDS, undefined);
      assert.equal(1 + (group.reserve(100, () => {})?.suspects ?? 0), largest, `${crashes} crashes`);
    }
  });

  test("has one claim look at a time, and tells the others when it may be their turn", () => {
    const group = new SuspectGroup();
    const told: string[] = [];
    group.reserve(1, () => {});
    assert.equal(
      group.reserve(1, () => told.push("after the claim")),
      undefined,
    );
    group.admit(suspects(1), BOUNDS, undefined);
    assert.deepEqual(told.splice(0), ["after the claim"]);
    assert.equal(
      group.reserve(1, () => told.push("after the member")),
      undefined,
    );
    group.leave();
    assert.deepEqual(told, ["after the member"]);
  });
});

/** Reserves room and takes as many as there is room for: how many. */
function take(group: SuspectGroup, most = 100, lastDeathAt?: number): number {
  const room = group.reserve(most, () => {});
  assert.ok(room);
  group.admit(suspects(room.suspects), BOUNDS, lastDeathAt);
  return room.suspects;
}
