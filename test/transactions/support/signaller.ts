// A process that inserts an order and signals its parcel in one transaction, over and over, until it is killed. It does not deliver what
// it commits: nothing tells it of the commit, and it is killed before it looks.

import { Millrace, postgres } from "millrace";
import pg from "pg";
import { INSERT_ORDER, parcel } from "./kinds.ts";

const [, , url, first] = process.argv as [string, string, string, string];
const millrace = await Millrace.open({ store: postgres(url), kinds: [parcel], work: false, log: false });
const pool = new pg.Pool({ connectionString: url, max: 4 });

async function signalForEver(from: number): Promise<never> {
  const client = await pool.connect();
  for (let order = from; ; order += 4) {
    await client.query("BEGIN");
    await client.query(INSERT_ORDER, [order]);
    const job = order % 2 === 0 ? { uniqueKey: "p0" } : { uniqueKey: `p${order}`, orSubmit: { order } };
    await millrace.within(client).signal(parcel, job, "paid", { amount: order });
    await client.query("SELECT 1");
    await client.query("COMMIT");
  }
}

console.log("ready");
await Promise.all([0, 1, 2, 3].map((lane) => signalForEver(Number(first) + lane)));
