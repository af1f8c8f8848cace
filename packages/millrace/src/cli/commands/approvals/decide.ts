import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<id>", "<choice>"],
  flags: {
    comment: { type: "string", value: "<words>", doc: "a comment, stored with the job and in the audit list" },
    ...REMOTE,
  },
  examples: ["approvals decide apr_4fQ81xZa yes", 'approvals decide apr_4fQ81xZa no --comment "Wrong address"'],
  async run({ args: [id = "", choice = ""], flags }) {
    const { comment } = flags;
    return withClient(flags, async (client) => {
      const decided = await client.decide(id, { choice, ...(comment !== undefined && { comment }) });
      return tell(flags, decided, `${decided.jobId}  ${decided.name}: ${decided.choice}`);
    });
  },
});
