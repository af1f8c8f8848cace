import { defineCommand, UsageError } from "../../command.ts";
import { withClient } from "../../connect.ts";
import { DLQ_FILTER, DRY_RUN, filterOf, given, REMOTE } from "../../flags.ts";
import { targetOf, tellMany } from "../../many.ts";

export const command = defineCommand({
  args: ["[id...]"],
  flags: { ...DLQ_FILTER, all: { type: "boolean", doc: "every dead letter" }, ...DRY_RUN, ...REMOTE },
  examples: ["dlq discard job_4fQ81xZa", "dlq discard --kind text --until 7d --dry-run"],
  async run({ args: ids, flags }) {
    const { "dry-run": dryRun, all } = flags;
    const target = targetOf(ids, filterOf(flags), all);
    if ("ids" in target && dryRun) throw new UsageError("--dry-run counts what a filter finds; ids are what they are.");
    return withClient(flags, async (client) => {
      if ("filter" in target) {
        return tellMany(
          flags,
          await client.deadLetters.discard({ ...target.filter, ...given({ dryRun, all }) }),
          "discarded",
        );
      }
      for (const id of target.ids) await client.forget(id);
      const { length } = target.ids;
      return tellMany(flags, { matched: length, changed: length, dryRun: false, jobIds: target.ids }, "discarded");
    });
  },
});
