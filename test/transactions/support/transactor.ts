// A process that inserts an order and submits its job in one transaction, over and over, until it is killed.

import { Millrace, postgres } from "millrace";
import pg from "pg";
import { charge, INSERT_ORDER } from "./kinds.ts";

const [, , url, first] = process.argv as [string, string, string, string];
const millrace = await Millrace.open({ store: postgres(url), kinds: [charge], work: false, log: false });
const pool = new pg.Pool({ connectionString: url, max: 4 });

async function transactForEver(from: number): Promise<never> {
  for (let order = from; ; order += 4) {
    await millrace.transaction(pool, async (tx, jobs) => {
      await tx.query(INSERT_ORDER, [order]);
      await jobs.submit(charge, { order }, { idempotencyKey: `order-${order}` });
      await tx.query("SELECT 1");
    });
  }
}

console.log("ready");
await Promise.all([0, 1, 2, 3].map((lane) => transactForEver(Number(first) + lane)));
