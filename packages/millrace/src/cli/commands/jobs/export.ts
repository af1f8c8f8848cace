import { defineCommand, UsageError } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { say } from "../../output/show.ts";

export const command = defineCommand({
  args: ["[id]"],
  flags: {
    waiting: { type: "boolean", doc: "all waiting jobs, one line each" },
    ...REMOTE,
  },
  about:
    "Prints a job as JSON: its payload, stored steps, waits and signals.\nmillrace replay and the test kit run it again.",
  examples: ["jobs export job_4fQ81xZa", "jobs export --waiting"],
  async run({ args: [id], flags }) {
    if ((id === undefined) === !flags.waiting) throw new UsageError("Give the id of a job, or --waiting.");
    return withClient(flags, async (client) => {
      if (id !== undefined) {
        say(JSON.stringify(await client.exportJob(id), null, 2));
        return 0;
      }
      for await (const job of client.jobs({ status: "pending" })) {
        if (job.waitsFor?.length) say(JSON.stringify(await client.exportJob(job)));
      }
      return 0;
    });
  },
});
