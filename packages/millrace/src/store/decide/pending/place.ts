// What a change of a pending job does to its place at its concurrency key.

import { FOLLOWS, SCHEDULED } from "../../codes.ts";
import { HOLDS_KEY, KEYED, waitsForKey } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";

export interface PlaceFacts {
  readonly row: Pick<JobRow, "token" | "flags" | "run_at" | "standing" | "concurrency_key">;
  /** When the job is to start, as if it had no key. A follower keeps its own. */
  readonly asked: Pick<JobRow, "run_at" | "standing">;
  /** The new concurrency key of the job. */
  readonly key: string | null;
}

export interface ChangedPlace {
  readonly columns: Pick<JobRow, "run_at" | "standing" | "flags" | "concurrency_key">;
  /** The job gives its key back, or leaves the line. */
  readonly leaves: boolean;
  /** The job is due and must get its key. */
  readonly arrives: boolean;
}

/**
 * A job that stays due keeps its place. One that is to start later takes a new place when it is due, unless it has started before: then it
 * keeps the turn of an ordered kind. Only such jobs hold a key while they are scheduled.
 */
export function changePlace({ row, asked, key }: PlaceFacts): ChangedPlace {
  const flags = key === null ? row.flags & ~KEYED : row.flags | KEYED;
  const unplaced = { leaves: false, arrives: false };
  if (row.flags & FOLLOWS) return { columns: { ...asked, flags, concurrency_key: key }, ...unplaced };
  const isDue = asked.standing !== SCHEDULED;
  const holds = (row.flags & HOLDS_KEY) !== 0;
  const waits = waitsForKey(row);
  const keeps = key === row.concurrency_key && (isDue || (holds && row.token > 0 && row.standing === SCHEDULED));
  if (keeps && holds) return { columns: { ...asked, flags, concurrency_key: key }, ...unplaced };
  if (keeps && waits) {
    const { run_at, standing } = row;
    return { columns: { run_at, standing, flags, concurrency_key: key }, ...unplaced };
  }
  const arrives = isDue && key !== null;
  return {
    columns: {
      run_at: asked.run_at,
      standing: arrives ? SCHEDULED : asked.standing,
      flags: flags & ~HOLDS_KEY,
      concurrency_key: key,
    },
    leaves: holds || waits,
    arrives,
  };
}
