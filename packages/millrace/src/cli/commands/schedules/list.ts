import type { Schedule } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, WATCH } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { relative } from "../../output/format.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { ...WATCH, ...REMOTE },
  examples: ["schedules list"],
  async run({ flags }) {
    return withClient(flags, (client) =>
      show(flags, async () => ({ schedules: await client.schedules.list() }), drawn),
    );
  },
});

function drawn({ schedules }: { schedules: readonly Schedule[] }, now: number): string {
  if (schedules.length === 0) return "No schedules. Add one: millrace schedules put --help";
  return table<Schedule>(
    [
      { title: "NAME", value: ({ name }) => name, most: 40 },
      { title: "CRON", value: ({ cron }) => cron, most: 30 },
      { title: "ZONE", value: ({ timeZone }) => timeZone, most: 30 },
      { title: "KIND", value: ({ kind }) => kind, most: 30 },
      { title: "TENANT", value: ({ tenant }) => tenant, most: 20 },
      { title: "NEXT", value: ({ paused, nextAt }) => (paused ? "paused" : relative(nextAt, now)), align: "right" },
      { title: "LAST", value: ({ lastAt }) => relative(lastAt, now), align: "right" },
      { title: "LAST JOB", value: ({ lastJobId }) => lastJobId },
      { title: "PAYLOAD", value: ({ payload }) => JSON.stringify(payload), stretch: true, most: 60 },
    ],
    schedules,
    process.stdout.columns,
  );
}
