// A query over the whole table is cut into slices of a few milliseconds. Between two slices other reads have their turn, a
// time limit is checked, and the WAL can be emptied. Both runtimes have no other way to interrupt a statement of SQLite.

import { FAILED } from "../../codes.ts";
import type { ReadView } from "../core.ts";

/** Yields after each slice, and returns the answer. */
export type SlicedRead<T> = Generator<undefined, T, undefined>;

const FIRST_SPAN = 256;
const LARGEST_SPAN = 4_000_000;
const SHORT_MS = 3;
const LONG_MS = 12;

/** How many keys a slice covers, so that it takes 3 to 12 ms whatever the size of the jobs. */
class Span {
  size = FIRST_SPAN;
  #startedAt = performance.now();

  begin(): void {
    this.#startedAt = performance.now();
  }

  end(): void {
    const ms = performance.now() - this.#startedAt;
    if (ms < SHORT_MS) this.size = Math.min(LARGEST_SPAN, this.size * 4);
    else if (ms > LONG_MS) this.size = Math.max(1, this.size >> 1);
  }
}

// Two statements in one: a single SELECT with both would read the whole table.
const KEYS = "SELECT (SELECT min(id) FROM job) AS least, (SELECT max(id) FROM job) AS most";

/** Calls `look` for one range of keys after another, `from` included and `to` not, until it returns false. */
export function* byKey(
  view: ReadView,
  { newestFirst, below }: { newestFirst: boolean; below: number | undefined },
  look: (from: number, to: number) => boolean,
): SlicedRead<void> {
  const { least, most } = view.statement(KEYS).get() as { least: number | null; most: number | null };
  if (least === null || most === null) return;
  const end = Math.min(most + 1, below ?? most + 1);
  const span = new Span();
  for (let done = 0; least + done < end; ) {
    const size = Math.min(span.size, end - least - done);
    const from = newestFirst ? end - done - size : least + done;
    span.begin();
    if (!look(from, from + size)) return;
    span.end();
    done += size;
    yield;
  }
}

const DEAD = {
  newestFirst: `SELECT id, finished_at AS at FROM job INDEXED BY job_dead
    WHERE standing = ${FAILED} AND finished_at <= ?1 AND (finished_at < ?1 OR id < ?2) ORDER BY finished_at DESC, id DESC LIMIT ?3`,
  oldestFirst: `SELECT id, finished_at AS at FROM job INDEXED BY job_dead
    WHERE standing = ${FAILED} AND finished_at >= ?1 AND (finished_at > ?1 OR id > ?2) ORDER BY finished_at, id LIMIT ?3`,
};

/** The same for dead letters by the time of their failure: `look` gets their keys as JSON. */
export function* byFailure(
  view: ReadView,
  { newestFirst }: { newestFirst: boolean },
  look: (keys: string) => boolean,
): SlicedRead<void> {
  const statement = view.statement(newestFirst ? DEAD.newestFirst : DEAD.oldestFirst);
  const span = new Span();
  let last = newestFirst ? { at: Number.MAX_SAFE_INTEGER, id: 0 } : { at: 0, id: 0 };
  for (;;) {
    span.begin();
    const rows = statement.all(last.at, last.id, span.size) as { id: number; at: number }[];
    const end = rows.at(-1);
    if (!end || !look(JSON.stringify(rows.map(({ id }) => id)))) return;
    span.end();
    last = end;
    yield;
  }
}

export function isSliced(answer: unknown): answer is SlicedRead<unknown> {
  return typeof answer === "object" && answer !== null && Symbol.iterator in answer && "next" in answer;
}

/** Reads all slices at once, where no other read waits. */
export function toEnd<T>(sliced: SlicedRead<T>): T {
  for (;;) {
    const { done, value } = sliced.next();
    if (done) return value;
  }
}
