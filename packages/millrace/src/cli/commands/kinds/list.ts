import type { KindInfo } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, WATCH } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { duration } from "../../output/format.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { ...WATCH, ...REMOTE },
  examples: ["kinds"],
  async run({ flags }) {
    return withClient(flags, (client) => show(flags, async () => ({ kinds: await client.kinds() }), drawn));
  },
});

function drawn({ kinds }: { kinds: readonly KindInfo[] }): string {
  if (kinds.length === 0) return "No kinds are registered yet. Start a worker: millrace serve or millrace work.";
  const rows = kinds.flatMap((kind) => kind.stages.map((stage) => ({ ...kind, ...stage })));
  return table<(typeof rows)[number]>(
    [
      { title: "KIND", value: ({ kind }) => kind, most: 30 },
      { title: "STAGE", value: ({ stage }) => stage, most: 30 },
      { title: "STATE", value: stateOf, style: (row) => (stateOf(row) === "served" ? "green" : "yellow") },
      { title: "WAITING", value: ({ counts }) => counts.ready + counts.suspect, align: "right" },
      { title: "SCHEDULED", value: ({ counts }) => counts.scheduled, align: "right" },
      { title: "HELD", value: ({ counts }) => counts.held, align: "right" },
      { title: "RUNNING", value: ({ counts }) => counts.running, align: "right" },
      { title: "DEAD", value: ({ counts }) => counts.failed, align: "right", style: dead },
      { title: "PROCESSORS", value: ({ processors }) => processors, align: "right" },
      { title: "TRIES", value: ({ maxAttempts }) => maxAttempts, align: "right" },
      { title: "TIMEOUT", value: ({ timeoutMs }) => timeoutMs && duration(timeoutMs), align: "right" },
      { title: "PACE", value: ({ pace }) => pace && `${pace.count}/${duration(pace.perMs)}`, align: "right" },
    ],
    rows,
    process.stdout.columns,
  );
}

function stateOf({ paused, served }: { paused: boolean; served: boolean }): string {
  if (paused) return "paused";
  return served ? "served" : "unserved";
}

function dead({ counts }: KindInfo["stages"][number]) {
  return counts.failed > 0 ? ("red" as const) : undefined;
}
