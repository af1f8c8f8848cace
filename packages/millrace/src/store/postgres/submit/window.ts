import { Window } from "../../window.ts";
import { numbers } from "../connection/arrays.ts";
import type { Runner } from "../connection/connection.ts";

// Entries of the future come from a clock that has since been set back: they would block for as long.
const PURGE = `DELETE FROM millrace.window_entry WHERE what = $1 AND owner = ANY($2::int[])
  AND (at <= $3::bigint - $4::bigint OR at > $3::bigint)`;
const ENTRIES = `SELECT owner, at, count FROM millrace.window_entry WHERE what = $1 AND owner = ANY($2::int[])
  AND at > $3::bigint - $4::bigint AND at <= $3::bigint ORDER BY owner, at`;
const ADD = `INSERT INTO millrace.window_entry (what, owner, at, count) VALUES ($1, $2, $3, $4)
  ON CONFLICT (what, owner, at) DO UPDATE SET count = window_entry.count + excluded.count`;

export interface WindowLimit {
  what: "submit" | "start";
  count: number;
  perMs: number;
}

/** Those who look hold the locks of the owners. */
export async function openWindows(
  tx: Runner,
  limit: WindowLimit,
  owners: number[],
  now: number,
): Promise<Map<number, Window>> {
  await tx.run(PURGE, [limit.what, numbers(owners), now, limit.perMs]);
  const rows = await tx.run<{ owner: number; at: number; count: number }>(ENTRIES, [
    limit.what,
    numbers(owners),
    now,
    limit.perMs,
  ]);
  return new Map(
    owners.map((owner) => [
      owner,
      new Window(
        limit,
        rows.filter((row) => row.owner === owner),
        now,
      ),
    ]),
  );
}

export async function writeWindow(
  tx: Runner,
  limit: WindowLimit,
  owner: number,
  now: number,
  count: number,
): Promise<void> {
  await tx.run(ADD, [limit.what, owner, now, count]);
}
