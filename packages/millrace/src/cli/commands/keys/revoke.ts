import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<key>"],
  flags: REMOTE,
  about: "Takes the id that millrace keys list shows, not the secret.",
  examples: ["keys revoke 8c1f0a2b9d3e"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, async (client) => {
      await client.keys.revoke(id);
      return tell(flags, { id, revoked: true }, `${id}  revoked`);
    });
  },
});
