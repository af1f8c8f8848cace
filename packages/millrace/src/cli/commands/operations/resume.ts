import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tellOperation } from "../../output/operation.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: { ...REMOTE },
  examples: ["operations resume op_4fQ81xZa"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, async (client) => tellOperation(flags, await client.operations.resume(id)));
  },
});
