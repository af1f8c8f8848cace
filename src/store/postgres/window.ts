import { numbers } from "./arrays.ts";
import type { Runner } from "./connection.ts";

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

/** What passed within the limit's period, exact to the millisecond. Whoever looks holds the owner's lock. */
export class Window {
  readonly #limit: WindowLimit;
  readonly #entries: { at: number; count: number }[];
  readonly #now: number;

  constructor(limit: WindowLimit, entries: { at: number; count: number }[], now: number) {
    this.#limit = limit;
    this.#entries = entries;
    this.#now = now;
  }

  get room(): number {
    return this.#limit.count - this.#entries.reduce((sum, entry) => sum + entry.count, 0);
  }

  take(count: number): void {
    this.#entries.push({ at: this.#now, count });
  }

  /** When there will be room for `wanted`, as far as the entries tell. */
  freeAt(wanted: number): number {
    let missing = wanted - this.room;
    if (missing <= 0) return this.#now;
    for (const { at, count } of this.#entries) {
      missing -= count;
      if (missing <= 0) return at + this.#limit.perMs;
    }
    return this.#now + this.#limit.perMs;
  }
}

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
