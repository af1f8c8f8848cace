import { defineCommand } from "../../command.ts";
import { withClient } from "../../connect.ts";
import { duration, REMOTE } from "../../flags.ts";
import { waitForJob } from "../../wait-for-job.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: { timeout: { type: "string", value: "<span>", doc: "give up after this; the job goes on" }, ...REMOTE },
  about: "Prints its result. Exit code 6 when it failed or was cancelled, 1 when the time is up.",
  examples: ["jobs wait job_4fQ81xZa --timeout 5m"],
  async run({ args: [id = ""], flags }) {
    const timeoutMs = flags.timeout === undefined ? undefined : duration("timeout", flags.timeout);
    return withClient(flags, (client) => waitForJob(client, id, { json: flags.json, timeoutMs }));
  },
});
