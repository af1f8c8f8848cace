import type { SharedLimit } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, WATCH } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { ...WATCH, ...REMOTE },
  about: "TOTAL is the limit in effect: the number that an operator has set, else the defined one.",
  examples: ["limits"],
  async run({ flags }) {
    return withClient(flags, (client) =>
      show(flags, async () => ({ limits: await client.limits.shared.list() }), drawn),
    );
  },
});

function drawn({ limits }: { limits: readonly SharedLimit[] }): string {
  if (limits.length === 0) return "No limits. Define some: Millrace.open({ limits: { gpu: { total: 4 } } }).";
  return table<SharedLimit>(
    [
      { title: "LIMIT", value: ({ name }) => name, most: 40 },
      { title: "RUNNING", value: ({ running }) => running, align: "right" },
      { title: "TOTAL", value: ({ total }) => total, align: "right" },
      { title: "DEFINED", value: ({ defined }) => defined, align: "right" },
      { title: "KINDS", value: ({ kinds }) => kinds.join(", "), most: 60 },
    ],
    limits,
    process.stdout.columns,
  );
}
