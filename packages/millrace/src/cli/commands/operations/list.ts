import type { OperationInfo } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, WATCH } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { relative } from "../../output/format.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { live: { type: "boolean", doc: "only operations that have not ended" }, ...WATCH, ...REMOTE },
  examples: ["operations", "operations --live --watch"],
  async run({ flags }) {
    const query = flags.live ? { live: true } : {};
    return withClient(flags, (client) => show(flags, () => client.operations.list(query), drawn));
  },
});

function drawn({ operations }: { operations: readonly OperationInfo[] }, now: number): string {
  if (operations.length === 0) return "No operations.";
  return table<OperationInfo>(
    [
      { title: "OPERATION", value: ({ id }) => id ?? "" },
      { title: "ACTION", value: ({ action }) => action },
      { title: "STATE", value: ({ state }) => state },
      { title: "JOBS", value: ({ total }) => total, align: "right" },
      { title: "DONE", value: ({ done }) => done, align: "right" },
      { title: "SKIPPED", value: ({ skipped }) => skipped, align: "right" },
      { title: "REFUSED", value: ({ failed }) => failed, align: "right" },
      { title: "BY", value: ({ by }) => by, most: 30 },
      { title: "STARTED", value: ({ startedAt }) => relative(startedAt, now), align: "right" },
    ],
    operations,
    process.stdout.columns,
  );
}
