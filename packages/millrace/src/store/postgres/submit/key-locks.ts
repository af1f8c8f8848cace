// A key that was never used has no row to lock, so its submitters share an advisory lock, which ends with their transaction. A
// transaction of an application may hold such a lock for long. So no submission waits for one inside a transaction. A submission that does not get
// it asks again later.

import { GrowingPause } from "../../../lib/growing-pause.ts";
import { texts } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { lockKey } from "../connection/locks.ts";

const TRY_LOCKS = `SELECT pg_try_advisory_xact_lock(key::bigint) AS held FROM unnest($1::text[]) AS key`;

/** Tries the locks of keys. Returns the names that other transactions hold. */
export async function tryLocks(tx: StatementRunner, schema: string, names: Iterable<string>): Promise<Set<string>> {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return new Set();
  const keys = wanted.map((name) => lockKey(schema, name));
  const rows = await tx.run<{ held: boolean }>(TRY_LOCKS, [texts(keys)]);
  return new Set(wanted.filter((_, i) => !rows[i]?.held));
}

/** The pauses between tries. They are short at first, because most transactions are short. */
export function keyPause(): GrowingPause {
  return new GrowingPause({ firstMs: 10, longestMs: 200 });
}
