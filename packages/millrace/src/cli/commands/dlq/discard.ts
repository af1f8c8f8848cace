import { defineCommand } from "../../arguments/command.ts";
import { DLQ_FILTER, DRY_RUN, filterOf, given, REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { targetOf, tellMany } from "../../many.ts";

export const command = defineCommand({
  args: ["[id...]"],
  flags: { ...DLQ_FILTER, all: { type: "boolean", doc: "every dead letter" }, ...DRY_RUN, ...REMOTE },
  examples: ["dlq discard job_4fQ81xZa", "dlq discard --kind text --until 7d --dry-run"],
  async run({ args: ids, flags }) {
    const { "dry-run": dryRun, all } = flags;
    const target = targetOf(ids, filterOf(flags), all);
    return withClient(flags, async (client) => {
      const which = "ids" in target ? target : { ...target.filter, ...given({ all }) };
      const answer = await client.deadLetters.discard({ ...which, ...given({ dryRun }) });
      return tellMany(flags, answer, "discarded", ids.length > 0 ? ids : undefined);
    });
  },
});
