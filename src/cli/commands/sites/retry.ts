import { defineCommand } from "../../command.ts";
import { withClient } from "../../connect.ts";
import { REMOTE } from "../../flags.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: REMOTE,
  about: "What came is kept and not asked again. The new run has an id of its own.",
  examples: ["sites retry job_4fQ81xZa"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, async (client) => {
      const job = await client.sites.retry(id);
      return tell(flags, job, `${job.jobId}  ${job.status}`);
    });
  },
});
