import { defineCommand, REMOTE, tell, withClient } from "millrace/cli";
import { sites } from "../client.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: REMOTE,
  about: "Keeps the answers it has. The repeated analysis is a new job with its own id.",
  examples: ["sites retry job_4fQ81xZa"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, async (client) => {
      const job = await client.with(sites).sites.retry(id);
      return tell(flags, job, `${job.jobId}  ${job.status}`);
    });
  },
});
