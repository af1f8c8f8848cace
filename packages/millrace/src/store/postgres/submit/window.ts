import { RateWindow } from "../../window.ts";
import { numbers } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";

// Entries in the future were made before the clock was set back. They would block the limit until their time.
const PURGE = `DELETE FROM millrace.window_entry WHERE what = $1 AND owner = ANY($2::int[])
  AND (at <= $3::bigint - $4::bigint OR at > $3::bigint)`;
/** The jobs that were submitted in callers' transactions. */
const PURGE_CALLERS = `DELETE FROM millrace.window_caller WHERE owner = ANY($1::int[])
  AND (at <= $2::bigint - $3::bigint OR at > $2::bigint)`;
const ENTRIES = `SELECT owner, at, count FROM (
    SELECT owner, at, count FROM millrace.window_entry WHERE what = $1::text AND owner = ANY($2::int[])
    UNION ALL SELECT owner, at, count FROM millrace.window_caller WHERE $1::text = 'submit' AND owner = ANY($2::int[])
  ) AS entry
  WHERE at > $3::bigint - $4::bigint AND at <= $3::bigint ORDER BY owner, at`;
const ADD = `INSERT INTO millrace.window_entry (what, owner, at, count) VALUES ($1, $2, $3, $4)
  ON CONFLICT (what, owner, at) DO UPDATE SET count = window_entry.count + excluded.count`;

export interface WindowLimit {
  what: "submit" | "start";
  count: number;
  perMs: number;
}

/** Deletes entries that no longer count. */
export async function purgeWindows(
  tx: StatementRunner,
  limit: WindowLimit,
  owners: number[],
  now: number,
): Promise<void> {
  await tx.run(PURGE, [limit.what, numbers(owners), now, limit.perMs]);
  if (limit.what === "submit") await tx.run(PURGE_CALLERS, [numbers(owners), now, limit.perMs]);
}

/** The caller holds the locks of the owners, unless it may exceed the limit. */
export async function openWindows(
  tx: StatementRunner,
  limit: WindowLimit,
  owners: number[],
  now: number,
): Promise<Map<number, RateWindow>> {
  const rows = await tx.run<{ owner: number; at: number; count: number }>(ENTRIES, [
    limit.what,
    numbers(owners),
    now,
    limit.perMs,
  ]);
  return new Map(
    owners.map((owner) => [
      owner,
      new RateWindow(
        limit,
        rows.filter((row) => row.owner === owner),
        now,
      ),
    ]),
  );
}

export async function writeWindow(
  tx: StatementRunner,
  limit: WindowLimit,
  owner: number,
  now: number,
  count: number,
): Promise<void> {
  await tx.run(ADD, [limit.what, owner, now, count]);
}
