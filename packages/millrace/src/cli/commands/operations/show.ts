import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tellOperation, untilEnded } from "../../output/operation.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: { wait: { type: "boolean", doc: "wait until the operation has ended, with a progress bar" }, ...REMOTE },
  examples: ["operations show op_4fQ81xZa", "operations show op_4fQ81xZa --wait"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, async ({ operations }) => {
      const operation = await operations.find(id);
      return tellOperation(flags, flags.wait ? await untilEnded(operations, operation) : operation);
    });
  },
});
