// An order as one function: it charges a card, waits for the payment, asks a person, and takes the money back if anything fails.
//
//   node order.ts
//
// Stop it at any line and start it again: the card is charged once, and the order goes on where it was.

import { pathToFileURL } from "node:url";
import { defineKind, JobFailure, Millrace, sqlite } from "millrace";
import { z } from "zod";

export interface Receipt {
  id: string;
  amount: number;
}

/** Your payment provider. The key makes a repeated request the same request, also after a crash. */
export interface Cards {
  charge(amount: number, key: string): Promise<Receipt>;
  refund(receipt: Receipt, key: string): Promise<void>;
}

export function orderWith(cards: Cards, coolOffMs = 2 * 3_600_000) {
  return defineKind({
    name: "order",
    payload: z.object({ id: z.string(), amount: z.number().positive() }),
    uniqueKey: ({ id }) => id,
    signals: { confirmed: z.object({ by: z.string() }) },
  }).stage("fulfil", {
    undo: { refund: (_ctx, receipt: Receipt, { key }) => cards.refund(receipt, key) },
    run: async (ctx, { id, amount }) => {
      const receipt = await ctx.step("charge", ({ key }) => cards.charge(amount, key), { undo: "refund" });
      await ctx.sleep("cool-off", coolOffMs); // no processor, no lease and no slot is held

      const first = await ctx.race("confirmation", {
        confirmed: ctx.waitForSignal("confirmed"),
        late: ctx.sleep("limit", { days: 3 }),
      });
      if (first.winner === "late") throw refused(`Order ${id} was not confirmed in time.`);

      if (amount >= 1_000) {
        const decision = await ctx.waitForApproval("ship", {
          title: `Ship order ${id} for ${amount}?`,
          details: { receipt },
          choices: ["yes", "no"],
          audience: "sales",
          timeout: { days: 1 },
        });
        if (decision?.choice !== "yes") throw refused(`Order ${id} was not approved.`);
      }
      return { shipped: id, receipt: receipt.id };
    },
  });
}

/** The order fails at once, without a retry. Its card is refunded by the undo handler. */
function refused(message: string): JobFailure {
  return new JobFailure(message, { code: "order-refused", permanent: true });
}

/** Stands in for a provider. */
export const testCards: Cards = {
  charge: async (amount, key) => ({ id: `receipt-${key.slice(0, 8)}`, amount }),
  refund: async (receipt) => console.log(`refunded ${receipt.amount}`),
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const order = orderWith(testCards, 50);
  const millrace = await Millrace.open({ store: sqlite("./data/orders.db"), kinds: [order], log: false });
  const id = `A-${Date.now()}`;
  const job = await millrace.submit(order, { id, amount: 1_200 });
  // A webhook knows the order, not the job.
  await millrace.signal(order, { uniqueKey: id }, "confirmed", { by: "ada@example.org" });
  for (;;) {
    const [approval] = await millrace.approvals({ jobId: job.id });
    if (approval) {
      console.log(approval.title);
      await millrace.decide(approval.id, { choice: "yes", by: "bob" });
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  console.log(await job.wait({ timeoutMs: 30_000 }));
  await millrace.stop();
}
