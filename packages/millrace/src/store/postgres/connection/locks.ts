// Locks that end with their transaction, so they work behind a transaction pooler. They guard things without a row of
// their own: a key that was never used, the room in a queue, the running jobs of a tenant.

import { hash } from "node:crypto";
import { texts } from "./arrays.ts";
import type { StatementRunner } from "./connection.ts";

const LOCK = `SELECT pg_advisory_xact_lock(key::bigint) FROM unnest($1::text[]) AS key`;

/** All locks are taken at once and in one order, so that two transactions cannot wait for each other. */
export async function lock(tx: StatementRunner, schema: string, names: Iterable<string>): Promise<void> {
  const keys = [...new Set([...names].map((name) => lockKey(schema, name)))].sort();
  if (keys.length > 0) await tx.run(LOCK, [texts(keys)]);
}

const LOCK_SHARED = `SELECT pg_advisory_xact_lock_shared(key::bigint) FROM unnest($1::text[]) AS key`;

/** Many transactions can hold a shared lock. `lock` waits for all of them. */
export async function lockShared(tx: StatementRunner, schema: string, names: Iterable<string>): Promise<void> {
  const keys = [...new Set([...names].map((name) => lockKey(schema, name)))].sort();
  if (keys.length > 0) await tx.run(LOCK_SHARED, [texts(keys)]);
}

export function lockKey(schema: string, name: string): string {
  return Buffer.from(hash("sha256", `${schema} ${name}`, "hex").slice(0, 16), "hex")
    .readBigInt64BE()
    .toString();
}
