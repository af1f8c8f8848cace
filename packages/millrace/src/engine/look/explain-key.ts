// What a job has to do with its concurrency key: it waits for it, or it is a dead letter that holds it.

import type { Reason } from "../../job/report/explanation.ts";
import type { Circumstances, KeyCircumstances } from "../../store/verbs/circumstances.ts";
import { many } from "./explain-queue.ts";

export function waitsForKey({ key }: Circumstances): Reason[] {
  if (!key) return [];
  const { name, ahead } = key;
  const before = ahead === 0 ? "" : ` ${many(ahead, "job")} ${ahead === 1 ? "gets" : "get"} it first.`;
  const message = `The job waits for its concurrency key "${name}". ${holderSentence(key)}${before}`;
  const holder = deadHolder(key) ?? key.holders[0]?.jobId;
  return [{ code: "concurrency-key", message, details: { key: name, ahead, ...(holder !== undefined && { holder }) } }];
}

function holderSentence({ holders }: KeyCircumstances): string {
  const [first] = holders;
  if (!first) return "The key is free. The next claim gives it to a job.";
  if (first.standing === "failed") return `${first.jobId} failed and holds it.`;
  return holders.length === 1 ? `${first.jobId} holds it.` : `${holders.map(({ jobId }) => jobId).join(", ")} hold it.`;
}

/** The reason of a dead letter that holds its key. */
export function holdsKey({ job, key }: Circumstances): Reason[] {
  if (!job.holdsKey || !key) return [];
  const { name, waiting } = key;
  const behind =
    waiting === 0 ? "no job waits behind it" : `${many(waiting, "job")} ${waiting === 1 ? "waits" : "wait"} behind it`;
  const message = `It holds the concurrency key "${name}", and ${behind}.`;
  return [{ code: "concurrency-key", message, details: { key: name, waiting } }];
}

/** What to do about a job that waits behind a dead letter. */
export function nextOfKey({ key }: Circumstances): string | undefined {
  const dead = key && deadHolder(key);
  return dead && `Revive ${dead} (millrace jobs retry ${dead}), or let the next job run: millrace jobs cancel ${dead}`;
}

function deadHolder({ holders }: KeyCircumstances): string | undefined {
  return holders.find(({ standing }) => standing === "failed")?.jobId;
}
