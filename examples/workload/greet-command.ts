import { defineCommand, REMOTE, tell, waitForJob, withClient } from "millrace/cli";

export const command = defineCommand({
  args: ["<name>"],
  flags: { wait: { type: "boolean", doc: "wait for the greeting and print it" }, ...REMOTE },
  examples: ["greet Ada --wait"],
  async run({ args: [name = ""], flags }) {
    return withClient(flags, async (client) => {
      const job = await client.submit("greeting", { name });
      return flags.wait ? waitForJob(client, job.jobId, flags) : tell(flags, job, job.jobId);
    });
  },
});
