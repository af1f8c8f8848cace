// A worker that the measures of recovery start and kill. Its plan comes as JSON; it reports each start and each end of a job.

import { setTimeout as pause } from "node:timers/promises";
import { Millrace } from "../../../packages/millrace/src/millrace.ts";
import { silentLog } from "../../../packages/millrace/src/telemetry/log/log.ts";
import { recoveryKind, recoveryStore, type WorkerPlan, type WorkerReport } from "./recovery-kind.ts";

const plan = JSON.parse(process.argv[2] as string) as WorkerPlan;
const report = (word: WorkerReport) => process.send?.(word);

await Millrace.open({
  log: silentLog,
  store: recoveryStore(plan.db),
  kinds: [
    recoveryKind(async ({ payload }) => {
      report({ started: payload.number });
      if (payload.poison) {
        await pause(5);
        process.kill(process.pid, "SIGKILL");
      }
      await pause(plan.jobMs);
      report({ ended: payload.number });
    }, plan.processors),
  ],
});
process.on("disconnect", () => process.exit(1));
