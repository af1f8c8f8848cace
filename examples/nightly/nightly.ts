// A nightly run: one job for each customer, as many at once as there is room for, and one report when all have ended.
//
//   node nightly.ts
//
// A schedule submits the run. A customer that fails does not stop the others, and appears in the report. Reviving the failed
// job sends its statement, and no other customer gets a second one.

import { pathToFileURL } from "node:url";
import { defineKind, Millrace, sqlite } from "millrace";
import { z } from "zod";

export interface Sources {
  /** The customers of a night. */
  customers(): Promise<string[]>;
  /** Makes and sends one statement; gives its total. */
  send(customer: string, key: string): Promise<number>;
  report(text: string): Promise<void>;
}

export function nightlyWith(sources: Sources) {
  const statement = defineKind({
    name: "statement",
    payload: z.string(),
    maxAttempts: 3,
    run: async (ctx, customer) => ctx.step("send", ({ key }) => sources.send(customer, key)),
  });
  const nightly = defineKind({
    name: "nightly",
    payload: z.object({}),
    run: async (ctx) => {
      // The list is stored, so a run that starts again has the same customers.
      const customers = await ctx.step("customers", () => sources.customers());
      const ends = await ctx.runChildren("statements", statement, customers, { ifChildFails: "collect" });
      const total = ends.reduce((sum, end) => sum + (end.ok ? end.result : 0), 0);
      const failed = customers.filter((_, i) => ends[i]?.ok === false);
      const text = `${ends.length - failed.length} sent, total ${total}. Failed: ${failed.join(", ") || "none"}.`;
      await ctx.step("report", () => sources.report(text));
      return { sent: ends.length - failed.length, failed, total };
    },
  });
  return { nightly, statement };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { nightly, statement } = nightlyWith({
    customers: async () => ["ada", "bob", "eve"],
    send: async (customer) => {
      if (customer === "eve") throw new Error("No address.");
      return customer.length * 100;
    },
    report: async (text) => console.log(text),
  });
  const millrace = await Millrace.open({
    store: sqlite("./data/nightly.db"),
    kinds: [nightly, statement],
    retryBaseMs: 10,
    log: false,
  });
  await millrace.schedules.put(nightly, { name: "nightly", cron: "0 2 * * *", timeZone: "UTC", payload: {} });
  const job = await millrace.submit(nightly, {}); // one run now, to see it
  const { sent, failed } = await job.wait({ timeoutMs: 60_000 });
  console.log(`${sent} of ${sent + failed.length}`);
  await millrace.stop();
}
