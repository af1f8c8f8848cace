import { defineCommand, REMOTE, tell, withClient } from "millrace/cli";
import { sites } from "../client.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: REMOTE,
  about: "Asks the same prompts of the same models, so that `sites compare` can compare the runs.",
  examples: ["sites again job_4fQ81xZa"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, async (client) => {
      const job = await client.with(sites).sites.again(id);
      return tell(flags, job, `${job.jobId}  ${job.status}`);
    });
  },
});
