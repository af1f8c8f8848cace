import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<limit>"],
  flags: REMOTE,
  about: "The number in the code of the newest deployment applies again.",
  examples: ["limits reset gpu"],
  async run({ args: [limit = ""], flags }) {
    return withClient(flags, async (client) => {
      const reset = await client.limits.shared.reset(limit);
      return tell(flags, reset, `${limit}  at most ${reset.total} running jobs, as defined`);
    });
  },
});
