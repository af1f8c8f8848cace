import assert from "node:assert/strict";
import { describe } from "node:test";
import type { LimiterState } from "../../verbs/limiters.ts";
import { type OpenData, promise, type Rig } from "../rig.ts";

const DAY_MS = 86_400_000;
const RATE = { count: 100, perMs: 1_000 };

export function describeLimiters(open: OpenData): void {
  describe("budgets of limiters", () => {
    promise(
      open,
      "a budget of a day is shared by all tenants and processes, and is there again at midnight UTC",
      async (rig) => {
        const b = await rig.another();
        await rig.store.setLimiters([{ name: "api", ...RATE, perDay: 5 }]);
        atNoon(rig);
        const [one, other] = [await rig.running({ tenant: "one" }), await rig.running({ tenant: "other" })];
        assert.equal(await rig.store.take(one.lease, "api", 3), "taken");
        assert.equal(await b.take(other.lease, "api", 2), "taken");
        rig.chance = 0;
        assert.deepEqual(await rig.store.take(one.lease, "api", 1), { retryAt: rig.clock.now() + DAY_MS / 2 });
        rig.chance = 0.5;
        assert.deepEqual(await b.take(other.lease, "api", 1), { retryAt: rig.clock.now() + DAY_MS / 2 + 30_000 });
        const { usedToday, tenants } = await the(rig, "api");
        assert.deepEqual(
          [usedToday, tenants],
          [
            5,
            [
              { tenant: "one", used: 3 },
              { tenant: "other", used: 2 },
            ],
          ],
        );
        rig.clock.advance(DAY_MS / 2);
        assert.equal((await the(rig, "api")).usedToday, 0);
        const again = await rig.running({ tenant: "one" });
        assert.equal(await rig.store.take(again.lease, "api", 5), "taken");
      },
    );

    promise(open, "a budget of a tenant holds for each tenant alone", async (rig) => {
      await rig.store.setLimiters([{ name: "api", ...RATE, perTenantPerDay: 2, perDay: 3 }]);
      atNoon(rig);
      const [one, other] = [await rig.running({ tenant: "one" }), await rig.running({ tenant: "other" })];
      assert.equal(await rig.store.take(one.lease, "api", 2), "taken");
      assert.notEqual(await rig.store.take(one.lease, "api", 1), "taken");
      assert.equal(await rig.store.take(other.lease, "api", 1), "taken");
      // The budget of all is used up.
      assert.notEqual(await rig.store.take(other.lease, "api", 1), "taken");
    });

    promise(open, "a cost that a budget never has is an error that says so, and takes nothing", async (rig) => {
      await rig.store.setLimiters([{ name: "api", ...RATE, perDay: 9, perTenantPerDay: 2.5 }]);
      const { lease } = await rig.running();
      await assert.rejects(rig.store.take(lease, "api", 3), {
        code: "limiter-too-small",
        message: /more than the daily budget of the limiter "api": 2\.5/,
      });
      assert.equal(await rig.store.take(lease, "api", 2.5), "taken");
    });
  });

  describe("limiters that an operator sets", () => {
    promise(open, "are listed with their rule, what is left, and until when they are blocked", async (rig) => {
      await rig.store.setLimiters([
        { name: "b", count: 4, perMs: 1_000 },
        { name: "a", ...RATE, perDay: 7 },
      ]);
      const { lease } = await rig.running();
      await rig.store.take(lease, "b", 3);
      await rig.store.blockLimiter(lease, "a", 5_000);
      rig.clock.advance(250);
      assert.deepEqual(await rig.store.limiters(), [
        {
          name: "a",
          rule: { ...RATE, perDay: 7 },
          isSet: false,
          codeRule: { ...RATE, perDay: 7 },
          left: 100,
          blockedUntil: rig.clock.now() + 4_750,
          usedToday: 0,
          tenants: [],
        },
        { name: "b", rule: { count: 4, perMs: 1_000 }, isSet: false, codeRule: { count: 4, perMs: 1_000 }, left: 2 },
      ]);
    });

    promise(open, "win over the code, also after a restart, until they are reset", async (rig) => {
      const code = { name: "api", count: 2, perMs: 1_000 };
      await rig.store.setLimiters([code]);
      const b = await rig.another();
      await b.putLimiter("api", { count: 5, perMs: 1_000, perDay: 50 });
      const { lease } = await rig.running();
      assert.equal(await rig.store.take(lease, "api", 5), "taken");
      const restarted = await rig.another();
      await restarted.setLimiters([code]);
      assert.deepEqual((await the(rig, "api")).rule, { count: 5, perMs: 1_000, perDay: 50 });
      assert.notEqual(await restarted.take(lease, "api", 1), "taken", "and it keeps what was taken");
      // The code changes meanwhile: its new rule is what a reset brings back.
      await restarted.setLimiters([{ ...code, count: 3 }]);
      assert.deepEqual((await the(rig, "api")).rule, { count: 5, perMs: 1_000, perDay: 50 });
      assert.equal(await rig.store.resetLimiter("api"), "done");
      const { rule, isSet } = await the(rig, "api");
      assert.deepEqual([rule, isSet], [{ count: 3, perMs: 1_000 }, false]);
      await restarted.setLimiters([{ ...code, count: 4 }]);
      assert.equal((await the(rig, "api")).rule.count, 4);
    });

    promise(open, "may be there before the code, and go when they are reset without any", async (rig) => {
      await rig.store.putLimiter("early", { count: 1, perMs: 1_000 });
      await rig.store.setLimiters([{ name: "early", count: 9, perMs: 1_000 }]);
      assert.equal((await the(rig, "early")).rule.count, 1);
      await rig.store.resetLimiter("early");
      assert.equal((await the(rig, "early")).rule.count, 9);
      await rig.store.putLimiter("alone", { count: 1, perMs: 1_000 });
      assert.equal(await rig.store.resetLimiter("alone"), "done");
      assert.equal(await rig.store.resetLimiter("alone"), "not-found");
    });

    promise(open, "end a block", async (rig) => {
      await rig.store.setLimiters([{ name: "api", ...RATE }]);
      const { lease } = await rig.running();
      await rig.store.blockLimiter(lease, "api", 60_000);
      assert.notEqual(await rig.store.take(lease, "api", 1), "taken");
      assert.equal(await (await rig.another()).unblockLimiter("api"), "done");
      assert.equal(await rig.store.take(lease, "api", 1), "taken");
      assert.equal(await rig.store.unblockLimiter("nope"), "not-found");
    });

    promise(open, "keep what was taken when only a budget changes", async (rig) => {
      await rig.store.setLimiters([{ name: "api", count: 2, perMs: 60_000 }]);
      const { lease } = await rig.running();
      await rig.store.take(lease, "api", 2);
      await rig.store.putLimiter("api", { count: 2, perMs: 60_000, perDay: 100 });
      assert.notEqual(await rig.store.take(lease, "api", 1), "taken");
    });
  });
}

function atNoon(rig: Rig): void {
  rig.clock.advance(DAY_MS + DAY_MS / 2 - (rig.clock.now() % DAY_MS));
}

async function the(rig: Rig, name: string): Promise<LimiterState> {
  const found = (await rig.store.limiters()).find((each) => each.name === name);
  assert.ok(found, `limiter ${name} is there`);
  return found;
}
