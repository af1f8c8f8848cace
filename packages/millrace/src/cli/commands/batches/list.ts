import type { BatchInfo } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { relative } from "../../output/format.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { ...REMOTE },
  examples: ["batches", "batches --json"],
  async run({ flags }) {
    return withClient(flags, (client) => show(flags, () => client.batches(), drawn));
  },
});

function drawn({ batches }: { batches: readonly BatchInfo[] }, now: number): string {
  if (batches.length === 0) return "No batches.";
  return table<BatchInfo>(
    [
      { title: "BATCH", value: ({ id }) => id },
      { title: "STATE", value: ({ state }) => state },
      { title: "JOBS", value: ({ total }) => String(total), align: "right" },
      { title: "COMPLETED", value: ({ completed }) => String(completed), align: "right" },
      { title: "FAILED", value: ({ failed }) => String(failed), align: "right" },
      { title: "CANCELLED", value: ({ cancelled }) => String(cancelled), align: "right" },
      { title: "OPENED", value: ({ createdAt }) => relative(createdAt, now), align: "right" },
    ],
    batches,
    process.stdout.columns,
  );
}
