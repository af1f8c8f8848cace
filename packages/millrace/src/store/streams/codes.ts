// Streams as both stores keep them. A stream has a head (`stream`) and parts (`stream_part`). A part holds chunks that were
// written at once, as a JSON array, and has the number of its last chunk. A part without chunks is a restart: its data is the
// number up to which chunks stay.

import type { StreamEntry, StreamPart } from "../verbs/streams.ts";

/** A flag of a job, beside those of ../codes.ts. */
export const HAS_STREAMS = 65_536;

export const MOST_STREAMS = 32;
/** A page is read, sent and forgotten before the next one is read. */
export const PARTS_A_PAGE = 8;
/** Chunks of one write are kept in parts of about this size. */
const PART_CHARS = 65_536;

export interface PartRow {
  number: number;
  count: number;
  data: string;
}

export function entriesOf(rows: readonly PartRow[], after: number): StreamEntry[] {
  return rows.flatMap(({ number, count, data }): StreamEntry[] => {
    if (count === 0) return [{ type: "restart", number, keep: Number(data) }];
    const chunks = JSON.parse(data) as unknown[];
    const first = number - count + 1;
    return chunks
      .map((chunk, i): StreamEntry => ({ type: "chunk", number: first + i, data: JSON.stringify(chunk) }))
      .filter((entry) => entry.number > after);
  });
}

/** The chunks of one write, in parts that are small enough to be read at once. */
export function inParts(chunks: readonly string[]): { count: number; data: string }[] {
  const parts: string[][] = [];
  let room = 0;
  for (const chunk of chunks) {
    if (room <= 0 || parts.length === 0) {
      parts.push([]);
      room = PART_CHARS;
    }
    parts.at(-1)?.push(chunk);
    room -= chunk.length;
  }
  return parts.map((part) => ({ count: part.length, data: `[${part.join(",")}]` }));
}

/** How much a write adds. */
export function bytesIn(parts: readonly StreamPart[]): number {
  let bytes = 0;
  for (const part of parts) {
    if ("chunks" in part) for (const chunk of part.chunks) bytes += Buffer.byteLength(chunk) + 1;
  }
  return bytes;
}
