// bunqueue keeps its queue in memory and writes behind: by default `add` is answered before the job is on disk, `durable`
// commits first (synchronous=NORMAL, which it sets itself, so even then without an fsync).

import { join } from "node:path";
import { Queue as BunQueue, shutdownManager, Worker } from "bunqueue/client";
import type { OpenOptions, Payload, Queue } from "./contender.ts";

export async function openBunqueue(dir: string, durable: boolean, options: OpenOptions): Promise<Queue> {
  const { run, processors = 10, moreKinds = [], deleteFinished, pollMs = 0 } = options;
  const place = { embedded: true, dataPath: join(dir, "bunqueue.db") };
  const each = { ...(durable && { durable }), ...(deleteFinished && { removeOnComplete: true }) };
  const queue = new BunQueue<Payload>("noop", place);
  // It pulls 10 at a time unless told otherwise, and sleeps 50 ms when idle unless it polls long.
  const pool = { concurrency: processors, batchSize: processors, pollTimeout: pollMs };
  let completed = 0;
  const workers = run
    ? ["noop", ...moreKinds].map(
        (kind) => new Worker<Payload, void>(kind, (job: { data: Payload }) => run(job.data), { ...place, ...pool }),
      )
    : [];
  for (const worker of workers) worker.on("completed", () => completed++);
  return {
    submit: (payload) => queue.add("noop", payload, each),
    submitMany: (payloads) => queue.addBulk(payloads.map((data) => ({ name: "noop", data, opts: each }))),
    completed: async () => completed,
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await queue.close();
      shutdownManager();
    },
  };
}
