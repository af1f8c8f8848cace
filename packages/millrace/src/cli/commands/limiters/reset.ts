import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<name>"],
  flags: REMOTE,
  examples: ["limiters reset openai"],
  async run({ args: [name = ""], flags }) {
    return withClient(flags, async (client) => {
      await client.limits.resetLimiter(name);
      return tell(flags, { name, reset: true }, `${name}  the rule in the code applies`);
    });
  },
});
