// Locks that end with their transaction, so that a transaction pooler may stand in between. They guard what no row
// stands for: a key nobody has used yet, the room in a queue, the places of a tenant.

import { hash } from "node:crypto";
import { texts } from "./arrays.ts";
import type { StatementRunner } from "./connection.ts";

const LOCK = `SELECT pg_advisory_xact_lock(key::bigint) FROM unnest($1::text[]) AS key`;

/** Always all at once and in one order: two transactions cannot wait for each other. */
export async function lock(tx: StatementRunner, schema: string, names: Iterable<string>): Promise<void> {
  const keys = [...new Set([...names].map((name) => lockKey(schema, name)))].sort();
  if (keys.length > 0) await tx.run(LOCK, [texts(keys)]);
}

const LOCK_SHARED = `SELECT pg_advisory_xact_lock_shared(key::bigint) FROM unnest($1::text[]) AS key`;

/** Holders of a shared lock stand side by side; `lock` waits for all of them. */
export async function lockShared(tx: StatementRunner, schema: string, names: Iterable<string>): Promise<void> {
  const keys = [...new Set([...names].map((name) => lockKey(schema, name)))].sort();
  if (keys.length > 0) await tx.run(LOCK_SHARED, [texts(keys)]);
}

export function lockKey(schema: string, name: string): string {
  return Buffer.from(hash("sha256", `${schema} ${name}`, "hex").slice(0, 16), "hex")
    .readBigInt64BE()
    .toString();
}
