import type { OutboxView } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, WATCH } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { duration } from "../../output/format.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { ...WATCH, ...REMOTE },
  about: "LAG is how long the oldest row has waited to become a job.",
  examples: ["outbox status --watch"],
  async run({ flags }) {
    return withClient(flags, (client) => show(flags, async () => ({ outboxes: await client.outboxes() }), drawn));
  },
});

function drawn({ outboxes }: { outboxes: readonly OutboxView[] }): string {
  if (outboxes.length === 0) return "No process has relayed an outbox yet.";
  return table<OutboxView>(
    [
      { title: "OUTBOX", value: ({ label }) => label, most: 40 },
      { title: "WAITING", value: ({ waiting }) => waiting, align: "right" },
      {
        title: "LAG",
        value: ({ waiting, oldestMs = 0, seenMs }) => (waiting === 0 ? "none" : duration(oldestMs + seenMs)),
        align: "right",
      },
      { title: "LOOKED", value: ({ seenMs }) => `${duration(seenMs)} ago`, align: "right" },
      { title: "TROUBLE", value: ({ trouble = "" }) => trouble },
    ],
    outboxes,
    process.stdout.columns,
  );
}
