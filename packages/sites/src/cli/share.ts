import { defineCommand, REMOTE, tell, whole, withClient } from "millrace/cli";
import { sites } from "../client.ts";

const DAY_MS = 86_400_000;

export const command = defineCommand({
  args: ["<id>"],
  flags: { days: { type: "string", value: "<n>", doc: "how long the link works (default: 7 days)" }, ...REMOTE },
  examples: ["sites share job_4fQ81xZa --days 30"],
  async run({ args: [id = ""], flags }) {
    const days = flags.days === undefined ? 7 : whole("days", flags.days, { min: 1, max: 90 });
    return withClient(flags, async (client) => {
      const share = await client.with(sites).sites.share(id, { expiresInMs: days * DAY_MS });
      return tell(flags, share, `${share.url}  until ${share.expiresAt}`);
    });
  },
});
