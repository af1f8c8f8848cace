import { defineCommand, UsageError } from "../../command.ts";
import { withClient } from "../../connect.ts";
import { REMOTE } from "../../flags.ts";
import { tell } from "../../output/show.ts";
import { siteBudget } from "../../site-budget.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    calls: { type: "string", value: "<n>", doc: "model calls, in all" },
    tokens: { type: "string", value: "<n>", doc: "tokens, in all" },
    usd: { type: "string", value: "<amount>", doc: "dollars, in all" },
    finish: { type: "boolean", doc: "ask nothing more and report what came" },
    ...REMOTE,
  },
  examples: ["sites budget job_4fQ81xZa --calls 60", "sites budget job_4fQ81xZa --finish"],
  async run({ args: [id = ""], flags }) {
    const budget = siteBudget(flags);
    if ((budget === undefined) !== (flags.finish === true)) throw new UsageError("Give a budget, or --finish.");
    return withClient(flags, async (client) => {
      const job = budget ? await client.sites.raiseBudget(id, budget) : await client.sites.finish(id);
      return tell(flags, job, `${job.jobId}  ${job.status}`);
    });
  },
});
