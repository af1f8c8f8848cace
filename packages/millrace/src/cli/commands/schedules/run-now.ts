import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<name>"],
  flags: REMOTE,
  examples: ["schedules run-now weekly"],
  async run({ args: [name = ""], flags }) {
    return withClient(flags, async (client) => {
      const jobId = await client.schedules.runNow(name);
      return tell(flags, { name, jobId }, `${name}  ${jobId}`);
    });
  },
});
