import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { jsonArgument } from "../../arguments/json-argument.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    answer: { type: "string", value: "<json|@file|->", doc: "answer for the processor that held the job" },
    ...REMOTE,
  },
  examples: ["jobs release job_4fQ81xZa", `jobs release job_4fQ81xZa --answer '{"approved": true}'`],
  async run({ args: [id = ""], flags }) {
    const answer = flags.answer === undefined ? undefined : jsonArgument("The answer", flags.answer);
    return withClient(flags, async (client) => {
      const job = await client.release(id, { answer });
      return tell(flags, job, `${job.jobId}  ${job.status}`);
    });
  },
});
