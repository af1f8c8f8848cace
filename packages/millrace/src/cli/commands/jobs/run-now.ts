import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: { ...REMOTE },
  examples: ["jobs run-now job_4fQ81xZa"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, async (client) => {
      const job = await client.runNow(id);
      return tell(flags, job, `${job.jobId}  ${job.status}`);
    });
  },
});
