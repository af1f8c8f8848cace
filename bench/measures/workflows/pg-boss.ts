// pg-boss has flows of jobs instead of workflows: a step is a job that depends on the one before, and a join depends on all.

import { PgBoss } from "pg-boss";
import type { WorkflowEngine } from "./contender.ts";

const POLLING = {
  batchSize: 1_000,
  localConcurrency: 4,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 0.5,
};

export async function openPgBossFlows(url: string): Promise<WorkflowEngine> {
  const boss = new PgBoss({ connectionString: url, useListenNotify: true, max: 10 });
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue("step", { notify: true });
  await boss.createQueue("last", { notify: true });
  let ended = 0;
  let heard = () => {};
  await boss.work("step", POLLING, async () => {});
  await boss.work("last", POLLING, async (jobs) => {
    ended += jobs.length;
    heard();
  });
  const until = async (count: number) => {
    while (ended < count) {
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
    ended = 0;
  };
  return {
    steps: async (workflows, steps) => {
      const flows = Array.from({ length: workflows }, () =>
        boss.flow(
          Array.from({ length: steps }, (_, n) => ({
            ref: `${n}`,
            name: n === steps - 1 ? "last" : "step",
            ...(n > 0 && { dependsOn: [`${n - 1}`] }),
          })),
        ),
      );
      await Promise.all(flows);
      await until(workflows);
    },
    fanOut: async (children) => {
      const refs = Array.from({ length: children }, (_, n) => `${n}`);
      await boss.flow([...refs.map((ref) => ({ ref, name: "step" })), { ref: "join", name: "last", dependsOn: refs }]);
      await until(1);
    },
    plain: async (jobs) => {
      await boss.insert(
        "last",
        Array.from({ length: jobs }, () => ({ data: {} })),
      );
      await until(jobs);
    },
    close: () => boss.stop({ graceful: false }),
  };
}
