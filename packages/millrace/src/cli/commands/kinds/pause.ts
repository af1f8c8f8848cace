import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<kind>"],
  flags: REMOTE,
  about: "Running jobs finish. New jobs are accepted and wait until you resume the kind.",
  examples: ["pause text"],
  async run({ args: [kind = ""], flags }) {
    return withClient(flags, async (client) => tell(flags, await client.pause(kind), `${kind}  paused`));
  },
});
