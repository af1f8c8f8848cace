import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, whole } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { logText } from "../../output/job.ts";
import { say, show } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    follow: {
      type: "boolean",
      short: "f",
      doc: "keep printing until the job is finished; with --json one line per entry",
    },
    after: { type: "string", value: "<n>", doc: "only entries after this id" },
    ...REMOTE,
  },
  examples: ["jobs logs job_4fQ81xZa --follow"],
  async run({ args: [id = ""], flags }) {
    const after = whole("after", flags.after ?? "0", { min: 0, max: 999_999_999 });
    return withClient(flags, async (client) => {
      if (!flags.follow) {
        return show(
          flags,
          async () => ({ logs: await client.logs(id, { after }) }),
          ({ logs }) => logs.map(logText).join("\n") || "No log lines.",
        );
      }
      for await (const line of client.followLogs(id, { after })) say(flags.json ? JSON.stringify(line) : logText(line));
      return 0;
    });
  },
});
