import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<label>"],
  flags: REMOTE,
  about: "Stop all processes of the deployment first.",
  examples: ["deployments unpin 2026-11-16.3"],
  async run({ args: [label = ""], flags }) {
    return withClient(flags, async (client) =>
      tell(flags, await client.unpin(label), `${label}  pinned jobs handed to the newest deployment`),
    );
  },
});
