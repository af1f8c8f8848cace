// What a process sends to the others: batches of news, each a record in the store. A process has a ring of records and
// overwrites its oldest one, so unread news takes no more room.

import type { JobNews } from "../../job/report/job-news.ts";
import { recordName } from "./roster.ts";

const PLACES = 32;
export const BATCH_MS = 60_000;
/** Ten batches a second: the ring holds the last 3 s of a process that sends as much as it can. */
export const BATCH_CHARS = 262_144;
/** Longer payloads and results are read from the job when the batch arrives. */
const MOST_CHARS = 16_384;

export interface Batch {
  number: number;
  news: Parcel[];
}

/** News without payloads and results that are too long to send. */
export type Parcel = Omit<JobNews, "payload"> & { payload?: string; result?: string };

export function batchName(process: string, number: number): { space: string; tenant: string; key: string } {
  return recordName(`${process}/${number % PLACES}`);
}

export function pack(news: JobNews): Parcel {
  const isLong = (text: string) => text.length > MOST_CHARS;
  const { payload, ...rest } = news;
  const parcel: Parcel = isLong(payload) ? rest : news;
  if (!(news.name === "completed" && isLong(news.result))) return parcel;
  const { result: _result, ...short } = parcel;
  return short;
}

/** The news of a parcel. Undefined: the job was deleted, and its long payload or result with it. */
export function unpack(parcel: Parcel, job: { payload: string; result?: string } | undefined): JobNews | undefined {
  const payload = parcel.payload ?? job?.payload;
  if (payload === undefined) return undefined;
  if (parcel.name !== "completed") return { ...parcel, payload } as JobNews;
  const result = parcel.result ?? job?.result;
  return result === undefined ? undefined : ({ ...parcel, payload, result } as JobNews);
}

export function isWhole({ name, payload, result }: Parcel): boolean {
  return payload !== undefined && (name !== "completed" || result !== undefined);
}
