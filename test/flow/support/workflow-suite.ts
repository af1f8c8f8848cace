// A job that waits, on each store: it sleeps, hears signals and events, asks a person, and survives a restart at each wait.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { defineKind, type Millrace } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import type { WithEngine } from "./engine.ts";

const WAIT = { timeoutMs: scaled(20_000) };

async function waitsFor(millrace: Millrace, jobId: string, name: string): Promise<void> {
  await until(`the job waits for ${name}`, async () =>
    (await millrace.waits(jobId)).some((wait) => wait.name === name && wait.state === "open"),
  );
}

export function describeWorkflows(name: string, withEngine: WithEngine): void {
  describe(`a workflow on ${name}`, () => {
    test("charges once, sleeps, waits for its signal and goes on, without holding a processor", async () => {
      let charges = 0;
      let runs = 0;
      const order = defineKind({
        name: "order",
        payload: z.object({ id: z.number() }),
        signals: { paid: z.object({ amount: z.number() }) },
        run: async (ctx, { id }) => {
          runs++;
          const receipt = await ctx.step("charge", () => `receipt ${id}.${++charges}`);
          await ctx.sleep("cool-off", { ms: 20 });
          const paid = await ctx.waitForSignal("paid", { timeout: { minutes: 5 } });
          return { receipt, amount: paid?.amount ?? null };
        },
      });
      await withEngine({ kinds: [order], processors: 1 }, async ({ millrace }) => {
        const first = await millrace.submit(order, { id: 1 });
        await waitsFor(millrace, first.id, "paid");
        assert.equal(millrace.pools()[0]?.processors.filter(({ state }) => state === "busy").length, 0);
        const second = await millrace.submit(order, { id: 2 });
        await waitsFor(millrace, second.id, "paid");
        const wrong = { amount: "ten" } as unknown as { amount: number };
        await assert.rejects(millrace.signal(order, first.id, "paid", wrong), {
          code: "invalid-request",
          message: /amount/,
        });
        await millrace.signal(order, first.id, "paid", { amount: 10 });
        assert.deepEqual(await first.wait(WAIT), { receipt: "receipt 1.1", amount: 10 });
        await millrace.signal(order, second.id, "paid", { amount: 20 });
        assert.deepEqual(await second.wait(WAIT), { receipt: "receipt 2.2", amount: 20 });
        assert.deepEqual([charges, runs], [2, 6], "two charges, three runs of each function");
        await assert.rejects(millrace.signal(order, first.id, "paid", { amount: 1 }), { code: "conflict" });
      });
    });

    test("takes the first of several waits, and stores the winner", async () => {
      const payment = defineKind({
        name: "payment",
        payload: z.object({ limitMs: z.number() }),
        run: async (ctx, { limitMs }) => {
          const { winner, value } = await ctx.race("payment", {
            paid: ctx.waitForSignal("paid"),
            late: ctx.sleep("limit", limitMs),
          });
          await ctx.sleep("after", 1);
          return { winner, value: value ?? null };
        },
      });
      await withEngine({ kinds: [payment] }, async ({ millrace }) => {
        const late = await millrace.submit(payment, { limitMs: 5 });
        assert.deepEqual(await late.wait(WAIT), { winner: "late", value: null });
        const paid = await millrace.submit(payment, { limitMs: 600_000 });
        await waitsFor(millrace, paid.id, "paid");
        await millrace.signal("payment", paid.id, "paid", 7);
        assert.deepEqual(await paid.wait(WAIT), { winner: "paid", value: 7 });
        const states = (await millrace.waits(paid.id)).map(({ name, state }) => `${name} ${state}`);
        assert.deepEqual(states, ["paid answered", "limit closed", "payment answered", "after timed-out"]);
      });
    });

    test("asks a person and hears events by their fields", async () => {
      const ship = defineKind({
        name: "ship",
        payload: z.object({ orderId: z.number() }),
        run: async (ctx, { orderId }) => {
          const packed = await ctx.waitForEvent("packed", { match: { orderId } });
          const decision = await ctx.waitForApproval("ship", { title: `Ship ${orderId}?`, choices: ["yes", "no"] });
          return { box: packed?.["box"] ?? null, choice: decision?.choice ?? null, by: decision?.by ?? null };
        },
      });
      await withEngine({ kinds: [ship] }, async ({ millrace }) => {
        const job = await millrace.submit(ship, { orderId: 7 });
        await waitsFor(millrace, job.id, "packed");
        assert.equal((await millrace.publish("packed", { orderId: 8 })).woken, 0);
        assert.equal((await millrace.publish("packed", { orderId: 7, box: "B" })).woken, 1);
        await waitsFor(millrace, job.id, "ship");
        const [approval] = await millrace.approvals();
        assert.deepEqual([approval?.title, approval?.choices], ["Ship 7?", ["yes", "no"]]);
        await assert.rejects(millrace.decide(approval?.id ?? "", { choice: "maybe", by: "ann" }), /yes, no/);
        await millrace.decide(approval?.id ?? "", { choice: "yes", by: "ann" });
        await assert.rejects(millrace.decide(approval?.id ?? "", { choice: "no", by: "bob" }), { code: "conflict" });
        assert.deepEqual(await job.wait(WAIT), { box: "B", choice: "yes", by: "ann" });
      });
    });

    test("works beside its waits until nothing but waits is left", async () => {
      const both = defineKind({
        name: "both",
        payload: z.null(),
        run: async (ctx) => {
          const steps = async () => {
            const values: number[] = [];
            for (let n = 0; n < 3; n++) values.push(await ctx.step(`step ${n}`, async () => n * 10));
            return values;
          };
          const [values, signal] = await Promise.all([steps(), ctx.waitForSignal("go")]);
          return { values, signal };
        },
      });
      await withEngine({ kinds: [both] }, async ({ millrace }) => {
        const job = await millrace.submit(both, null);
        // The wait itself is stored with the first step.
        await until("nothing but the wait is left", async () => (await millrace.find(job.id))?.waitsFor?.length === 1);
        assert.equal((await millrace.steps(job.id)).length, 3, "all steps are stored before the attempt ends");
        await millrace.signal("both", job.id, "go", "now");
        assert.deepEqual(await job.wait(WAIT), { values: [0, 10, 20], signal: "now" });
      });
    });

    test("refuses a name that is used again before its first wait is answered, and a race over other promises", async () => {
      const twice = defineKind({
        name: "twice",
        payload: z.enum(["names", "race"]),
        maxAttempts: 1,
        run: async (ctx, what) => {
          if (what === "race") return ctx.race("r", { a: Promise.resolve(1) });
          return Promise.all([ctx.waitForSignal("a"), ctx.waitForSignal("a")]);
        },
      });
      await withEngine({ kinds: [twice] }, async ({ millrace }) => {
        await assert.rejects(async () => (await millrace.submit(twice, "names")).wait(WAIT), /was called again before/);
        await assert.rejects(async () => (await millrace.submit(twice, "race")).wait(WAIT), /is not a wait/);
      });
    });

    test("gives a step the same key in every attempt and after a revival from the failed stage", async () => {
      const keys: string[] = [];
      let fails = 2;
      const charge = defineKind({ name: "charge", payload: z.null() }).stage("pay", {
        maxAttempts: 2,
        run: (ctx) =>
          ctx.step("charge", ({ key }) => {
            keys.push(key);
            if (fails-- > 0) throw new Error("No answer.");
            return "paid";
          }),
      });
      await withEngine({ kinds: [charge] }, async ({ millrace }) => {
        const first = await millrace.submit(charge, null);
        await assert.rejects(first.wait(WAIT), /No answer/);
        const second = await millrace.revive(first.id);
        assert.equal(await second.wait(WAIT), "paid");
        fails = 2;
        const third = await millrace.submit(charge, null);
        await assert.rejects(third.wait(WAIT), /No answer/);
        await (await millrace.revive(third.id, { from: "start" })).wait(WAIT);
      });
      const [one, two, three, ...others] = keys;
      assert.match(one ?? "", /^[0-9a-f]{40}$/);
      assert.deepEqual([two, three], [one, one]);
      assert.equal(new Set(others).size, 2, "another job and a revival from the start have other keys");
      assert.ok(!others.includes(one ?? ""));
    });

    test("finds the value of a renamed step, whose key stays", async () => {
      const runs: string[] = [];
      const kinds = (name: string, renamedFrom?: string) =>
        defineKind({
          name: "renamed",
          payload: z.null(),
          run: async (ctx) => {
            const own = renamedFrom === undefined ? {} : { renamedFrom };
            const value = await ctx.step(
              name,
              ({ key }) => {
                runs.push(name);
                return key;
              },
              own,
            );
            await ctx.waitForSignal("go");
            const later = await ctx.step(
              `${name} again`,
              ({ key }) => key,
              renamedFrom === undefined ? {} : { renamedFrom: `${renamedFrom} again` },
            );
            return [value, later];
          },
        });
      await withEngine({ kinds: [kinds("charge")] }, async ({ millrace, another }) => {
        const job = await millrace.submit(kinds("charge"), null);
        await waitsFor(millrace, job.id, "go");
        await millrace.stop({ hurry: true });
        const next = await another({ kinds: [kinds("pay", "charge")] });
        await next.signal("renamed", job.id, "go");
        const [value, later] = (await next.wait(job.id, WAIT)).result as string[];
        assert.deepEqual(runs, ["charge"]);
        const fresh = await next.submit(kinds("pay", "charge"), null);
        await next.signal("renamed", fresh.id, "go");
        await fresh.wait(WAIT);
        assert.match(`${value} ${later}`, /^[0-9a-f]{40} [0-9a-f]{40}$/);
      });
    });

    test("refuses reserved names, and says how to name a step in a loop", async () => {
      const names = defineKind({
        name: "names",
        payload: z.string(),
        maxAttempts: 1,
        run: async (ctx, name) => {
          await ctx.step("item", () => 1);
          if (name.startsWith("wait ")) await ctx.sleep(name, 1);
          else await ctx.step(name, () => 2);
        },
      });
      await withEngine({ kinds: [names] }, async ({ millrace }) => {
        const ends = async (name: string, sentence: RegExp) =>
          assert.rejects((await millrace.submit(names, name)).wait(WAIT), sentence);
        await ends("undo:item", /cannot begin with "undo:"/);
        await ends("released:1", /cannot begin with "released:"/);
        await ends("item", /was run before in this stage/);
        await ends("wait #2", /without "#"/);
      });
    });

    test("is woken by a call that comes after the suspension, and then waits for that call", async () => {
      let runs = 0;
      const beside = defineKind({
        name: "beside",
        payload: z.null(),
        run: async (ctx) => {
          runs++;
          const fetchThenStep = async () => {
            await delay(150);
            return ctx.step("keep", () => "kept");
          };
          const [kept, go] = await Promise.all([fetchThenStep(), ctx.waitForSignal("go")]);
          return { kept, go };
        },
      });
      await withEngine({ kinds: [beside] }, async ({ millrace }) => {
        const job = await millrace.submit(beside, null);
        await until("the step is stored", async () => (await millrace.steps(job.id)).length === 1);
        await waitsFor(millrace, job.id, "go");
        assert.equal(runs, 2, "one run that was suspended, and one that came to the step");
        await millrace.signal("beside", job.id, "go", 7);
        assert.deepEqual(await job.wait(WAIT), { kept: "kept", go: 7 });
        const warnings = (await millrace.logs(job.id))
          .map(({ message }) => message)
          .filter((line) => /came after/.test(line));
        assert.equal(warnings.length, 1);
        assert.match(warnings[0] ?? "", /ctx\.step\("keep"\).*into a step/);
      });
    });

    test("gives the value of a race the type of its wait, in every attempt", async () => {
      const dated = defineKind({
        name: "dated",
        payload: z.null(),
        run: async (ctx) => {
          const schema = z.object({ at: z.coerce.date() });
          const { value } = await ctx.race("first", {
            go: ctx.waitForSignal("go", { schema }),
            late: ctx.sleep("late", { days: 1 }),
          });
          const isDate = (value as { at: unknown } | undefined)?.at instanceof Date;
          await ctx.sleep("again", 1);
          return isDate;
        },
      });
      await withEngine({ kinds: [dated] }, async ({ millrace }) => {
        const job = await millrace.submit(dated, null);
        await millrace.signal("dated", job.id, "go", { at: "2026-01-01T00:00:00.000Z" });
        assert.equal(await job.wait(WAIT), true);
      });
    });

    test("in a loop takes each signal once, in order", async () => {
      const sum = defineKind({
        name: "sum",
        payload: z.number(),
        run: async (ctx, count) => {
          let total = 0;
          for (let n = 0; n < count; n++) total += ((await ctx.waitForSignal("item")) as number) * 10 ** n;
          return total;
        },
      });
      await withEngine({ kinds: [sum] }, async ({ millrace }) => {
        const job = await millrace.submit(sum, 3);
        for (const n of [1, 2, 3]) await millrace.signal("sum", job.id, "item", n);
        assert.equal(await job.wait(WAIT), 321);
      });
    });
  });
}
