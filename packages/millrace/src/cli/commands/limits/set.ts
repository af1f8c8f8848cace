import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, whole } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<limit>", "<total>"],
  flags: REMOTE,
  about: "The number overrides the code in all processes until you reset it. Running jobs finish.",
  examples: ["limits set gpu 2"],
  async run({ args: [limit = "", total = ""], flags }) {
    const count = whole("total", total, { min: 1, max: 2_147_483_647 });
    return withClient(flags, async (client) =>
      tell(flags, await client.limits.shared.set(limit, count), `${limit}  at most ${count} running jobs`),
    );
  },
});
