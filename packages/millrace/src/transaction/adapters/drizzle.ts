// The adapter for Drizzle imports Drizzle itself, so it is an entry of its own: millrace/drizzle.

import { sql } from "drizzle-orm";
import type { DrizzleTransaction, Transaction } from "../transaction.ts";
import { adapted } from "./adapters.ts";

/**
 * Makes a transaction of Drizzle usable for `millrace.within()`, on `pg` and on `postgres`. `within()` also takes the
 * transaction itself; a bundled application needs this function.
 */
export function fromDrizzle(tx: DrizzleTransaction): Transaction {
  return adapted(async (text, values) => {
    const parts = text
      .split(/\$(\d+)/)
      .map((part, i) => (i % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`));
    const result = await tx.execute(sql.join(parts));
    return Array.isArray(result) ? [...result] : result.rows;
  });
}
