import type { Metrics } from "../../client/index.ts";
import { defineCommand } from "../arguments/command.ts";
import { REMOTE, WATCH } from "../arguments/flags.ts";
import { withClient } from "../connect.ts";
import { bytes, duration, percent } from "../output/format.ts";
import { paint } from "../output/paint.ts";
import { say, show } from "../output/show.ts";
import { list, table } from "../output/table.ts";

export const command = defineCommand({
  flags: { prometheus: { type: "boolean", doc: "print the Prometheus text format" }, ...WATCH, ...REMOTE },
  examples: ["metrics --watch", "metrics --prometheus"],
  async run({ flags }) {
    return withClient(flags, async (client) => {
      if (!flags.prometheus) return show(flags, () => client.metrics(), drawn);
      say((await client.prometheus()).trimEnd());
      return 0;
    });
  },
});

type Stage = { name: string } & Metrics["perStage"][string];

function drawn(metrics: Metrics): string {
  const {
    eventLoopDelayMs: delay,
    database,
    process: { rssBytes, uptimeSeconds },
    unserved,
  } = metrics;
  const head = list([
    ["submitted", `${metrics.jobsSubmitted}  ${paint("dim", `refused ${metrics.submissionsRefused}`)}`],
    ["completed", metrics.jobsCompleted],
    [
      "failed",
      `${metrics.jobsFailed}  ${paint("dim", `attempts ${metrics.attemptsFailed}, leases expired ${metrics.leasesExpired}`)}`,
    ],
    ["cancelled", metrics.jobsCancelled],
    ["now", `${metrics.pending} pending, ${metrics.running} running, ${metrics.done} done, ${metrics.failed} failed`],
    ["dead letters", paint(metrics.dlq > 0 ? "red" : undefined, String(metrics.dlq))],
    ["unserved", paint("yellow", unserved.join(", "))],
    ["event loop", `p50 ${duration(delay.p50)}, p99 ${duration(delay.p99)}`],
    ["database", `${bytes(database.databaseBytes)}, WAL ${bytes(database.walBytes)}`],
    ["process", `${bytes(rssBytes)}, up ${duration(uptimeSeconds * 1_000)}`],
  ]);
  const stages = Object.entries(metrics.perStage).map(([name, stage]) => ({ name, ...stage }));
  return stages.length === 0 ? head : `${head}\n\n${stageTable(stages)}`;
}

function stageTable(stages: readonly Stage[]): string {
  return table<Stage>(
    [
      { title: "STAGE", value: ({ name }) => name, most: 40 },
      { title: "WAITING", value: ({ queueSize }) => queueSize, align: "right" },
      { title: "IDLE", value: ({ processors }) => processors.idle, align: "right" },
      { title: "BUSY", value: ({ processors }) => processors.busy, align: "right" },
      { title: "ERROR", value: ({ processors }) => processors.error, align: "right" },
      { title: "WAIT P50", value: ({ waitMs }) => duration(waitMs.p50), align: "right" },
      { title: "P99", value: ({ waitMs }) => duration(waitMs.p99), align: "right" },
      { title: "RUN P50", value: ({ runMs }) => duration(runMs.p50), align: "right" },
      { title: "P99", value: ({ runMs }) => duration(runMs.p99), align: "right" },
      { title: "SUCCESS", value: ({ successRate }) => percent(successRate), align: "right" },
      { title: "RETRIES", value: ({ retries }) => retries, align: "right" },
    ],
    stages,
    process.stdout.columns,
  );
}
