import { defineCommand } from "../../arguments/command.ts";
import { duration, REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { waitForJob } from "../../wait-for-job.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    timeout: { type: "string", value: "<span>", doc: "stop waiting after this time; the job continues" },
    ...REMOTE,
  },
  about: "Exit code 6 if the job failed or was cancelled, 1 if it did not finish in time.",
  examples: ["jobs wait job_4fQ81xZa --timeout 5m"],
  async run({ args: [id = ""], flags }) {
    const timeoutMs = flags.timeout === undefined ? undefined : duration("timeout", flags.timeout);
    return withClient(flags, (client) => waitForJob(client, id, { json: flags.json, timeoutMs }));
  },
});
