// Contenders on PostgreSQL: the server's address is in the file `url` of the case's directory. Each gets the settings that
// serve it best: graphile-worker its local queue and batched completion, pg-boss its notifications,
// large batches and four workers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Logger, makeWorkerUtils, run as runGraphile } from "graphile-worker";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { postgres } from "../../packages/millrace/src/index.ts";
import { keyOf, type OpenOptions, type Payload, type Queue } from "./contender.ts";
import { openMillraceOn } from "./millrace.ts";
import type { Who } from "./open.ts";

export async function openOnPostgres(
  who: Extract<Who, `millrace postgres${string}` | "graphile-worker" | "pg-boss">,
  dir: string,
  options: OpenOptions,
): Promise<Queue> {
  const url = readFileSync(join(dir, "url"), "utf8");
  if (who === "millrace postgres") return openMillraceOn(postgres(url), "full", options);
  if (who === "millrace postgres normal") return openMillraceOn(postgres(url), "normal", options);
  if (who === "millrace postgres keep none") return openMillraceOn(postgres(url), "full", options, { keep: "none" });
  return who === "pg-boss" ? openPgBoss(url, options) : openGraphile(url, options);
}

async function openGraphile(url: string, { run, processors = 10 }: OpenOptions): Promise<Queue> {
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  let ran = 0;
  const look = new pg.Pool({ connectionString: url, max: 1 });
  const runner = run
    ? await runGraphile({
        connectionString: url,
        concurrency: processors,
        noHandleSignals: true,
        logger,
        taskList: { noop: async (payload) => run(payload as Payload) },
        preset: {
          worker: { localQueue: { size: Math.max(500, processors) }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
        },
      })
    : undefined;
  runner?.events.on("job:complete", () => ran++);
  return {
    submit: (payload) => utils.addJob("noop", payload),
    submitMany: (payloads) => utils.addJobs(payloads.map((payload) => ({ identifier: "noop", payload }))),
    /** Its event comes before the job is deleted: those that ran and are still there are not recorded as done. */
    async completed() {
      const { rows } = await look.query("SELECT count(*)::int AS count FROM graphile_worker._private_jobs");
      return ran - rows[0].count;
    },
    async close() {
      await runner?.stop();
      await utils.release();
      await look.end();
    },
  };
}

/**
 * A worker of its fetches a batch at each poll, twice a second at most: smaller batches and fewer workers would mostly wait. One
 * did 8,700 no-ops a second here, two 17,000, four 22,000.
 */
const POLLING = {
  batchSize: 5_000,
  localConcurrency: 4,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 0.5,
};

async function openPgBoss(url: string, { run, keys, workersOfOneJob }: OpenOptions): Promise<Queue> {
  const group = (payload: Payload) => (keys === undefined ? {} : { group: { id: keyOf(payload, keys) } });
  const boss = new PgBoss({ connectionString: url, useListenNotify: true, max: 10 });
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue("noop", { notify: true });
  if (run) {
    const polling = {
      ...POLLING,
      ...(workersOfOneJob !== undefined && { batchSize: 1, localConcurrency: workersOfOneJob }),
      ...(keys !== undefined && { groupConcurrency: 1 }),
    };
    await boss.work<Payload>("noop", polling, async (jobs) => {
      for (const { data } of jobs) run(data);
    });
  }
  const look = new pg.Pool({ connectionString: url, max: 1 });
  return {
    submit: (payload) => boss.send("noop", payload, group(payload)),
    submitMany: (payloads) =>
      boss.insert(
        "noop",
        payloads.map((data) => ({ data, ...group(data) })),
      ),
    async completed() {
      const { rows } = await look.query("SELECT count(*)::int AS count FROM pgboss.job WHERE state = 'completed'");
      return rows[0].count;
    },
    async close() {
      await boss.stop({ graceful: false });
      await look.end();
    },
  };
}
