// BullMQ on the Redis whose address is in the file `url` of the case's directory.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Queue as Bull, Worker } from "bullmq";
import type { OpenOptions, Payload, Queue } from "./contender.ts";

export async function openBullMq(dir: string, { run, processors = 10 }: OpenOptions): Promise<Queue> {
  const connection = { url: readFileSync(join(dir, "url"), "utf8"), maxRetriesPerRequest: null };
  const queue = new Bull<Payload>("noop", { connection });
  const worker = run
    ? new Worker<Payload>("noop", async ({ data }) => run(data), { connection, concurrency: processors })
    : undefined;
  worker?.on("error", () => {});
  await queue.waitUntilReady();
  return {
    submit: (payload) => queue.add("noop", payload),
    submitMany: (payloads) => queue.addBulk(payloads.map((data) => ({ name: "noop", data }))),
    completed: () => queue.getCompletedCount(),
    async close() {
      await worker?.close();
      await queue.close();
    },
  };
}
