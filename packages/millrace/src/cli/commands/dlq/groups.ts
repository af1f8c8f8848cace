import type { DeadLetterGroup } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { DLQ_FILTER, filterOf, REMOTE, WATCH } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { relative } from "../../output/format.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { ...DLQ_FILTER, ...WATCH, ...REMOTE },
  examples: ["dlq groups --since 1d"],
  async run({ flags }) {
    return withClient(flags, (client) =>
      show(flags, async () => ({ groups: await client.deadLetters.groups(filterOf(flags)) }), drawn),
    );
  },
});

function drawn({ groups }: { groups: readonly DeadLetterGroup[] }, now: number): string {
  if (groups.length === 0) return "No dead letters.";
  return table<DeadLetterGroup>(
    [
      { title: "COUNT", value: ({ count }) => count, align: "right" },
      { title: "KIND", value: ({ kind, stage }) => `${kind}/${stage}`, most: 40 },
      { title: "CODE", value: ({ code }) => code, most: 30 },
      { title: "FIRST", value: ({ firstAt }) => relative(firstAt, now), align: "right" },
      { title: "LAST", value: ({ lastAt }) => relative(lastAt, now), align: "right" },
      { title: "SAMPLE", value: ({ sample }) => sample },
      { title: "ERROR", value: ({ lastError }) => lastError, style: () => "red", stretch: true, most: 100 },
    ],
    groups,
    process.stdout.columns,
  );
}
