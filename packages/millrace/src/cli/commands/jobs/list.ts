import { defineCommand } from "../../arguments/command.ts";
import { FILTER, filterOf, REMOTE, STATUS, WATCH, whole } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { jobTable } from "../../output/job.ts";
import { paint } from "../../output/paint.ts";
import { show } from "../../output/show.ts";

export const command = defineCommand({
  flags: {
    ...STATUS,
    ...FILTER,
    limit: { type: "string", value: "<n>", doc: "limit (default 20, at most 500)" },
    cursor: { type: "string", value: "<cursor>", doc: "continue after the previous page, which prints the cursor" },
    ...WATCH,
    ...REMOTE,
  },
  examples: [
    "jobs list --status failed --since 2h",
    "jobs list --kind text --watch",
    "jobs list --waits-for signal:paid",
    "jobs list --batch batch_4fQ81xZa --status failed",
    "jobs list --json --limit 500",
  ],
  async run({ flags }) {
    const limit = whole("limit", flags.limit ?? "20", { min: 1, max: 500 });
    return withClient(flags, (client) =>
      show(
        flags,
        () => client.list({ ...filterOf(flags), limit, ...(flags.cursor !== undefined && { cursor: flags.cursor }) }),
        ({ jobs, nextCursor }, now) =>
          jobTable(jobs, now) +
          (nextCursor === undefined || flags.watch ? "" : `\n${paint("dim", `more: --cursor ${nextCursor}`)}`),
      ),
    );
  },
});
