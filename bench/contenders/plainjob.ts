// plainjob sets synchronous=NORMAL itself; "full" is ours to set, for a comparison at the same durability.

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { bun, defineQueue, defineWorker, JobStatus } from "plainjob";
import type { OpenOptions, Queue } from "./contender.ts";

const silent = { error: console.error, warn() {}, info() {}, debug() {} };

export async function openPlainjob(dir: string, durability: "full" | "normal", options: OpenOptions): Promise<Queue> {
  const { run, moreKinds = [], pollMs } = options;
  const connection = bun(new Database(join(dir, "plainjob.db"), { strict: true }));
  const queue = defineQueue({ connection, logger: silent });
  if (durability === "full") connection.pragma("synchronous = FULL");
  const poll = pollMs === undefined ? {} : { pollIntervall: pollMs };
  const workers = run
    ? ["noop", ...moreKinds].map((kind) =>
        defineWorker(kind, (job) => run(JSON.parse(job.data)), { queue, logger: silent, ...poll }),
      )
    : [];
  for (const worker of workers) void worker.start();
  return {
    submit: (payload) => queue.add("noop", payload),
    submitMany: (payloads) => queue.addMany("noop", payloads),
    completed: async () => queue.countJobs({ type: "noop", status: JobStatus.Done }),
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      queue.close();
    },
  };
}
