import assert from "node:assert/strict";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { StreamEntry, StreamPart } from "../../verbs/streams.ts";
import type { Rig } from "../rig.ts";

let writes = 0;

/** Writes with a number of its own, as one attempt does. */
export async function append(rig: Rig, { lease }: ClaimedJob, ...parts: StreamPart[]): Promise<unknown> {
  return rig.store.appendStreams(lease, { writer: `w${++writes}`, seq: 1, parts });
}

export function chunks(stream: string, ...values: unknown[]): StreamPart {
  return { stream, chunks: values.map((value) => JSON.stringify(value)) };
}

export function ofStep(step: string, stream: string, ...values: unknown[]): StreamPart {
  return { stream, step, chunks: values.map((value) => JSON.stringify(value)) };
}

/** All entries from the beginning, as a reader gets them: `1 "a"`, `3 restart 0`, and `end completed`. */
export async function entries(rig: Rig, jobId: string, name: string, after = 0): Promise<string[]> {
  const words: string[] = [];
  for (let place = after; ; ) {
    const page = await rig.store.readStream(jobId, name, place);
    assert.ok(page);
    words.push(...page.entries.map(wordsOf));
    if (page.isEnd) return [...words, `end ${page.standing}`];
    const last = page.entries.at(-1);
    if (!last) return words;
    place = last.number;
  }
}

function wordsOf(entry: StreamEntry): string {
  return entry.type === "chunk" ? `${entry.number} ${entry.data}` : `${entry.number} restart ${entry.keep}`;
}

/** What a reader shows in the end: chunks that no restart took back. */
export async function shown(rig: Rig, jobId: string, name: string): Promise<unknown[]> {
  const kept: { number: number; value: unknown }[] = [];
  for (const words of await entries(rig, jobId, name)) {
    const [number, kind, keep] = words.split(" ");
    if (number === "end") continue;
    if (kind === "restart") {
      while (kept.length > 0 && (kept.at(-1)?.number ?? 0) > Number(keep)) kept.pop();
    } else kept.push({ number: Number(number), value: JSON.parse(words.slice(words.indexOf(" ") + 1)) });
  }
  return kept.map(({ value }) => value);
}
