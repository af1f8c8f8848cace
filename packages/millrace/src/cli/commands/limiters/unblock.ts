import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<name>"],
  flags: REMOTE,
  examples: ["limiters unblock openai"],
  async run({ args: [name = ""], flags }) {
    return withClient(flags, async (client) => {
      await client.limits.unblockLimiter(name);
      return tell(flags, { name, unblocked: true }, `${name}  unblocked`);
    });
  },
});
