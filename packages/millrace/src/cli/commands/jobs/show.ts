import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, WATCH } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { jobPage } from "../../output/job.ts";
import { show } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: { ...WATCH, ...REMOTE },
  about: "With --json it prints only the job, without attempts and steps.",
  examples: ["jobs show job_4fQ81xZa", "jobs show job_4fQ81xZa --watch"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, (client) => {
      if (flags.json) return show(flags, () => client.get(id), String);
      return show(
        flags,
        async () => ({ job: await client.get(id), attempts: await client.attempts(id), steps: await client.steps(id) }),
        jobPage,
      );
    });
  },
});
