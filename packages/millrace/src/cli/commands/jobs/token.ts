import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, whole } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

const MOST_MINUTES = 7 * 24 * 60;

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    minutes: { type: "string", value: "<n>", doc: "how long the token works (default 60)" },
    ...REMOTE,
  },
  examples: ["jobs token job_4fQ81xZa --minutes 10"],
  async run({ args: [id = ""], flags }) {
    const minutes = whole("minutes", flags.minutes ?? "60", { min: 1, max: MOST_MINUTES });
    return withClient(flags, async (client) => {
      const made = await client.createToken(id, { ttlMs: minutes * 60_000 });
      return tell(flags, made, made.token);
    });
  },
});
