// runtimes: bun or node

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { nightlyWith } from "../../../examples/nightly/nightly.ts";
import { type Cards, orderWith } from "../../../examples/order/order.ts";
import { Testkit } from "../../../packages/millrace/src/testing.ts";
import { RUNTIME, root, run, temporaryFolder } from "../../support/program.ts";

/** Cards that count what is asked of them, by the key of the request. */
function countingCards(): Cards & { charges: string[]; refunds: number[] } {
  const charges: string[] = [];
  const refunds: number[] = [];
  return {
    charges,
    refunds,
    charge: async (amount, key) => {
      charges.push(key);
      return { id: `receipt-${charges.length}`, amount };
    },
    refund: async ({ amount }) => void refunds.push(amount),
  };
}

async function runs(t: TestContext, example: string): Promise<string> {
  const flags = process.versions["bun"] ? ["--no-env-file", "--no-install"] : [];
  const cwd = temporaryFolder(t);
  const program = run(t, [...RUNTIME, ...flags, join(root, "examples", example)], { cwd });
  const { code } = await program.ended();
  assert.equal(code, 0, program.stderr());
  return program.stdout();
}

describe("the order of the examples", () => {
  test("charges once, waits for hours and for a person, and ships", async (t) => {
    const cards = countingCards();
    const order = orderWith(cards);
    const kit = await Testkit.open({ kinds: [order] });
    t.after(() => kit.stop());
    const job = await kit.millrace.submit(order, { id: "7", amount: 1_200 });
    await kit.signal(order, { uniqueKey: "7" }, "confirmed", { by: "ada" });
    await kit.advance(2 * 3_600_000);
    await kit.decide(job, "ship", { choice: "yes", by: "bob" });
    assert.deepEqual(await kit.finish(job), { shipped: "7", receipt: "receipt-1" });
    assert.deepEqual([cards.charges.length, cards.refunds], [1, []]);
  });

  test("refunds the card if nobody confirms, if a person declines, and if it is cancelled", async (t) => {
    const cards = countingCards();
    const order = orderWith(cards);
    const kit = await Testkit.open({ kinds: [order] });
    t.after(() => kit.stop());
    const late = await kit.millrace.submit(order, { id: "late", amount: 10 });
    await assert.rejects(kit.finish(late), { code: "order-refused", message: /not confirmed in time/ });
    const declined = await kit.millrace.submit(order, { id: "declined", amount: 2_000 });
    await kit.signal(order, declined, "confirmed", { by: "ada" });
    await kit.advance(2 * 3_600_000);
    await kit.decide(declined, "ship", { choice: "no", by: "bob" });
    await assert.rejects(kit.finish(declined), /not approved/);
    const cancelled = await kit.millrace.submit(order, { id: "cancelled", amount: 30 });
    await kit.runUntilIdle();
    await cancelled.cancel("Changed my mind.");
    await assert.rejects(kit.finish(cancelled), /Changed my mind/);
    assert.deepEqual([cards.charges.length, cards.refunds], [3, [10, 2_000, 30]]);
  });

  test("runs as a program", async (t) => {
    assert.match(await runs(t, "order/order.ts"), /Ship order A-\d+ for 1200\?\n\{ shipped: ['"]A-|shipped: "A-/);
  });
});

describe("the nightly run of the examples", () => {
  test("sends one statement to each customer, reports those that failed, and sends none twice after a revival", async (t) => {
    const sent: string[] = [];
    const reports: string[] = [];
    let isBroken = true;
    const { nightly, statement } = nightlyWith({
      customers: async () => ["ada", "bob", "eve"],
      send: async (customer) => {
        if (customer === "eve" && isBroken) throw new Error("No address.");
        sent.push(customer);
        return 100;
      },
      report: async (text) => void reports.push(text),
    });
    const kit = await Testkit.open({ kinds: [nightly, statement] });
    t.after(() => kit.stop());
    assert.deepEqual(await kit.run(nightly, {}), { sent: 2, failed: ["eve"], total: 200 });
    assert.deepEqual(reports, ["2 sent, total 200. Failed: eve."]);
    isBroken = false;
    const [letter] = await kit.millrace.list({ status: "failed" });
    await kit.finish(await kit.millrace.revive(letter?.jobId ?? ""));
    assert.deepEqual(sent.sort(), ["ada", "bob", "eve"]);
  });

  test("runs as a program", async (t) => {
    assert.match(await runs(t, "nightly/nightly.ts"), /2 sent, total 600\. Failed: eve\.\n2 of 3\n/);
  });
});
